// SPDX-License-Identifier: Apache-2.0
// Weights in blocks of 4 or 8 bits, as com.microsoft.MatMulNBits and GatherBlockQuantized read
// them. Pure functions over arrays; no graph here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ingot::quant {

/// One scale per `block` values in a row. bits: 4 or 8; block: a power of two of at least 16.
struct BlockFormat {
  int bits = 4;
  int block = 32;

  /// Blocks of a row of `columns` values; the last one is padded with zeros.
  std::int64_t blocks(std::int64_t columns) const { return (columns + block - 1) / block; }
  /// Bytes of one block's values.
  std::int64_t block_bytes() const { return block * bits / 8; }
};

/// Values q in [0, 2^bits), standing for (q - 2^(bits-1)) * scale: symmetric, zero is exact.
struct BlockWeights {
  /// [rows, blocks, block_bytes], row-major. 4 bits: the even index of a pair in the low nibble.
  std::vector<std::uint8_t> packed;
  /// [rows, blocks] as IEEE binary16, so that they can be stored so; positive or negative, never 0.
  std::vector<std::uint16_t> scales;
};

/// Quantizes `weights` [rows, columns], row-major, finite. Of each block the scale of least squared
/// error is taken from a fixed grid around max|w| / 2^(bits-1), both signs, rounded to binary16
/// before values are rounded to it. All-zero block: scale 1. O(rows · columns · grid); the same
/// bytes for any thread count. Values above the range of a binary16 scale saturate.
BlockWeights quantize_blocks(std::span<const float> weights, std::int64_t rows,
                             std::int64_t columns, BlockFormat format);

/// The inverse, computed in float32: (q - 2^(bits-1)) * scale; [rows, columns].
std::vector<float> dequantize_blocks(const BlockWeights& quantized, std::int64_t rows,
                                     std::int64_t columns, BlockFormat format);

}  // namespace ingot::quant
