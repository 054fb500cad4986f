// SPDX-License-Identifier: Apache-2.0
// Reading the elements of any float tensor as double, without a copy. For the .cc files of this
// folder.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>

#include "base/tensor.h"

namespace ingot::metrics {

/// element(i) as double, over elements of T converted by Convert.
template <class T, auto Convert>
struct Elements {
  const T* data;
  double operator()(std::int64_t i) const { return static_cast<double>(Convert(data[i])); }
};

inline float same_float(float value) { return value; }
inline double same_double(double value) { return value; }

using FloatElements = Elements<float, same_float>;
using DoubleElements = Elements<double, same_double>;
using HalfElements = Elements<std::uint16_t, half_to_float>;
using Bfloat16Elements = Elements<std::uint16_t, bfloat16_to_float>;

/// Calls `use` with the reader of `view`'s elements. Throws kInternal when the type is not a float
/// type.
template <class Use>
decltype(auto) with_elements(const TensorView& view, Use&& use) {
  const auto* data = view.bytes.data();
  switch (view.dtype) {
    case DType::kFloat:
      return std::forward<Use>(use)(FloatElements{reinterpret_cast<const float*>(data)});
    case DType::kDouble:
      return std::forward<Use>(use)(DoubleElements{reinterpret_cast<const double*>(data)});
    case DType::kFloat16:
      return std::forward<Use>(use)(HalfElements{reinterpret_cast<const std::uint16_t*>(data)});
    default:
      INGOT_CHECK(view.dtype == DType::kBfloat16);
      return std::forward<Use>(use)(Bfloat16Elements{reinterpret_cast<const std::uint16_t*>(data)});
  }
}

/// Index of the largest of element(begin) … element(end - 1), relative to `begin`; ties: the
/// lowest; NaN smaller than any number.
template <class Reader>
std::int64_t argmax(const Reader& element, std::int64_t begin, std::int64_t end) {
  std::int64_t best = begin;
  double largest = element(begin);
  for (std::int64_t i = begin + 1; i < end; ++i) {
    const double value = element(i);
    if (value > largest || (largest != largest && value == value)) {
      largest = value;
      best = i;
    }
  }
  return best - begin;
}

}  // namespace ingot::metrics
