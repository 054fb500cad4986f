// SPDX-License-Identifier: Apache-2.0
// Float constants as double and back: folds compute in double and round once.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/tensor.h"

namespace ingot::converters {

/// The elements of a float32, float64, float16 or bfloat16 tensor; nullopt for any other type.
std::optional<std::vector<double>> real_values(const TensorView& view);

/// `values` as a tensor of the float type `dtype`, each rounded once to nearest even.
Tensor rounded(DType dtype, Shape shape, std::span<const double> values);

/// The largest finite and the smallest normal value of a float type.
double largest(DType dtype);
double smallest_normal(DType dtype);

/// True when all `values` are finite and fit `dtype` without overflow.
bool fits(DType dtype, std::span<const double> values);

/// The one value of a constant with one element, of any float type or int32/int64; nullopt
/// otherwise.
std::optional<double> single_value(const TensorView& view);

}  // namespace ingot::converters
