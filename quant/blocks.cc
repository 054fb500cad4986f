// SPDX-License-Identifier: Apache-2.0
#include "quant/blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/parallel.h"
#include "base/tensor.h"

namespace ingot::quant {
namespace {

constexpr float kLargestHalf = 65504;
constexpr float kSmallestHalf = 6.103515625e-5F;  // normal: a subnormal scale loses its precision

/// Shares of max|w| / 2^(bits-1) that are tried as the scale. Negative ones put the lone extra
/// level on the positive side.
constexpr std::array kGrid4 = {1.0F, 0.96F, 0.92F, 0.88F,   0.84F,
                               0.8F, 0.76F, 0.72F, 1.0667F, 1.1429F};
constexpr std::array kGrid8 = {1.0F, 1.0079F};

float rounded_scale(float scale) {
  const float magnitude = std::clamp(std::abs(scale), kSmallestHalf, kLargestHalf);
  return half_to_float(float_to_half(std::copysign(magnitude, scale)));
}

/// The nearest level, ties to even. Adding 1.5 * 2^23 leaves no bits for a fraction; unlike
/// nearbyint the compiler can do it for many values at a time.
float level(float value, float scale, float half) {
  constexpr float kNoFraction = 12582912;
  const float q = std::min(std::max(value / scale, -half), half - 1);
  return (q + kNoFraction) - kNoFraction;
}

float squared_error(std::span<const float> values, float scale, float half) {
  float error = 0;
  for (const float v : values) {
    const float d = v - level(v, scale, half) * scale;
    error += d * d;
  }
  return error;
}

float best_scale(std::span<const float> values, int bits) {
  float largest = 0, at = 0;
  for (const float v : values) {
    if (std::abs(v) > largest) largest = std::abs(v), at = v;
  }
  if (largest == 0) return 1;
  const float half = static_cast<float>(1 << (bits - 1));
  // -2^(bits-1) exists, +2^(bits-1) does not: the sign of the scale puts the largest value there.
  const float start = (at > 0 ? -1.0F : 1.0F) * largest / half;
  const std::span<const float> grid = bits == 4 ? std::span<const float>(kGrid4) : kGrid8;
  float best = rounded_scale(start);
  float least = std::numeric_limits<float>::infinity();
  for (const float share : grid) {
    for (const float sign : {1.0F, -1.0F}) {
      const float scale = rounded_scale(start * share * sign);
      const float error = squared_error(values, scale, half);
      if (error < least) least = error, best = scale;
    }
  }
  return best;
}

}  // namespace

BlockWeights quantize_blocks(std::span<const float> weights, std::int64_t rows,
                             std::int64_t columns, BlockFormat format) {
  INGOT_CHECK(weights.size() == static_cast<std::size_t>(rows * columns));
  const std::int64_t blocks = format.blocks(columns), bytes = format.block_bytes();
  const float half = static_cast<float>(1 << (format.bits - 1));
  BlockWeights result;
  result.packed.assign(static_cast<std::size_t>(rows * blocks * bytes), 0);
  result.scales.assign(static_cast<std::size_t>(rows * blocks), 0);
  parallel_for(static_cast<std::size_t>(rows), 0, [&](std::size_t row) {
    const auto line =
        weights.subspan(row * static_cast<std::size_t>(columns), static_cast<std::size_t>(columns));
    for (std::int64_t b = 0; b < blocks; ++b) {
      const std::int64_t first = b * format.block;
      const auto values = line.subspan(
          static_cast<std::size_t>(first),
          static_cast<std::size_t>(std::min<std::int64_t>(format.block, columns - first)));
      const float scale = best_scale(values, format.bits);
      const std::size_t at = row * static_cast<std::size_t>(blocks) + static_cast<std::size_t>(b);
      result.scales[at] = float_to_half(scale);
      std::uint8_t* out = result.packed.data() + at * static_cast<std::size_t>(bytes);
      for (std::int64_t i = 0; i < format.block; ++i) {
        const auto k = static_cast<std::size_t>(i);
        // Padding holds zero, too.
        const float q = k < values.size() ? level(values[k], scale, half) : 0.0F;
        const auto code = static_cast<unsigned>(q + half);
        if (format.bits == 8) {
          out[k] = static_cast<std::uint8_t>(code);
        } else {
          out[k / 2] = static_cast<std::uint8_t>(out[k / 2] | (code << (k % 2 == 0 ? 0 : 4)));
        }
      }
    }
  });
  return result;
}

std::vector<float> dequantize_blocks(const BlockWeights& quantized, std::int64_t rows,
                                     std::int64_t columns, BlockFormat format) {
  const std::int64_t blocks = format.blocks(columns), bytes = format.block_bytes();
  const int half = 1 << (format.bits - 1);
  std::vector<float> result(static_cast<std::size_t>(rows * columns));
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t c = 0; c < columns; ++c) {
      const auto at = static_cast<std::size_t>(row * blocks + c / format.block);
      const auto k = static_cast<std::size_t>(c % format.block);
      const std::uint8_t* block = quantized.packed.data() + at * static_cast<std::size_t>(bytes);
      const int code = format.bits == 8 ? block[k] : (block[k / 2] >> (k % 2 == 0 ? 0 : 4)) & 15;
      result[static_cast<std::size_t>(row * columns + c)] =
          static_cast<float>(code - half) * half_to_float(quantized.scales[at]);
    }
  }
  return result;
}

}  // namespace ingot::quant
