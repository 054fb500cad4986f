// SPDX-License-Identifier: Apache-2.0
#include "data/dataset.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/npz.h"
#include "tests/data/files.h"
#include "tests/support/expect_error.h"

namespace ingot::data {
namespace {

using test::expect_error;
using testing::ElementsAre;

Tensor floats(const std::vector<float>& values) {
  return Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values);
}

class NpzDataset : public testing::Test {
 protected:
  void put(const std::string& name, const std::map<std::string, Tensor>& arrays) {
    write_npz(folder_.path() / name, arrays, Overwrite::kYes);
  }
  void put_labels(const Tensor& labels) {
    test::put_file(folder_.path() / "labels.npy", npy_bytes(labels.view()));
  }
  Dataset open(std::size_t limit = 0) const {
    return Dataset::open({folder_.path()}, specs_, limit);
  }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  TempDir folder_;
  std::vector<InputSpec> specs_{{"x", DType::kFloat, {-1}, true}};
};

TEST_F(NpzDataset, ReadsAFolderSortedByName) {
  put("b.npz", {{"x", floats({2})}});
  put("a.npz", {{"x", floats({1})}, {"unused", floats({9})}});
  test::put_file(folder_.path() / "notes.txt", "not a sample");
  const Dataset data = open();
  ASSERT_EQ(data.size(), 2U);
  EXPECT_EQ(data.load(0).name, path("a.npz"));
  EXPECT_THAT(data.load(0).inputs.at("x").as<float>(), ElementsAre(1));
  EXPECT_EQ(data.load(0).inputs.size(), 1U);
  EXPECT_THAT(data.load(1).inputs.at("x").as<float>(), ElementsAre(2));
  EXPECT_FALSE(data.has_labels());
  EXPECT_FALSE(data.load(0).label.has_value());
  EXPECT_TRUE(data.outputs().empty());
}

TEST_F(NpzDataset, ReadsNamedFilesInTheirOrder) {
  put("a.npz", {{"x", floats({1})}});
  put("b.npz", {{"x", floats({2})}});
  const Dataset data = Dataset::open({path("b.npz"), path("a.npz")}, specs_);
  ASSERT_EQ(data.size(), 2U);
  EXPECT_THAT(data.load(0).inputs.at("x").as<float>(), ElementsAre(2));
}

TEST_F(NpzDataset, TheLimitKeepsTheFirst) {
  for (const char* name : {"a.npz", "b.npz", "c.npz"}) put(name, {{"x", floats({1})}});
  put_labels(Tensor::of<std::int64_t>({3}, std::vector<std::int64_t>{5, 6, 7}));
  const Dataset data = open(2);
  EXPECT_EQ(data.size(), 2U);
  EXPECT_EQ(data.load(1).label, 6);
  EXPECT_EQ(open(9).size(), 3U);
}

TEST_F(NpzDataset, TakesLabelsOfAnyIntegerType) {
  put("a.npz", {{"x", floats({1})}});
  put_labels(Tensor::of<std::uint8_t>({1, 1}, std::vector<std::uint8_t>{200}));
  EXPECT_TRUE(open().has_labels());
  EXPECT_EQ(open().load(0).label, 200);
}

TEST_F(NpzDataset, RefusesLabelsThatDoNotFit) {
  put("a.npz", {{"x", floats({1})}});
  const std::string labels = path("labels.npy");
  put_labels(Tensor::of<std::int64_t>({2}, std::vector<std::int64_t>{1, 2}));
  expect_error(Code::kInput,
               fmt::format("'{}' has shape [2], wanted [1]: one label for each sample", labels),
               [&] { open(); });
  put_labels(floats({1}));
  expect_error(Code::kInput, fmt::format("'{}' is float32, wanted integers", labels),
               [&] { open(); });
  put_labels(Tensor::of<std::int64_t>({1}, std::vector<std::int64_t>{-1}));
  expect_error(Code::kInput, fmt::format("'{}' holds -1, wanted classes from 0", labels),
               [&] { open(); });
}

TEST_F(NpzDataset, RefusesMissingPathsAndEmptyFolders) {
  expect_error(Code::kInput, fmt::format("'{}': no such file or folder", path("none")),
               [&] { Dataset::open({path("none")}, specs_); });
  expect_error(Code::kInput, fmt::format("folder '{}' has no .npz file", folder_.path().string()),
               [&] { open(); });
  expect_error(Code::kInput,
               "no data given, wanted a folder of .npz, .npz files, or one dataset.toml",
               [&] { Dataset::open({}, specs_); });
}

TEST_F(NpzDataset, RefusesOtherFilesAndMixtures) {
  test::put_file(path("a.txt"), "");
  put("a.npz", {{"x", floats({1})}});
  expect_error(Code::kInput,
               fmt::format("'{}' is no data set, wanted a folder of .npz, .npz files, or one "
                           "dataset.toml",
                           path("a.txt")),
               [&] { Dataset::open({path("a.txt")}, specs_); });
  expect_error(Code::kInput,
               fmt::format("'{}' beside other data, wanted one folder, one dataset.toml, or only "
                           ".npz files",
                           folder_.path().string()),
               [&] { Dataset::open({path("a.npz"), folder_.path()}, specs_); });
}

TEST_F(NpzDataset, NamesAMissingInputAndItsNeighbour) {
  put("a.npz", {{"xs", floats({1})}});
  expect_error(Code::kInput,
               fmt::format("'{}': input 'x' is missing, wanted float32 [?]; did you mean 'xs'?",
                           path("a.npz")),
               [&] { open().load(0); });
}

TEST_F(NpzDataset, ChecksTheSamples) {
  put("a.npz", {{"x", Tensor::zeros(DType::kDouble, {1})}});
  expect_error(Code::kInput,
               fmt::format("'{}': input 'x' wants float32 [?], got float64 [1]", path("a.npz")),
               [&] { open().load(0); });
}

TEST_F(NpzDataset, TheDigestIsOfNamesAndBytes) {
  put("a.npz", {{"x", floats({1})}});
  put("b.npz", {{"x", floats({2})}});
  const std::string digest = open().digest();
  EXPECT_EQ(digest.size(), 64U);
  const TempDir elsewhere;
  for (const char* name : {"a.npz", "b.npz"}) {
    std::filesystem::copy(path(name), elsewhere.path() / name);
  }
  EXPECT_EQ(Dataset::open({elsewhere.path()}, specs_).digest(), digest);
  EXPECT_NE(open(1).digest(), digest);
  put_labels(Tensor::of<std::int64_t>({2}, std::vector<std::int64_t>{1, 2}));
  EXPECT_NE(open().digest(), digest);
  std::filesystem::rename(elsewhere.path() / "b.npz", elsewhere.path() / "c.npz");
  EXPECT_NE(Dataset::open({elsewhere.path()}, specs_).digest(), digest);
}

TEST_F(NpzDataset, RefusesSamplesThatAreAllEqual) {
  for (const char* name : {"a.npz", "b.npz"}) put(name, {{"x", floats({1, 2})}});
  expect_error(Code::kInput, fmt::format("all 2 samples are equal (first: '{}')", path("a.npz")),
               [&] { open().refuse_constant(); });
  put("c.npz", {{"x", floats({1, 3})}});
  EXPECT_NO_THROW(open().refuse_constant());
}

TEST_F(NpzDataset, RefusesFloatsThatAreAllOneNumber) {
  put("a.npz", {{"x", floats({3, 3})}});
  put("b.npz", {{"x", floats({3})}});
  expect_error(
      Code::kInput,
      fmt::format("every float value of all 2 samples is the same (first: '{}')", path("a.npz")),
      [&] { open().refuse_constant(); });
}

TEST_F(NpzDataset, ASingleSampleThatVariesIsNotConstant) {
  put("a.npz", {{"x", floats({1, 2})}});
  EXPECT_NO_THROW(open().refuse_constant());
}

TEST_F(NpzDataset, IntegersMayBeOneNumber) {
  specs_ = {{"n", DType::kInt64, {-1}, true}};
  put("a.npz", {{"n", Tensor::zeros(DType::kInt64, {2})}});
  put("b.npz", {{"n", Tensor::zeros(DType::kInt64, {3})}});
  EXPECT_NO_THROW(open().refuse_constant());
}

}  // namespace
}  // namespace ingot::data
