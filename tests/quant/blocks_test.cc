// SPDX-License-Identifier: Apache-2.0
#include "quant/blocks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "quant/affine.h"
#include "tests/support/model_builder.h"

namespace ingot::quant {
namespace {

TEST(Blocks, FourBitsLieWithTheEvenIndexInTheLowNibble) {
  // The largest magnitude is negative, so the scale is positive: 8 / 8 = 1.
  const std::vector<float> row{-8, 7, 0, 1, 2, 3, -1, -2, 0, 0, 0, 0, 0, 0, 0, 0};
  const BlockWeights blocks = quantize_blocks(row, 1, 16, {4, 16});
  EXPECT_EQ(half_to_float(blocks.scales.at(0)), 1.0F);
  EXPECT_EQ(blocks.packed,
            (std::vector<std::uint8_t>{0xf0, 0x98, 0xba, 0x67, 0x88, 0x88, 0x88, 0x88}));
}

TEST(Blocks, ValuesOnTheGridComeBackExactly) {
  for (const BlockFormat format : {BlockFormat{4, 32}, BlockFormat{8, 32}}) {
    std::vector<float> row(64);
    const int half = 1 << (format.bits - 1);
    for (std::size_t i = 0; i < row.size(); ++i)
      row[i] = 0.5F * static_cast<float>(static_cast<int>(i * 7) % (2 * half) - half);
    row[0] = row[32] = -0.5F * static_cast<float>(half);
    EXPECT_EQ(dequantize_blocks(quantize_blocks(row, 2, 32, format), 2, 32, format), row);
  }
}

TEST(Blocks, AZeroBlockKeepsScaleOneAndPaddingIsZero) {
  const std::vector<float> row(20, 0.0F);
  const BlockWeights blocks = quantize_blocks(row, 1, 20, {8, 16});
  EXPECT_EQ(half_to_float(blocks.scales.at(0)), 1.0F);
  EXPECT_EQ(blocks.packed, std::vector<std::uint8_t>(32, 128));
}

TEST(Blocks, NeverDoWorseThanTheLargestMagnitudeAsScale) {
  const Tensor weights = test::random_tensor({16, 96}, 3);
  const auto values = weights.as<float>();
  const BlockFormat format{4, 32};
  const std::vector<float> ours =
      dequantize_blocks(quantize_blocks(values, 16, 96, format), 16, 96, format);
  std::vector<float> plain(values.size());
  for (std::size_t first = 0; first < values.size(); first += 32) {
    float largest = 0;
    for (std::size_t i = 0; i < 32; ++i) largest = std::max(largest, std::abs(values[first + i]));
    for (std::size_t i = 0; i < 32; ++i)
      plain[first + i] = std::nearbyint(values[first + i] / (largest / 7)) * (largest / 7);
  }
  EXPECT_GT(sqnr_db(values, ours), sqnr_db(values, plain));
}

TEST(Blocks, TakeAnyLengthOfRow) {
  const Tensor weights = test::random_tensor({3, 37}, 5);
  const BlockFormat format{8, 32};
  const BlockWeights blocks = quantize_blocks(weights.as<float>(), 3, 37, format);
  EXPECT_EQ(blocks.packed.size(), 3U * 2 * 32);
  EXPECT_GT(sqnr_db(weights.as<float>(), dequantize_blocks(blocks, 3, 37, format)), 40);
}

}  // namespace
}  // namespace ingot::quant
