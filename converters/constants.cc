// SPDX-License-Identifier: Apache-2.0
// Float constants as double and back.
#include "converters/constants.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace ingot::converters {
namespace {

/// double → float rounding to odd: a second rounding to a type at least two bits narrower then
/// gives what one rounding would.
float round_to_odd(double value) {
  const auto nearest = static_cast<float>(value);
  if (!std::isfinite(nearest) || static_cast<double>(nearest) == value) return nearest;
  const bool too_far = std::abs(static_cast<double>(nearest)) > std::abs(value);
  const float toward_zero = too_far ? std::nextafter(nearest, 0.0F) : nearest;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(toward_zero) | 1U);
}

std::uint16_t to_bfloat16(double value) {
  const auto bits = std::bit_cast<std::uint32_t>(round_to_odd(value));
  if (std::isnan(value)) return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

template <class T, class Convert>
void fill(Tensor& tensor, std::span<const double> values, Convert convert) {
  const std::span<T> out = tensor.as_mutable<T>();
  for (std::size_t i = 0; i < values.size(); ++i) out[i] = convert(values[i]);
}

template <class T>
double first_of(const TensorView& view) {
  T value;
  std::memcpy(&value, view.bytes.data(), sizeof(T));
  return static_cast<double>(value);
}

}  // namespace

std::optional<std::vector<double>> real_values(const TensorView& view) {
  if (!is_float(view.dtype)) return std::nullopt;
  if (view.dtype == DType::kDouble) {
    std::vector<double> values(static_cast<std::size_t>(view.count()));
    // The bytes of a mapped file need not be aligned.
    std::memcpy(values.data(), view.bytes.data(), values.size() * sizeof(double));
    return values;
  }
  const Tensor aligned = Tensor::copy_of(view);
  const std::vector<float> floats = to_floats(aligned.view());
  return std::vector<double>(floats.begin(), floats.end());
}

Tensor rounded(DType dtype, Shape shape, std::span<const double> values) {
  Tensor tensor = Tensor::zeros(dtype, std::move(shape));
  INGOT_CHECK(tensor.count() == static_cast<std::int64_t>(values.size()));
  switch (dtype) {
    case DType::kFloat:
      fill<float>(tensor, values, [](double v) { return static_cast<float>(v); });
      break;
    case DType::kDouble:
      fill<double>(tensor, values, [](double v) { return v; });
      break;
    case DType::kFloat16:
      fill<std::uint16_t>(tensor, values, [](double v) { return float_to_half(round_to_odd(v)); });
      break;
    default:
      INGOT_CHECK(dtype == DType::kBfloat16);
      fill<std::uint16_t>(tensor, values, to_bfloat16);
  }
  return tensor;
}

double largest(DType dtype) {
  switch (dtype) {
    case DType::kDouble:
      return std::numeric_limits<double>::max();
    case DType::kFloat16:
      return 65504.0;
    case DType::kBfloat16:
      return std::ldexp(255.0, 120);
    default:
      return static_cast<double>(std::numeric_limits<float>::max());
  }
}

double smallest_normal(DType dtype) {
  switch (dtype) {
    case DType::kDouble:
      return std::numeric_limits<double>::min();
    case DType::kFloat16:
      return std::ldexp(1.0, -14);
    default:
      return static_cast<double>(std::numeric_limits<float>::min());
  }
}

bool fits(DType dtype, std::span<const double> values) {
  const double limit = largest(dtype);
  for (const double value : values) {
    if (!(std::abs(value) <= limit)) return false;
  }
  return true;
}

std::optional<double> single_value(const TensorView& view) {
  if (view.count() != 1) return std::nullopt;
  if (view.dtype == DType::kInt64) return first_of<std::int64_t>(view);
  if (view.dtype == DType::kInt32) return first_of<std::int32_t>(view);
  const auto values = real_values(view);
  if (!values) return std::nullopt;
  return values->front();
}

}  // namespace ingot::converters
