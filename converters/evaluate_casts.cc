// SPDX-License-Identifier: Apache-2.0
// Cast, where every runtime agrees on the result: floats that fit the integer, integers wrapped,
// one rounding.
#include <cmath>
#include <limits>
#include <type_traits>

#include "converters/evaluators.h"
#include "graph/model.h"

namespace ingot::converters {
namespace {

/// False when C++ leaves the value open, or runtimes differ.
template <class From, class To>
bool convert_value(From from, To& to) {
  if constexpr (std::is_same_v<To, bool>) {
    to = from != From{};
    return true;
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    const auto limit = std::ldexp(From{1}, std::numeric_limits<To>::digits);
    if (!(from > (std::is_signed_v<To> ? -limit : From{-1}) && from < limit)) return false;
    to = static_cast<To>(from);
    return true;
  } else {
    to = static_cast<To>(from);
    return true;
  }
}

template <class From, class To>
Results cast_values(const TensorView& source) {
  Tensor out = Tensor::zeros(dtype_of<To>(), source.shape);
  const auto count = static_cast<std::size_t>(source.count());
  for (std::size_t i = 0; i < count; ++i) {
    To converted{};
    if (!convert_value(element<From>(source, i), converted)) return std::nullopt;
    set_element(out, i, converted);
  }
  return only(std::move(out));
}

template <class From>
Results cast_from(const TensorView& source, DType to) {
  switch (to) {
    case DType::kBool:
      return cast_values<From, bool>(source);
    case DType::kInt8:
      return cast_values<From, std::int8_t>(source);
    case DType::kUint8:
      return cast_values<From, std::uint8_t>(source);
    case DType::kInt32:
      return cast_values<From, std::int32_t>(source);
    case DType::kInt64:
      return cast_values<From, std::int64_t>(source);
    case DType::kFloat:
      return cast_values<From, float>(source);
    case DType::kDouble:
      return cast_values<From, double>(source);
    default:
      return std::nullopt;
  }
}

Tensor floats_to_halves(const TensorView& source) {
  Tensor out = Tensor::zeros(DType::kFloat16, source.shape);
  for (std::size_t i = 0; i < static_cast<std::size_t>(source.count()); ++i) {
    set_element(out, i, float_to_half(element<float>(source, i)));
  }
  return out;
}

Tensor halves_to_floats(const TensorView& source) {
  Tensor out = Tensor::zeros(DType::kFloat, source.shape);
  for (std::size_t i = 0; i < static_cast<std::size_t>(source.count()); ++i) {
    set_element(out, i, half_to_float(element<std::uint16_t>(source, i)));
  }
  return out;
}

}  // namespace

Results evaluate_cast(const Call& call) {
  const TensorView& source = call.inputs[0];
  const auto to = static_cast<DType>(graph::int_attribute(call.node, "to", 0));
  if (to == source.dtype) return only(Tensor::copy_of(source));
  const bool wider = dtype_bits(to) > dtype_bits(source.dtype);
  if (wider && !fits_bytes(to, source.shape, graph::kInlineBytes - 1)) return std::nullopt;
  if (source.dtype == DType::kFloat && to == DType::kFloat16) return only(floats_to_halves(source));
  if (source.dtype == DType::kFloat16 && to == DType::kFloat) return only(halves_to_floats(source));
  switch (source.dtype) {
    case DType::kBool:
      return cast_from<bool>(source, to);
    case DType::kInt8:
      return cast_from<std::int8_t>(source, to);
    case DType::kUint8:
      return cast_from<std::uint8_t>(source, to);
    case DType::kInt32:
      return cast_from<std::int32_t>(source, to);
    case DType::kInt64:
      return cast_from<std::int64_t>(source, to);
    case DType::kFloat:
      return cast_from<float>(source, to);
    case DType::kDouble:
      return cast_from<double>(source, to);
    default:
      return std::nullopt;
  }
}

}  // namespace ingot::converters
