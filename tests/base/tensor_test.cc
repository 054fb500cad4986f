// SPDX-License-Identifier: Apache-2.0
#include "base/tensor.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace ingot {
namespace {

template <class Body>
void expect_error(Body body, Code code, const std::string& message) {
  try {
    body();
    FAIL() << "nothing was thrown; wanted: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), message);
    EXPECT_EQ(error.code(), code);
  }
}

TEST(DType, NamesReadBack) {
  for (int i = 1; i <= 26; ++i) {
    const auto dtype = static_cast<DType>(i);
    EXPECT_EQ(dtype_from_name(dtype_name(dtype)), dtype) << i;
  }
  EXPECT_EQ(dtype_from_name("float"), DType::kFloat);
  EXPECT_EQ(dtype_from_name("undefined"), DType::kUndefined);
  EXPECT_EQ(dtype_from_name("float33"), DType::kUndefined);
  EXPECT_EQ(dtype_name(static_cast<DType>(27)), "undefined");
  EXPECT_EQ(dtype_name(static_cast<DType>(-1)), "undefined");
}

TEST(DType, HasTheWidthItsNameSays) {
  EXPECT_EQ(dtype_bits(DType::kFloat), 32);
  EXPECT_EQ(dtype_bits(DType::kDouble), 64);
  EXPECT_EQ(dtype_bits(DType::kComplex128), 128);
  EXPECT_EQ(dtype_bits(DType::kBool), 8);
  EXPECT_EQ(dtype_bits(DType::kInt4), 4);
  EXPECT_EQ(dtype_bits(DType::kUint2), 2);
  EXPECT_EQ(dtype_bits(DType::kFloat4e2m1), 4);
  EXPECT_EQ(dtype_bits(DType::kString), 0);
  EXPECT_EQ(dtype_bits(DType::kUndefined), 0);
}

TEST(Shape, IsWrittenWithQuestionMarksForOpenDimensions) {
  EXPECT_EQ(to_string(Shape{}), "[]");
  EXPECT_EQ(to_string(Shape{1, 3, 48, -1}), "[1,3,48,?]");
}

TEST(ElementCount, IsTheProduct) {
  EXPECT_EQ(element_count({}), 1);
  EXPECT_EQ(element_count({2, 3, 4}), 24);
  EXPECT_EQ(element_count({std::int64_t{1} << 31, std::int64_t{1} << 31}), std::int64_t{1} << 62);
  EXPECT_EQ(element_count({std::int64_t{1} << 40, std::int64_t{1} << 40, 0}), 0);
}

TEST(ElementCount, RefusesOpenAndOverflowingShapes) {
  expect_error([] { element_count({2, -1}); }, Code::kInput,
               "shape [2,?] has a dimension that is not fixed; wanted all of them");
  expect_error([] { element_count({0, -5}); }, Code::kInput,
               "shape [0,-5] has a dimension that is not fixed; wanted all of them");
  expect_error([] { element_count({4294967296, 4294967296}); }, Code::kInput,
               "shape [4294967296,4294967296] has more than 2^62 elements");
}

TEST(ByteCount, RoundsSubByteTypesUp) {
  EXPECT_EQ(byte_count(DType::kFloat, 3), 12u);
  EXPECT_EQ(byte_count(DType::kInt4, 0), 0u);
  EXPECT_EQ(byte_count(DType::kInt4, 1), 1u);
  EXPECT_EQ(byte_count(DType::kInt4, 2), 1u);
  EXPECT_EQ(byte_count(DType::kInt4, 3), 2u);
  EXPECT_EQ(byte_count(DType::kUint2, 5), 2u);
  EXPECT_EQ(byte_count(DType::kString, 5), 0u);
  expect_error([] { byte_count(DType::kDouble, std::int64_t{1} << 60); }, Code::kInput,
               "1152921504606846976 elements of float64 are more than 2^62 bytes");
}

TEST(Tensor, KeepsValuesAndRefusesAnotherType) {
  Tensor tensor = Tensor::of<float>({2, 2}, std::vector<float>{1, 2, 3, 4});
  EXPECT_EQ(tensor.dtype, DType::kFloat);
  EXPECT_EQ(tensor.as<float>()[3], 4);
  tensor.as_mutable<float>()[3] = 5;
  EXPECT_EQ(Tensor::copy_of(tensor.view()).as<float>()[3], 5);
  EXPECT_THROW(tensor.as<std::int32_t>(), Error);
  EXPECT_THROW(Tensor::of<float>({3}, std::vector<float>{1}), Error);
}

TEST(Tensor, ZerosAreZero) {
  EXPECT_EQ(Tensor::zeros(DType::kInt16, {3}).bytes, std::vector<std::byte>(6));
  EXPECT_EQ(Tensor::zeros(DType::kString, {2}).strings, std::vector<std::string>(2));
}

// The value of a half by its definition (IEEE 754 3.4), in double.
double half_by_definition(std::uint16_t half) {
  const int sign = half >> 15, exponent = half >> 10 & 31, mantissa = half & 1023;
  const double s = sign == 1 ? -1 : 1;
  if (exponent == 31)
    return mantissa == 0 ? s * INFINITY : std::numeric_limits<double>::quiet_NaN();
  if (exponent == 0) return s * std::ldexp(mantissa, -24);
  return s * std::ldexp(1024 + mantissa, exponent - 25);
}

TEST(Half, EveryValueReadsAsDefinedAndComesBack) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const double wanted = half_by_definition(half);
    const float got = half_to_float(half);
    if (std::isnan(wanted)) {
      EXPECT_TRUE(std::isnan(got)) << bits;
      EXPECT_EQ(float_to_half(got) & 0x7c00, 0x7c00) << bits;
      EXPECT_NE(float_to_half(got) & 0x3ff, 0) << bits;
    } else {
      ASSERT_EQ(static_cast<double>(got), wanted) << bits;
      ASSERT_EQ(float_to_half(got), half) << bits;
    }
  }
}

TEST(Half, RoundsToTheNearestAndTiesToEven) {
  // Between every pair of neighbours: just below the middle, the middle, just above.
  for (unsigned bits = 0; bits < 0x7c00; ++bits) {
    const auto low = static_cast<std::uint16_t>(bits), high = static_cast<std::uint16_t>(bits + 1);
    // 2^16 stands in for the infinity after the largest half.
    const double above = high == 0x7c00 ? 65536.0 : half_by_definition(high);
    const auto middle = static_cast<float>((half_by_definition(low) + above) / 2);
    ASSERT_EQ(float_to_half(middle), low % 2 == 0 ? low : high) << bits;
    ASSERT_EQ(float_to_half(std::nextafter(middle, 0.0f)), low) << bits;
    ASSERT_EQ(float_to_half(std::nextafter(middle, INFINITY)), high) << bits;
    ASSERT_EQ(float_to_half(-std::nextafter(middle, 0.0f)), low | 0x8000) << bits;
  }
}

TEST(Half, OverflowsToInfinityAndUnderflowsToZero) {
  EXPECT_EQ(float_to_half(INFINITY), 0x7c00);
  EXPECT_EQ(float_to_half(-INFINITY), 0xfc00);
  EXPECT_EQ(float_to_half(std::numeric_limits<float>::max()), 0x7c00);
  EXPECT_EQ(float_to_half(std::numeric_limits<float>::denorm_min()), 0);
  EXPECT_EQ(float_to_half(-0.0f), 0x8000);
}

TEST(Bfloat16, IsTheUpperHalfOfAFloat) {
  EXPECT_EQ(bfloat16_to_float(0x3f80), 1.0f);
  EXPECT_EQ(bfloat16_to_float(0xc040), -3.0f);
  EXPECT_TRUE(std::isnan(bfloat16_to_float(0x7fc0)));
}

TEST(ToFloats, ReadsEveryFloatType) {
  const std::vector<float> wanted{1.0f, -2.5f};
  EXPECT_EQ(to_floats(Tensor::of<float>({2}, wanted).view()), wanted);
  EXPECT_EQ(to_floats(Tensor::of<double>({2}, std::vector<double>{1.0, -2.5}).view()), wanted);
  Tensor half = Tensor::of<std::uint16_t>({2}, std::vector<std::uint16_t>{0x3c00, 0xc100});
  half.dtype = DType::kFloat16;
  EXPECT_EQ(to_floats(half.view()), wanted);
  Tensor bfloat = Tensor::of<std::uint16_t>({2}, std::vector<std::uint16_t>{0x3f80, 0xc020});
  bfloat.dtype = DType::kBfloat16;
  EXPECT_EQ(to_floats(bfloat.view()), wanted);
  EXPECT_THROW(to_floats(Tensor::zeros(DType::kInt8, {2}).view()), Error);
}

}  // namespace
}  // namespace ingot
