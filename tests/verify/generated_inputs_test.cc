// SPDX-License-Identifier: Apache-2.0
#include "verify/generated_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/expect_error.h"
#include "tests/support/model_builder.h"
#include "verify/random_operators.h"

namespace ingot::verify {
namespace {

using test::expect_error;
using ::testing::Each;
using ::testing::ElementsAre;

InputDescription input(std::string name, DType dtype, Shape shape,
                       std::vector<std::string> names = {}) {
  return {std::move(name), dtype, std::move(shape), std::move(names)};
}

TEST(GeneratedInputs, OneNameHasOneSize) {
  const auto made = generate_inputs({input("ids", DType::kInt64, {-1, -1}, {"b", "len"}),
                                     input("past", DType::kFloat, {-1, 2, -1}, {"b", "", "past"}),
                                     input("total", DType::kInt64, {-1, -1}, {"b", "past + len"})},
                                    1, 1);
  const auto& ids = made.at("ids").shape;
  EXPECT_EQ(made.at("past").shape[0], ids[0]);
  EXPECT_EQ(made.at("past").shape[1], 2);
  EXPECT_EQ(made.at("total").shape, (Shape{ids[0], made.at("past").shape[2] + ids[1]}));
}

TEST(GeneratedInputs, FirstThreeAttemptsDifferInEveryFreeSize) {
  std::vector<Shape> shapes;
  for (int attempt = 0; attempt < 3; ++attempt)
    shapes.push_back(
        generate_inputs({input("x", DType::kFloat, {-1, 3, -1, 48})}, attempt, 1).at("x").shape);
  EXPECT_THAT(shapes, ElementsAre(Shape{1, 3, 64, 48}, Shape{2, 3, 96, 48}, Shape{3, 3, 32, 48}));
}

TEST(GeneratedInputs, SameSeedSameBytes) {
  const std::vector<InputDescription> inputs{input("x", DType::kFloat, {100})};
  EXPECT_EQ(generate_inputs(inputs, 0, 7).at("x").bytes,
            generate_inputs(inputs, 0, 7).at("x").bytes);
  EXPECT_NE(generate_inputs(inputs, 0, 7).at("x").bytes,
            generate_inputs(inputs, 0, 8).at("x").bytes);
}

TEST(GeneratedInputs, FirstFloatsAreNearlyNormal) {
  const Tensor made = generate_inputs({input("x", DType::kFloat, {20000})}, 0, 1).at("x");
  double sum = 0, squares = 0;
  for (const float x : made.as<float>()) {
    sum += x;
    squares += static_cast<double>(x) * x;
  }
  EXPECT_NEAR(sum / 20000, 0, 0.03);
  EXPECT_NEAR(squares / 20000, 1, 0.05);
}

TEST(GeneratedInputs, IntegersOfFallbacksIndexATableOfTwo) {
  const Tensor made = generate_inputs({input("i", DType::kInt64, {1000})}, 3, 1).at("i");
  EXPECT_THAT(made.as<std::int64_t>(), Each(::testing::AllOf(::testing::Ge(0), ::testing::Le(1))));
}

TEST(GeneratedInputs, MasksAreOnesThenZeros) {
  EXPECT_THAT(generate_inputs({input("attention_mask", DType::kInt64, {1, 6})}, 0, 1)
                  .at("attention_mask")
                  .as<std::int64_t>(),
              Each(1));
  EXPECT_THAT(generate_inputs({input("attention_mask", DType::kInt64, {1, 6})}, 1, 1)
                  .at("attention_mask")
                  .as<std::int64_t>(),
              ElementsAre(1, 1, 1, 1, 0, 0));
}

TEST(GeneratedInputs, EveryTypeTheRuntimeFeedsIsFinite) {
  for (const DType dtype : {DType::kFloat16, DType::kBfloat16}) {
    const std::vector<float> values =
        to_floats(generate_inputs({input("x", dtype, {500})}, 2, 1).at("x").view());
    EXPECT_TRUE(
        std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); }));
  }
}

TEST(GeneratedInputs, WhatCannotBeMadeUpIsNamed) {
  expect_error(Code::kUnsupported, "input 'z' of type complex64: no values can be made up for it",
               [] { generate_inputs({input("z", DType::kComplex64, {2})}, 0, 1); });
  expect_error(Code::kUnsupported,
               "input 'x' of shape [100000,100000] takes 37.3 GiB: no values can be made up for it",
               [] { generate_inputs({input("x", DType::kFloat, {100000, 100000})}, 0, 1); });
  expect_error(Code::kUnsupported, "input 's' is not a tensor: no values can be made up for it",
               [] { describe_inputs({{"s", DType::kUndefined, {}, false}}, nullptr); });
}

TEST(GeneratedInputs, NamesOfDimensionsComeFromTheModel) {
  const graph::Model model = test::model_from_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[n, 3] x) => (float[n, 3] y) { y = Relu(x) })");
  EXPECT_THAT(
      describe_inputs({{"x", DType::kFloat, {-1, 3}, true}}, &model).front().dimension_names,
      ElementsAre("n", ""));
}

TEST(RandomOperators, AreFoundInSubgraphsAndFunctions) {
  const graph::Model model =
      test::model_from_text(R"(<ir_version: 8, opset_import: ["": 17, "f": 1]>
    g (float[2] x, bool c) => (float[2] y) {
      a = f.draw (x)
      y = If (c) <then_branch = t () => (float[2] t) { [noise] t = RandomNormalLike(a) },
                  else_branch = e () => (float[2] e) { e = Identity(a) }>
    }
    <domain: "f", opset_import: ["": 17]> draw (v) => (w) { w = Bernoulli(v) })");
  EXPECT_THAT(random_operators(model),
              ElementsAre("RandomNormalLike 'noise'", "Bernoulli writing 'w'"));
}

TEST(RandomOperators, DropoutCountsOnlyInTraining) {
  const auto dropout = [](const std::string& mode) {
    return random_operators(test::model_from_text(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[2] x) => (float[2] y) <float ratio = {0.5}, bool mode = {)" +
                                                  mode +
                                                  R"(}> { [drop] y = Dropout(x, ratio, mode) })"));
  };
  EXPECT_THAT(dropout("1"), ElementsAre("Dropout 'drop'"));
  EXPECT_THAT(dropout("0"), ElementsAre());
}

}  // namespace
}  // namespace ingot::verify
