// SPDX-License-Identifier: Apache-2.0
// The values of a float32 weight at an address where they can be read: a model file puts large
// weights anywhere (graph/model.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/tensor.h"

namespace ingot::quant {

/// Copies only where the weight lies unfit. Valid as long as the view and this object.
class WeightValues {
 public:
  /// Throws kInternal unless the weight is float32.
  explicit WeightValues(const TensorView& view) {
    if (reinterpret_cast<std::uintptr_t>(view.bytes.data()) % alignof(float) == 0) {
      values_ = view.as<float>();
    } else {
      copy_ = to_floats(view);
      values_ = copy_;
    }
  }
  WeightValues(const WeightValues&) = delete;
  WeightValues& operator=(const WeightValues&) = delete;

  std::span<const float> get() const { return values_; }

 private:
  std::vector<float> copy_;
  std::span<const float> values_;
};

}  // namespace ingot::quant
