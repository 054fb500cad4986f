// SPDX-License-Identifier: Apache-2.0
#include "quant/affine.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ingot::quant {
namespace {

constexpr float kInt8Limit = 127;
// QuantizeLinear divides by the scale: a subnormal one would overflow to infinity.
constexpr float kSmallestScale = std::numeric_limits<float>::min();

double round_half_even(double value) { return std::nearbyint(value); }

}  // namespace

ActivationParams uint8_params(Range range) {
  const double low = std::min(0.0, static_cast<double>(range.min));
  const double high = std::max(0.0, static_cast<double>(range.max));
  if (high == low) return {};
  ActivationParams params;
  params.scale = std::max(static_cast<float>((high - low) / 255.0), kSmallestScale);
  const double zero = round_half_even(-low / static_cast<double>(params.scale));
  params.zero_point = static_cast<std::uint8_t>(std::clamp(zero, 0.0, 255.0));
  return params;
}

ChannelLayout ChannelLayout::along(const Shape& shape, std::size_t axis) {
  INGOT_CHECK(axis < shape.size());
  ChannelLayout layout;
  layout.scale_shape.assign(shape.size(), 1);
  layout.scale_shape[axis] = shape[axis];
  layout.channels = shape[axis];
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i < axis) layout.outer *= shape[i];
    if (i > axis) layout.inner *= shape[i];
  }
  return layout;
}

ChannelLayout ChannelLayout::rows(const Shape& shape) {
  INGOT_CHECK(!shape.empty());
  ChannelLayout layout;
  layout.scale_shape = shape;
  layout.scale_shape.back() = 1;
  layout.inner = shape.back();
  for (std::size_t i = 0; i + 1 < shape.size(); ++i) layout.channels *= shape[i];
  return layout;
}

ChannelWeights quantize_weights(std::span<const float> weights, const ChannelLayout& layout,
                                std::span<const float> least_scale) {
  const auto channels = static_cast<std::size_t>(layout.channels);
  const auto inner = static_cast<std::size_t>(layout.inner);
  INGOT_CHECK(weights.size() == static_cast<std::size_t>(layout.outer) * channels * inner);
  INGOT_CHECK(least_scale.empty() || least_scale.size() == channels);
  std::vector<float> largest(channels, 0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    float& top = largest[i / inner % channels];
    top = std::max(top, std::abs(weights[i]));
  }
  ChannelWeights result;
  result.scales.resize(channels);
  for (std::size_t c = 0; c < channels; ++c) {
    const float scale = largest[c] == 0 ? 1.0F : std::max(largest[c] / kInt8Limit, kSmallestScale);
    result.scales[c] = least_scale.empty() ? scale : std::max(scale, least_scale[c]);
  }
  result.values.resize(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const float q = std::nearbyint(weights[i] / result.scales[i / inner % channels]);
    result.values[i] = static_cast<std::int8_t>(std::clamp(q, -kInt8Limit, kInt8Limit));
  }
  return result;
}

std::vector<float> dequantize_weights(const ChannelWeights& quantized,
                                      const ChannelLayout& layout) {
  const auto channels = static_cast<std::size_t>(layout.channels);
  const auto inner = static_cast<std::size_t>(layout.inner);
  std::vector<float> result(quantized.values.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = static_cast<float>(quantized.values[i]) * quantized.scales[i / inner % channels];
  }
  return result;
}

std::vector<std::int32_t> quantize_bias(std::span<const float> bias, float activation_scale,
                                        std::span<const float> weight_scales) {
  INGOT_CHECK(bias.size() == weight_scales.size());
  std::vector<std::int32_t> result(bias.size());
  for (std::size_t c = 0; c < bias.size(); ++c) {
    // The product is rounded to float32 first: that is the scale the model carries.
    const double scale = static_cast<double>(activation_scale * weight_scales[c]);
    const double q = round_half_even(static_cast<double>(bias[c]) / scale);
    constexpr double kBound = std::numeric_limits<std::int32_t>::max();
    result[c] = static_cast<std::int32_t>(std::clamp(q, -kBound, kBound));
  }
  return result;
}

std::vector<float> least_weight_scale(std::span<const float> bias, float activation_scale) {
  constexpr double kBound = 1 << 30;
  std::vector<float> result(bias.size());
  for (std::size_t c = 0; c < bias.size(); ++c) {
    const double least =
        std::abs(static_cast<double>(bias[c])) / (kBound * static_cast<double>(activation_scale));
    // activation_scale * result must not underflow to zero either.
    const double floor =
        static_cast<double>(kSmallestScale) / static_cast<double>(activation_scale);
    result[c] = static_cast<float>(std::max({least, floor, static_cast<double>(kSmallestScale)}));
  }
  return result;
}

double sqnr_db(std::span<const float> reference, std::span<const float> value) {
  INGOT_CHECK(reference.size() == value.size());
  double signal = 0, noise = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const double r = static_cast<double>(reference[i]);
    const double d = r - static_cast<double>(value[i]);
    signal += r * r;
    noise += d * d;
  }
  if (noise == 0) return std::numeric_limits<double>::infinity();
  if (signal == 0) return -std::numeric_limits<double>::infinity();
  return 10 * std::log10(signal / noise);
}

bool all_finite(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
}

}  // namespace ingot::quant
