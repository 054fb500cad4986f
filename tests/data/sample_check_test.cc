// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "data/dataset.h"
#include "tests/support/expect_error.h"

namespace ingot::data {
namespace {

using test::expect_error;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Sample sample_of(Tensor tensor) {
  Sample sample;
  sample.name = "s.npz";
  sample.inputs.emplace("x", std::move(tensor));
  return sample;
}

void check(Tensor tensor, DType dtype, Shape shape) {
  Sample sample = sample_of(std::move(tensor));
  check_sample(sample, {{"x", dtype, std::move(shape), true}});
}

TEST(CheckSample, AcceptsWhatFitsAndDropsTheRest) {
  Sample sample = sample_of(Tensor::zeros(DType::kFloat, {2, 5}));
  sample.inputs.emplace("extra", Tensor::zeros(DType::kInt8, {1}));
  check_sample(sample, {{"x", DType::kFloat, {-1, 5}, true}, {"w", DType::kFloat, {1}, false}});
  EXPECT_EQ(sample.inputs.size(), 1U);
  EXPECT_TRUE(sample.inputs.contains("x"));
}

TEST(CheckSample, AcceptsAnyShapeWhereTheRankIsNotKnown) {
  EXPECT_NO_THROW(check(Tensor::zeros(DType::kFloat, {2, 5}), DType::kFloat, {}));
}

TEST(CheckSample, RefusesAMissingInput) {
  Sample sample = sample_of(Tensor::zeros(DType::kFloat, {2}));
  expect_error(Code::kInput,
               "'s.npz': input 'xy' is missing, wanted float32 [?]; did you mean 'x'?",
               [&] { check_sample(sample, {{"xy", DType::kFloat, {-1}, true}}); });
}

TEST(CheckSample, RefusesAWrongType) {
  expect_error(Code::kInput, "'s.npz': input 'x' wants float32 [2], got float64 [2]",
               [] { check(Tensor::zeros(DType::kDouble, {2}), DType::kFloat, {2}); });
}

TEST(CheckSample, RefusesAWrongShape) {
  expect_error(Code::kInput, "'s.npz': input 'x' wants float32 [1,3,?], got float32 [1,2,7]",
               [] { check(Tensor::zeros(DType::kFloat, {1, 2, 7}), DType::kFloat, {1, 3, -1}); });
  expect_error(Code::kInput, "'s.npz': input 'x' wants float32 [1,?], got float32 [1]",
               [] { check(Tensor::zeros(DType::kFloat, {1}), DType::kFloat, {1, -1}); });
}

TEST(CheckSample, ChecksAnOverridableInitializerThatIsThere) {
  Sample sample = sample_of(Tensor::zeros(DType::kFloat, {2}));
  expect_error(Code::kInput, "'s.npz': input 'x' wants float32 [3], got float32 [2]",
               [&] { check_sample(sample, {{"x", DType::kFloat, {3}, false}}); });
}

TEST(CheckSample, RefusesNanInEveryFloatType) {
  const std::string message =
      "'s.npz': input 'x' has a NaN or Inf (element 1), wanted finite numbers";
  expect_error(Code::kInput, message, [] {
    check(Tensor::of<float>({2}, std::vector<float>{0, kNan}), DType::kFloat, {2});
  });
  expect_error(Code::kInput, message, [] {
    check(Tensor::of<double>({2}, std::vector<double>{0, kNan}), DType::kDouble, {2});
  });
  for (const DType dtype : {DType::kFloat16, DType::kBfloat16}) {
    Tensor tensor = Tensor::zeros(dtype, {2});
    tensor.as_mutable<std::uint16_t>()[1] = 0x7FC0;  // NaN in both
    expect_error(Code::kInput, message, [&] { check(tensor, dtype, {2}); });
  }
}

TEST(CheckSample, RefusesInfinityAndTakesTheLargestNumber) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  EXPECT_THROW(check(Tensor::of<float>({1}, std::vector<float>{-kInf}), DType::kFloat, {1}), Error);
  Tensor half = Tensor::zeros(DType::kFloat16, {1});
  half.as_mutable<std::uint16_t>()[0] = 0xFC00;
  EXPECT_THROW(check(half, DType::kFloat16, {1}), Error);
  half.as_mutable<std::uint16_t>()[0] = 0xFBFF;
  EXPECT_NO_THROW(check(half, DType::kFloat16, {1}));
  constexpr float kMost = std::numeric_limits<float>::max();
  EXPECT_NO_THROW(check(Tensor::of<float>({1}, std::vector<float>{kMost}), DType::kFloat, {1}));
}

}  // namespace
}  // namespace ingot::data
