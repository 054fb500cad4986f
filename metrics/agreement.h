// SPDX-License-Identifier: Apache-2.0
// Metrics that count: how often reference and candidate decide alike.
#pragma once

#include <cstdint>
#include <optional>

#include "base/tensor.h"

namespace ingot::metrics {

/// Hits among decisions.
class Agreement {
 public:
  void add(bool agrees) {
    ++count_;
    hits_ += agrees ? 1 : 0;
  }
  void merge(const Agreement& other) {
    count_ += other.count_;
    hits_ += other.hits_;
  }
  std::int64_t count() const { return count_; }
  std::int64_t hits() const { return hits_; }
  /// hits / count; nothing when nothing was counted.
  std::optional<double> share() const;

 private:
  std::int64_t hits_ = 0, count_ = 0;
};

/// True when `view` has classes along its last axis: float, rank at least 1, at least 2 of them.
bool has_classes(const TensorView& view);
/// One decision per row of the last axis: is the largest element at the same index (ties: the
/// lowest; NaN smaller than any number)? Both float and of one shape with classes; throws kInternal
/// otherwise.
void add_top1(Agreement& agreement, const TensorView& reference, const TensorView& candidate);
/// One decision per line: is the CTC reading the same (ctc.h)? Throws kInput for shapes that are
/// not [T, C] or [N, T, C].
void add_text(Agreement& agreement, const TensorView& reference, const TensorView& candidate,
              std::int64_t blank);

/// Elements of two tensors of one type and shape that are not exactly equal (any type; floats by
/// their bits), and the first of them.
struct Unequal {
  std::int64_t count = 0;
  std::int64_t first = -1;
};
Unequal count_unequal(const TensorView& reference, const TensorView& candidate);

}  // namespace ingot::metrics
