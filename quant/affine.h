// SPDX-License-Identifier: Apache-2.0
// The arithmetic of affine quantization: q = saturate(round_half_even(x / scale) + zero_point), x'
// = (q - zero_point) * scale, as ONNX defines QuantizeLinear and DequantizeLinear. Pure functions
// over arrays; no graph here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/tensor.h"

namespace ingot::quant {

/// An interval of real values. Always min <= 0 <= max once it describes activations, so that zero
/// is exact.
struct Range {
  float min = 0, max = 0;
};

/// Parameters of a uint8 activation, one for the whole tensor.
struct ActivationParams {
  float scale = 1;
  std::uint8_t zero_point = 0;
};

/// uint8 parameters that cover `range` (widened to contain 0). An empty range gives scale 1, zero
/// point 0; a scale never is zero or subnormal.
ActivationParams uint8_params(Range range);

/// A weight as outer × channels × inner elements, row-major; one scale per channel.
struct ChannelLayout {
  std::int64_t outer = 1, channels = 1, inner = 1;
  Shape scale_shape;  ///< shape of the scales that broadcasts against the weight, e.g. [O,1,1,1]

  /// Channels along `axis` of `shape`.
  static ChannelLayout along(const Shape& shape, std::size_t axis);
  /// One channel per row: all axes but the last (LSTM weights [directions, 4·hidden, inputs]).
  static ChannelLayout rows(const Shape& shape);
};

/// int8 weights, symmetric (zero point 0), values in [-127, 127].
struct ChannelWeights {
  std::vector<std::int8_t> values;  ///< same order and count as the weight
  std::vector<float> scales;        ///< one per channel, > 0
};

/// Symmetric per-channel int8: scale = max|w| / 127 (1 for an all-zero channel), or
/// `least_scale[c]` where that is larger (empty = none). Weights must be finite. O(n); the same
/// bytes for any thread count.
ChannelWeights quantize_weights(std::span<const float> weights, const ChannelLayout& layout,
                                std::span<const float> least_scale = {});
/// The inverse, computed in float32 as the runtime does: value * scale.
std::vector<float> dequantize_weights(const ChannelWeights& quantized, const ChannelLayout& layout);

/// int32 bias for scale = activation_scale * weight_scale[c], zero point 0: round_half_even(bias /
/// scale) in double. The caller keeps |bias| within bounds with least_weight_scale.
std::vector<std::int32_t> quantize_bias(std::span<const float> bias, float activation_scale,
                                        std::span<const float> weight_scales);
/// Per channel, the smallest weight scale for which the int32 bias stays within 2^30 (room for the
/// accumulator beside it).
std::vector<float> least_weight_scale(std::span<const float> bias, float activation_scale);

/// 10·log10(Σ reference² / Σ (reference − value)²) in dB, summed in double; +infinity when equal,
/// -infinity for a zero reference.
double sqnr_db(std::span<const float> reference, std::span<const float> value);

bool all_finite(std::span<const float> values);

}  // namespace ingot::quant
