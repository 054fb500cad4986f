// SPDX-License-Identifier: Apache-2.0
#include "data/travel_copy.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "data/dataset_file.h"
#include "tests/data/files.h"

namespace ingot::data {
namespace {

using test::put_file;

constexpr auto kOriginal = R"(# how the model wants them
[[input]]
name = "x"
kind = "image"
files = ["eval/*.png", "more/*.png"]
height = 48
width = "keep-ratio"
divide = 255.0
mean = [0.485, 0.456, 0.406]

[[output]]
name = "text"
kind = "ctc"
dictionary = "../dicts/dict.txt"
blank = 0

[[output]]
name = "script"
kind = "topk"
labels = "my labels.txt"

[labels]
file = "labels.tsv"
)";

class TravelCopyTest : public testing::Test {
 protected:
  TravelCopyTest() {
    put_file(folder_.path() / "set/eval.toml", kOriginal);
    put_file(folder_.path() / "dicts/dict.txt", "a\nb\n");
    put_file(folder_.path() / "set/my labels.txt", "Latin\n");
  }
  TempDir folder_;
};

TEST_F(TravelCopyTest, LeavesTheSamplesBehindAndRenamesCompanions) {
  const TravelCopy copy = travel_copy(folder_.path() / "set/eval.toml");
  EXPECT_EQ(copy.text, R"([[input]]
divide = 255.0
height = 48
kind = "image"
mean = [0.485, 0.456, 0.406]
name = "x"
width = "keep-ratio"
[[output]]
blank = 0
dictionary = "dict.txt"
kind = "ctc"
name = "text"
[[output]]
kind = "topk"
labels = "symbols-1.txt"
name = "script"
)");
  ASSERT_EQ(copy.files.size(), 2U);
  EXPECT_EQ(copy.files[0].name, "dict.txt");
  EXPECT_EQ(copy.files[1].name, "symbols-1.txt");
  EXPECT_EQ(copy.files[1].source, folder_.path() / "set/my labels.txt");
}

TEST_F(TravelCopyTest, MeansTheSameOnTheDevice) {
  const TravelCopy copy = travel_copy(folder_.path() / "set/eval.toml");
  put_file(folder_.path() / "device/dataset.toml", copy.text);
  for (const auto& file : copy.files)
    put_file(folder_.path() / "device" / file.name, test::file_bytes(file.source));
  const DatasetFile here = parse_dataset_file(folder_.path() / "set/eval.toml");
  const DatasetFile there = parse_dataset_file(folder_.path() / "device/dataset.toml");
  EXPECT_EQ(there.inputs.at(0).mean, here.inputs.at(0).mean);
  EXPECT_EQ(there.inputs.at(0).divide, here.inputs.at(0).divide);
  EXPECT_TRUE(there.inputs.at(0).files.empty());
  EXPECT_FALSE(there.labels_file.has_value());
  ASSERT_EQ(there.outputs.size(), 2U);
  EXPECT_EQ(there.outputs[0].symbols, here.outputs[0].symbols);
  EXPECT_EQ(there.outputs[1].symbols, here.outputs[1].symbols);
}

TEST_F(TravelCopyTest, ValuesComeBackExactly) {
  put_file(folder_.path() / "set/exact.toml", R"(
[[input]]
name = "a \"b\" \\ \t \u00e4"
kind = "image"
divide = 1e-5
mean = [0.1, -3, 12345678.9]
[[output]]
kind = "ctc"
dictionary = "../dicts/dict.txt"
space = true
)");
  const TravelCopy copy = travel_copy(folder_.path() / "set/exact.toml");
  put_file(folder_.path() / "exact/dataset.toml", copy.text);
  put_file(folder_.path() / "exact/dict.txt", "a\nb\n");
  const DatasetFile there = parse_dataset_file(folder_.path() / "exact/dataset.toml");
  EXPECT_EQ(there.inputs.at(0).name, "a \"b\" \\ \t \u00e4");
  EXPECT_EQ(there.inputs.at(0).divide, 1e-5);
  EXPECT_EQ(there.inputs.at(0).mean, (std::vector<double>{0.1, -3, 12345678.9}));
  EXPECT_EQ(there.outputs.at(0).symbols.back(), " ");
}

TEST_F(TravelCopyTest, TwoCompanionsOfOneNameAreKeptApart) {
  put_file(folder_.path() / "set/b/dict.txt", "c\n");
  put_file(folder_.path() / "set/two.toml", R"(
[[input]]
name = "x"
kind = "image"
[[output]]
name = "p"
kind = "ctc"
dictionary = "../dicts/dict.txt"
[[output]]
name = "q"
kind = "ctc"
dictionary = "b/dict.txt"
)");
  const TravelCopy copy = travel_copy(folder_.path() / "set/two.toml");
  ASSERT_EQ(copy.files.size(), 2U);
  EXPECT_EQ(copy.files[0].name, "dict.txt");
  EXPECT_EQ(copy.files[1].name, "symbols-1.txt");
}

TEST_F(TravelCopyTest, AFaultyFileIsRefusedAsAnywhere) {
  put_file(folder_.path() / "set/bad.toml",
           "[[input]]\nname = \"x\"\nkind = \"image\"\nhieght = 3\n");
  EXPECT_THROW(travel_copy(folder_.path() / "set/bad.toml"), Error);
}

}  // namespace
}  // namespace ingot::data
