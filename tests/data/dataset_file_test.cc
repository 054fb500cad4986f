// SPDX-License-Identifier: Apache-2.0
#include "data/dataset_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "tests/data/files.h"
#include "tests/support/expect_error.h"

namespace ingot::data {
namespace {

using test::expect_error;
using testing::ElementsAre;

class DatasetToml : public testing::Test {
 protected:
  DatasetFile parse(const std::string& text) {
    test::put_file(path_, text);
    return parse_dataset_file(path_);
  }
  /// Expects the message after the file's name.
  void expect_refused(const std::string& text, const std::string& message) {
    expect_error(Code::kInput, fmt::format("'{}'{}", path_.string(), message),
                 [&] { parse(text); });
  }
  /// The same for one line added to a complete [[input]]: it is line 4.
  void expect_input_refused(const std::string& line, const std::string& message) {
    expect_refused("[[input]]\nname = \"x\"\nkind = \"image\"\n" + line, " line 4: " + message);
  }

  TempDir folder_;
  std::filesystem::path path_ = folder_.path() / "data.toml";
};

TEST_F(DatasetToml, ReadsEveryKey) {
  test::put_file(folder_.path() / "dict.txt", "a\r\nb\n");
  const DatasetFile file = parse(R"(
[[input]]
name = "x"
kind = "image"
files = "calib/*.png"
color = "bgr"
layout = "nhwc"
dtype = "float32"
height = 48
width = "keep-ratio"
max_width = 3200
resize = "nearest"
divide = 255.0
mean = [0.5, 0.25, 1]
std = [1, 2, 4]

[[output]]
name = "y"
kind = "ctc"
dictionary = "dict.txt"
blank = 0
space = true

[labels]
file = "labels.tsv"
)");
  ASSERT_EQ(file.inputs.size(), 1U);
  const ImageInput& input = file.inputs[0];
  EXPECT_EQ(input.name, "x");
  EXPECT_THAT(input.files, ElementsAre("calib/*.png"));
  EXPECT_EQ(input.color, ColorOrder::kBgr);
  EXPECT_EQ(input.layout, Layout::kNhwc);
  EXPECT_EQ(input.dtype, DType::kFloat);
  EXPECT_EQ(input.height.mode, Extent::Mode::kFixed);
  EXPECT_EQ(input.height.pixels, 48);
  EXPECT_EQ(input.width.mode, Extent::Mode::kKeepRatio);
  EXPECT_EQ(input.max_width, 3200);
  EXPECT_EQ(input.resize, Resize::kNearest);
  EXPECT_EQ(input.divide, 255);
  EXPECT_THAT(input.mean, ElementsAre(0.5, 0.25, 1));
  EXPECT_THAT(input.std, ElementsAre(1, 2, 4));
  ASSERT_EQ(file.outputs.size(), 1U);
  EXPECT_EQ(file.outputs[0].output, "y");
  EXPECT_EQ(file.outputs[0].kind, OutputKind::kCtc);
  EXPECT_EQ(file.outputs[0].blank, 0);
  EXPECT_THAT(file.outputs[0].symbols, ElementsAre("", "a", "b", " "));
  ASSERT_EQ(file.companions.size(), 1U);
  EXPECT_EQ(file.companions[0].written, "dict.txt");
  EXPECT_EQ(file.companions[0].path, folder_.path() / "dict.txt");
  EXPECT_EQ(file.labels_file, "labels.tsv");
}

TEST_F(DatasetToml, HasDefaults) {
  const DatasetFile file = parse("[[input]]\nname = \"x\"\nkind = \"image\"\n");
  const ImageInput& input = file.inputs.at(0);
  EXPECT_TRUE(input.files.empty());
  EXPECT_EQ(input.color, ColorOrder::kRgb);
  EXPECT_EQ(input.layout, Layout::kNchw);
  EXPECT_EQ(input.dtype, DType::kFloat);
  EXPECT_EQ(input.height.mode, Extent::Mode::kKeep);
  EXPECT_EQ(input.width.mode, Extent::Mode::kKeep);
  EXPECT_EQ(input.max_width, 0);
  EXPECT_EQ(input.resize, Resize::kBilinear);
  EXPECT_EQ(input.divide, 1);
  EXPECT_TRUE(input.mean.empty());
  EXPECT_TRUE(file.outputs.empty());
  EXPECT_TRUE(file.companions.empty());
  EXPECT_FALSE(file.labels_file.has_value());
}

constexpr const char* kInput = "[[input]]\nname = \"x\"\nkind = \"image\"\n";

TEST_F(DatasetToml, TheBlankMayBeTheLastClass) {
  test::put_file(folder_.path() / "dict.txt",
                 "\xEF\xBB\xBF"
                 "a\n b\n\xE3\x80\x80");
  const DatasetFile file = parse(
      std::string(kInput) + "[[output]]\nkind = \"ctc\"\ndictionary = \"dict.txt\"\nblank = 3\n");
  EXPECT_THAT(file.outputs.at(0).symbols, ElementsAre("a", " b", "\xE3\x80\x80", ""));
  EXPECT_EQ(file.outputs[0].blank, 3);
  EXPECT_EQ(file.outputs[0].output, "");
}

TEST_F(DatasetToml, ReadsTopkLabelsAndSharesCompanions) {
  test::put_file(folder_.path() / "labels.txt", "cat\ndog\n");
  const DatasetFile file = parse(std::string(kInput) + R"(
[[output]]
name = "a"
kind = "topk"
labels = "labels.txt"
[[output]]
name = "b"
kind = "topk"
labels = "labels.txt"
[[output]]
name = "c"
kind = "none"
)");
  EXPECT_THAT(file.outputs.at(0).symbols, ElementsAre("cat", "dog"));
  EXPECT_EQ(file.outputs.at(2).kind, OutputKind::kNone);
  EXPECT_EQ(file.companions.size(), 1U);
}

TEST_F(DatasetToml, NamesUnknownKeysAndTheirNeighbours) {
  expect_refused("[[inptu]]\nname = \"x\"\n",
                 " line 1: unknown key 'inptu'; did you mean 'input'?");
  expect_input_refused("colour = \"rgb\"",
                       "unknown key 'colour' in [[input]]; did you mean 'color'?");
  expect_refused(std::string(kInput) + "[[output]]\nkind = \"topk\"\nblank = 0\n",
                 " line 6: unknown key 'blank' in an [[output]] of kind topk");
  expect_refused(std::string(kInput) + "[labels]\nfiles = \"a\"\n",
                 " line 5: unknown key 'files' in [labels]; did you mean 'file'?");
}

TEST_F(DatasetToml, NamesWrongWords) {
  expect_input_refused("color = \"rbg\"", "'color' is 'rbg', wanted rgb, bgr or gray");
  expect_input_refused("layout = \"nwch\"", "'layout' is 'nwch', wanted nchw or nhwc");
  expect_input_refused("dtype = \"float\"", "'dtype' is 'float', wanted float32 or uint8");
  expect_input_refused("resize = \"cubic\"", "'resize' is 'cubic', wanted bilinear or nearest");
  expect_input_refused("color = 3", "'color' is 3, wanted a string");
  expect_refused("[[input]]\nname = \"x\"\nkind = \"audio\"\n",
                 " line 3: 'kind' is 'audio', wanted image");
  expect_refused(std::string(kInput) + "[[output]]\nkind = \"ctx\"\n",
                 " line 5: 'kind' is 'ctx', wanted ctc, topk or none");
}

TEST_F(DatasetToml, NamesWrongSizes) {
  const std::string integer = "an integer from 1 to 65536";
  expect_input_refused("height = 0", "'height' is 0, wanted " + integer + " or \"keep\"");
  expect_input_refused("height = \"keep-ratio\"",
                       "'height' is 'keep-ratio', wanted " + integer + " or \"keep\"");
  expect_input_refused("width = \"half\"",
                       "'width' is 'half', wanted " + integer + " or \"keep\" or \"keep-ratio\"");
  expect_input_refused("width = 1.5", "'width' is 1.5, wanted an integer");
  expect_input_refused("max_width = 0", "'max_width' is 0, wanted " + integer);
}

TEST_F(DatasetToml, NamesWrongNumbers) {
  expect_input_refused("divide = 0", "'divide' is 0, wanted a number other than 0");
  expect_input_refused("divide = nan", "'divide' is nan, wanted a finite number");
  expect_input_refused("mean = [1, 2]",
                       "'mean' is an array of 2, wanted one number for each of the 3 channels");
  expect_input_refused("mean = [1, 2, \"3\"]", "'mean' holds '3', wanted finite numbers");
  expect_input_refused("std = [1, 0, 1]", "'std' holds 0, wanted numbers other than 0");
  expect_input_refused("std = 1", "'std' is 1, wanted an array of numbers");
  expect_input_refused("divide = 255\ndtype = \"uint8\"",
                       "'divide' has no effect with dtype 'uint8'; remove it or use float32");
}

TEST_F(DatasetToml, NamesWhatIsMissing) {
  expect_refused("", ": 'input' is missing, wanted at least one table [[input]]");
  expect_refused("input = 1", " line 1: 'input' is 1, wanted tables [[input]]");
  expect_refused("[[input]]\nkind = \"image\"\n",
                 " line 1: 'name' is missing, wanted the name of a model input");
  expect_refused("[[input]]\nname = \"x\"\n", " line 1: 'kind' is missing, wanted image");
  expect_refused(std::string(kInput) + "[[output]]\nkind = \"ctc\"\n",
                 " line 4: 'dictionary' is missing, wanted a file with one symbol per line");
  expect_refused(std::string(kInput) + "[[output]]\n",
                 " line 4: 'kind' is missing, wanted ctc, topk or none");
}

TEST_F(DatasetToml, RefusesTwoTablesOfOneName) {
  expect_refused(std::string(kInput) + kInput,
                 " line 5: a second [[input]] 'x', wanted one for each model input");
  expect_refused(std::string(kInput) + "[[output]]\nkind=\"none\"\n[[output]]\nkind=\"none\"\n",
                 " line 6: a second [[output]] '', wanted one for each model output");
}

TEST_F(DatasetToml, RefusesABlankOutsideTheClasses) {
  test::put_file(folder_.path() / "dict.txt", "a\nb\n");
  expect_refused(
      std::string(kInput) + "[[output]]\nkind = \"ctc\"\ndictionary = \"dict.txt\"\nblank = 3\n",
      " line 7: 'blank' is 3, wanted a class from 0 to 2");
}

TEST_F(DatasetToml, NamesABadDictionary) {
  const std::string text =
      std::string(kInput) + "[[output]]\nkind = \"ctc\"\ndictionary = \"dict.txt\"\n";
  const std::string dictionary = (folder_.path() / "dict.txt").string();
  expect_error(Code::kInput, fmt::format("cannot open '{}': no such file or directory", dictionary),
               [&] { parse(text); });
  test::put_file(dictionary, "");
  expect_error(Code::kInput, fmt::format("'{}' is empty, wanted one symbol per line", dictionary),
               [&] { parse(text); });
  test::put_file(dictionary, "\xFF\n");
  expect_error(Code::kInput, fmt::format("'{}' is not UTF-8 text", dictionary),
               [&] { parse(text); });
}

}  // namespace
}  // namespace ingot::data
