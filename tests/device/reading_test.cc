// SPDX-License-Identifier: Apache-2.0
#include "device/reading.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/expect_error.h"

namespace ingot::device {
namespace {

const data::OutputMeaning kText{"", data::OutputKind::kCtc, {"", "a", "b"}, 0};

/// One time step per class named, its score 1, all others 0.
Tensor steps(const std::vector<std::size_t>& classes) {
  Tensor tensor = Tensor::zeros(DType::kFloat, {1, static_cast<std::int64_t>(classes.size()), 3});
  for (std::size_t t = 0; t < classes.size(); ++t)
    tensor.as_mutable<float>()[t * 3 + classes[t]] = 1;
  return tensor;
}

TEST(Reading, CtcGivesText) {
  const Tensor scores = steps({1, 1, 0, 2, 0, 2});
  const ReadOutput output = read_output("y", true, scores.view(), {&kText, 1});
  EXPECT_EQ(output.kind, data::OutputKind::kCtc);
  EXPECT_EQ(output.lines, std::vector<std::string>{"abb"});
}

TEST(Reading, AMeaningWithoutNameIsForTheFirstOutputOnly) {
  const Tensor scores = steps({1});
  EXPECT_EQ(read_output("z", false, scores.view(), {&kText, 1}).kind, data::OutputKind::kNone);
  data::OutputMeaning named = kText;
  named.output = "z";
  EXPECT_EQ(read_output("z", false, scores.view(), {&named, 1}).kind, data::OutputKind::kCtc);
}

TEST(Reading, ADictionaryThatDoesNotFitIsNamed) {
  const Tensor scores = Tensor::zeros(DType::kFloat, {1, 2, 5});
  test::expect_error(Code::kInput, "output 'y' has 5 classes, the dictionary and the blank make 3",
                     [&] { read_output("y", true, scores.view(), {&kText, 1}); });
}

TEST(Reading, TopClassesAreLikeliestFirstAndTiesByIndex) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor scores = Tensor::of<float>({1, 7}, std::vector<float>{0.5F, 2, nan, 2, -1, 3, 0});
  const data::OutputMeaning meaning{
      "", data::OutputKind::kTopK, {"A", "B", "C", "D", "E", "F", "G"}, 0};
  const ReadOutput output = read_output("y", true, scores.view(), {&meaning, 1});
  ASSERT_EQ(output.top.size(), 1U);
  std::string order;
  for (const ReadOutput::Class& entry : output.top[0]) order += entry.label;
  EXPECT_EQ(order, "FBDAG");
  EXPECT_EQ(output.top[0][0].index, 5);
  EXPECT_EQ(output.top[0][0].value, 3);
}

TEST(Reading, TopClassesWantFloatsAndFittingLabels) {
  const data::OutputMeaning meaning{"", data::OutputKind::kTopK, {"A"}, 0};
  const Tensor integers = Tensor::zeros(DType::kInt64, {1, 2}),
               floats = Tensor::zeros(DType::kFloat, {1, 2});
  test::expect_error(
      Code::kInput,
      "output 'y' is int64 [1,2], a float tensor with classes along its last axis is wanted",
      [&] { read_output("y", true, integers.view(), {&meaning, 1}); });
  test::expect_error(Code::kInput, "output 'y' has 2 classes, there are 1 labels",
                     [&] { read_output("y", true, floats.view(), {&meaning, 1}); });
}

TEST(Reading, RangesAreOfFloatsAndKeepNan) {
  const Tensor values = Tensor::of<float>({4}, std::vector<float>{-2, 4, 1, 1});
  const auto range = read_output("y", true, values.view(), {}).range;
  ASSERT_TRUE(range.has_value());
  EXPECT_EQ(range->min, -2);
  EXPECT_EQ(range->max, 4);
  EXPECT_EQ(range->mean, 1);
  const Tensor bad =
      Tensor::of<float>({3}, std::vector<float>{1, std::numeric_limits<float>::quiet_NaN(), 2});
  EXPECT_TRUE(std::isnan(read_output("y", true, bad.view(), {}).range->mean));
  EXPECT_FALSE(
      read_output("y", true, Tensor::zeros(DType::kFloat, {0}).view(), {}).range.has_value());
  EXPECT_FALSE(
      read_output("y", true, Tensor::zeros(DType::kInt64, {2}).view(), {}).range.has_value());
}

}  // namespace
}  // namespace ingot::device
