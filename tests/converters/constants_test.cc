// SPDX-License-Identifier: Apache-2.0
#include "converters/constants.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ingot::converters {
namespace {

std::uint16_t half(double value) {
  const double values[] = {value};
  return rounded(DType::kFloat16, {1}, values).as<std::uint16_t>()[0];
}

std::uint16_t brain(double value) {
  const double values[] = {value};
  return rounded(DType::kBfloat16, {1}, values).as<std::uint16_t>()[0];
}

TEST(Rounded, HalfIsNotRoundedThroughFloat) {
  // Just above the middle of 1 and 1 + 2^-10; as float it would be the middle, and go to the
  // even 1.
  EXPECT_EQ(half(1 + std::ldexp(1, -11) + std::ldexp(1, -40)), 0x3C01);
  EXPECT_EQ(half(1 + std::ldexp(1, -11)), 0x3C00);
  EXPECT_EQ(half(1 + std::ldexp(3, -11) - std::ldexp(1, -40)), 0x3C01);
  EXPECT_EQ(half(-1 - std::ldexp(1, -11) - std::ldexp(1, -40)), 0xBC01);
}

TEST(Rounded, BrainFloatIsNotRoundedThroughFloat) {
  EXPECT_EQ(brain(1 + std::ldexp(1, -8) + std::ldexp(1, -40)), 0x3F81);
  EXPECT_EQ(brain(1 + std::ldexp(1, -8)), 0x3F80);
  EXPECT_EQ(brain(1 + std::ldexp(3, -8)), 0x3F82);
  EXPECT_EQ(brain(HUGE_VAL), 0x7F80);
}

TEST(Rounded, WhatIsReadIsWrittenBack) {
  const Tensor halves{
      DType::kFloat16,
      {3},
      {std::byte{1}, std::byte{0}, std::byte{0xFF}, std::byte{0x7B}, std::byte{0}, std::byte{0x80}},
      {}};
  const auto values = real_values(halves.view());
  ASSERT_TRUE(values);
  EXPECT_EQ((*values)[0], std::ldexp(1, -24));
  EXPECT_EQ((*values)[1], 65504);
  EXPECT_EQ(rounded(DType::kFloat16, {3}, *values).bytes, halves.bytes);
}

TEST(Fits, LimitsAreThoseOfTheType) {
  EXPECT_TRUE(fits(DType::kFloat16, std::vector<double>{65504, -65504}));
  EXPECT_FALSE(fits(DType::kFloat16, std::vector<double>{65505}));
  EXPECT_FALSE(fits(DType::kFloat, std::vector<double>{1e39}));
  EXPECT_TRUE(fits(DType::kBfloat16, std::vector<double>{3.38e38}));
  EXPECT_FALSE(fits(DType::kDouble, std::vector<double>{std::nan("")}));
}

TEST(SingleValue, OnlyOfOneElement) {
  EXPECT_EQ(single_value(Tensor::of<float>({1, 1}, {2.5F}).view()), 2.5);
  EXPECT_EQ(single_value(Tensor::of<std::int64_t>({}, {-7}).view()), -7.0);
  EXPECT_EQ(single_value(Tensor::of<float>({2}, {1, 2}).view()), std::nullopt);
  EXPECT_EQ(single_value(Tensor::zeros(DType::kString, {}).view()), std::nullopt);
}

}  // namespace
}  // namespace ingot::converters
