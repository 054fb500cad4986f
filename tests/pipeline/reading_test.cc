// SPDX-License-Identifier: Apache-2.0
#include "pipeline/reading.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace ingot::pipeline {
namespace {

data::OutputMeaning letters() {
  data::OutputMeaning meaning;
  meaning.kind = data::OutputKind::kCtc;
  meaning.symbols = {"", "a", "b", "é"};
  return meaning;
}

/// [N, T, 4] with a 1 at the class of every step.
Tensor one_hot(const Shape& steps, const std::vector<int>& classes) {
  Tensor tensor = Tensor::zeros(DType::kFloat, {steps[0], steps[1], 4});
  for (std::size_t i = 0; i < classes.size(); ++i)
    tensor.as_mutable<float>()[4 * i + static_cast<std::size_t>(classes[i])] = 1;
  return tensor;
}

TEST(ReadLines, CollapsesRepeatsAndBlanksIntoSymbols) {
  const Tensor logits = one_hot({2, 5}, {1, 1, 0, 1, 3, 0, 2, 2, 2, 0});
  EXPECT_EQ(read_lines(logits.view(), letters(), "y"), (std::vector<std::string>{"aaé", "b"}));
}

TEST(ReadLines, RefusesAClassWithoutASymbol) {
  data::OutputMeaning two = letters();
  two.symbols.resize(2);
  const Tensor logits = one_hot({1, 2}, {1, 3});
  test::expect_error(Code::kInput, "output 'y' reads class 3, but its dictionary has 2 symbols",
                     [&] { read_lines(logits.view(), two, "y"); });
}

TEST(Reading, CountsLinesReadAlikeAndRight) {
  Reading reading;
  add_sample(reading, "1.png", "ab", {"ab"}, {"ab"});
  add_sample(reading, "2.png", "ab", {"ab"}, {"a"});
  add_sample(reading, "3.png", "ab", {"b"}, {"b"});
  add_sample(reading, "4.png", std::nullopt, {"a"}, {"a"});
  EXPECT_EQ(reading.lines, 4U);
  EXPECT_EQ(reading.alike, 3U);
  EXPECT_EQ(reading.with_truth, 3U);
  EXPECT_EQ(reading.original_right, 2U);
  EXPECT_EQ(reading.quantized_right, 1U);
  ASSERT_EQ(reading.differing.size(), 1U);
  EXPECT_EQ(reading.differing[0].sample, "2.png");
  EXPECT_EQ(reading.differing[0].truth, "ab");
  EXPECT_EQ(reading.differing[0].original, "ab");
  EXPECT_EQ(reading.differing[0].quantized, "a");
}

TEST(Reading, ALineThatIsMissingIsReadDifferently) {
  Reading reading;
  add_sample(reading, "batch", "ab", {"ab", ""}, {"ab"});
  EXPECT_EQ(reading.lines, 2U);
  EXPECT_EQ(reading.alike, 1U);
  EXPECT_EQ(reading.with_truth, 0U);  // one truth says nothing about two lines
  EXPECT_EQ(reading.differing.at(0).sample, "batch line 1");
}

}  // namespace
}  // namespace ingot::pipeline
