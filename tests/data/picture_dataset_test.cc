// SPDX-License-Identifier: Apache-2.0
// A Dataset over the files that a dataset.toml names.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "data/dataset.h"
#include "tests/data/files.h"
#include "tests/support/expect_error.h"

namespace ingot::data {
namespace {

using test::expect_error;
using test::golden;
using testing::ElementsAre;

class PictureDataset : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_.path() / "in");
    copy("gray.png", "in/b.png");
    copy("gray1.png", "in/a.png");
    copy("rgb.png", "in/.hidden.png");
    copy("rgb.png", "in/c.jpg");
  }
  void copy(const std::string& name, const std::string& to) {
    std::filesystem::copy(golden(name), folder_.path() / to);
  }
  void declare(const std::string& more, const std::string& files = "\"in/*.png\"") {
    test::put_file(path_, "[[input]]\nname = \"x\"\nkind = \"image\"\ncolor = \"gray\"\nfiles = " +
                              files + "\n" + more);
  }
  void put(const std::string& name, const std::string& text) {
    test::put_file(folder_.path() / name, text);
  }
  Dataset open(std::size_t limit = 0) { return Dataset::open({path_}, specs_, limit); }
  void expect_refused(const std::string& message) {
    expect_error(Code::kInput, fmt::format("'{}'{}", path_.string(), message), [&] { open(); });
  }

  TempDir folder_;
  std::filesystem::path path_ = folder_.path() / "data.toml";
  std::vector<InputSpec> specs_{{"x", DType::kFloat, {1, 1, -1, -1}, true}};
};

constexpr const char* kTopk = "[[output]]\nkind = \"topk\"\nlabels = \"names.txt\"\n";
constexpr const char* kCtc = "[[output]]\nkind = \"ctc\"\ndictionary = \"names.txt\"\n";
constexpr const char* kLabels = "[labels]\nfile = \"labels.tsv\"\n";

TEST_F(PictureDataset, ReadsTheFilesOfAGlobSortedByName) {
  declare("");
  const Dataset data = open();
  ASSERT_EQ(data.size(), 2U);
  EXPECT_THAT(data.load(0).inputs.at("x").as<float>(), ElementsAre(255, 0, 255));
  EXPECT_THAT(data.load(1).inputs.at("x").as<float>(), ElementsAre(0, 100, 255));
  EXPECT_EQ(data.load(1).name, (folder_.path() / "in/b.png").string());
  EXPECT_FALSE(data.has_labels());
  EXPECT_FALSE(data.has_texts());
  EXPECT_EQ(open(1).size(), 1U);
}

TEST_F(PictureDataset, ReadsAListInItsOrder) {
  declare("", "[\"in/b.png\", \"in/a.png\"]");
  EXPECT_THAT(open().load(0).inputs.at("x").as<float>(), ElementsAre(0, 100, 255));
}

TEST_F(PictureDataset, FindsFilesInNestedFolders) {
  copy("gray.png", "b.png");
  declare("", "\"*/[ab].png\"");
  EXPECT_EQ(open().size(), 2U);
}

TEST_F(PictureDataset, NamesAPatternWithoutFiles) {
  declare("", "\"out/*.png\"");
  expect_refused(": input 'x': no file matches 'out/*.png'");
  declare("", "[\"in/a.png\", \"in/z.png\"]");
  expect_refused(": input 'x': no file matches 'in/z.png'");
  declare("", "[]");
  expect_refused(": input 'x' has no 'files', wanted a glob or a list of files");
}

TEST_F(PictureDataset, NamesAnInputTheModelLacks) {
  specs_[0].name = "xs";
  declare("");
  expect_refused(": the model has no input 'x'; did you mean 'xs'?");
}

TEST_F(PictureDataset, ChecksTheSamples) {
  specs_[0].shape = {1, 1, 1, 4};
  declare("");
  expect_error(Code::kInput,
               fmt::format("'{}': input 'x' wants float32 [1,1,1,4], got float32 [1,1,1,3]",
                           (folder_.path() / "in/a.png").string()),
               [&] { open().load(0); });
}

TEST_F(PictureDataset, PairsTheFilesOfTwoInputs) {
  specs_.push_back({"z", DType::kFloat, {}, true});
  const std::string second = "[[input]]\nname = \"z\"\nkind = \"image\"\nfiles = ";
  declare(second + "[\"in/b.png\", \"in/c.jpg\"]\n");
  const Dataset data = open();
  EXPECT_EQ(data.size(), 2U);
  EXPECT_EQ(data.load(1).inputs.at("z").shape, (Shape{1, 3, 2, 2}));
  declare(second + "\"in/a.png\"\n");
  expect_refused(": input 'z' has 1 files, input 'x' has 2; wanted as many");
}

TEST_F(PictureDataset, GivesTextsWhereAnOutputIsCtc) {
  put("names.txt", "a\n");
  put("labels.tsv", "in/b.png\tsecond line\r\nother.png\tx\na.png\tfirst\tand more\n");
  declare(std::string(kCtc) + kLabels);
  const Dataset data = open();
  EXPECT_TRUE(data.has_texts());
  EXPECT_FALSE(data.has_labels());
  EXPECT_EQ(data.load(0).text, "first\tand more");
  EXPECT_EQ(data.load(1).text, "second line");
  EXPECT_EQ(open(1).load(0).text, "first\tand more");
  EXPECT_EQ(data.outputs().at(0).kind, OutputKind::kCtc);
}

TEST_F(PictureDataset, GivesClassesByNumberOrName) {
  put("names.txt", "cat\ndog\n");
  put("labels.tsv", "a.png\tdog\n\nb.png\t7\n");
  declare(std::string(kTopk) + kLabels);
  const Dataset data = open();
  EXPECT_TRUE(data.has_labels());
  EXPECT_EQ(data.load(0).label, 1);
  EXPECT_EQ(data.load(1).label, 7);
}

TEST_F(PictureDataset, NamesBadLabels) {
  put("names.txt", "cat\n");
  declare(std::string(kTopk) + kLabels);
  const std::string labels = (folder_.path() / "labels.tsv").string();
  const auto refused = [&](const std::string& text, const std::string& message) {
    put("labels.tsv", text);
    expect_error(Code::kInput, fmt::format("'{}'{}", labels, message), [&] { open(); });
  };
  refused("a.png\tcat\n", " has no line for 'in/b.png'");
  refused("a.png cat\n", " line 1: no tab, wanted \"file<TAB>text or class\"");
  refused("a.png\tcat\na.png\tcat\n", " line 2: a second line for 'a.png'");
  refused("a.png\tcat\nb.png\tcow\n",
          " line 2: 'cow' is no class, wanted an integer from 0 or a label of the topk output");
}

TEST_F(PictureDataset, TheDigestCoversPicturesDeclarationAndCompanions) {
  put("names.txt", "cat\n");
  declare(kTopk);
  const std::string digest = open().digest();
  put("names.txt", "cow\n");
  const std::string other_names = open().digest();
  EXPECT_NE(other_names, digest);
  put("names.txt", "cat\n");
  EXPECT_EQ(open().digest(), digest);
  declare(std::string(kTopk) + "# a comment\n");
  EXPECT_NE(open().digest(), digest);
  declare(kTopk);
  std::filesystem::remove(folder_.path() / "in/a.png");
  copy("rgb.png", "in/a.png");
  EXPECT_NE(open().digest(), digest);
}

TEST_F(PictureDataset, RefusesPicturesThatAreAllEqual) {
  declare("", "[\"in/a.png\", \"in/a.png\"]");
  expect_error(
      Code::kInput,
      fmt::format("all 2 samples are equal (first: '{}')", (folder_.path() / "in/a.png").string()),
      [&] { open().refuse_constant(); });
}

}  // namespace
}  // namespace ingot::data
