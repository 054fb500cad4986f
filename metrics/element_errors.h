// SPDX-License-Identifier: Apache-2.0
// One pass over two float tensors that gathers what every element-wise metric needs, whatever their
// number.
#pragma once

#include <cstdint>

#include "base/tensor.h"
#include "metrics/compensated_sum.h"

namespace ingot::metrics {

/// Streaming sums over pairs (a, b) = (reference, candidate). NaN and infinities never enter a sum:
/// where both hold the same one they count as alike, otherwise as unlike. The sums are exact to a
/// few units in the last place for any number of elements; squares leave the range of double beyond
/// about 1e±150, where the metrics built on them become NaN or infinite (never a false "equal").
class ElementErrors {
 public:
  /// Where something was found in the tensors of one add(): flat index, -1 = nowhere.
  struct Places {
    std::int64_t largest_error =
        -1;                    ///< the first element with the largest |a-b|; -1 when all are equal
    std::int64_t unlike = -1;  ///< the first element whose NaN or infinity the other does not have
  };

  /// Adds all elements of two float tensors (float32, float64, float16, bfloat16, also mixed) of
  /// equal count. O(elements), no copy. Throws kInternal for other types or unequal counts.
  Places add(const TensorView& reference, const TensorView& candidate);
  /// As if the pairs of `other` had been added after these; equal to the single pass up to the last
  /// bits of the sums.
  void merge(const ElementErrors& other);

  std::int64_t count() const { return finite_ + alike_ + unlike_; }
  std::int64_t finite_count() const { return finite_; }
  std::int64_t non_finite_alike() const { return alike_; }
  std::int64_t non_finite_unlike() const { return unlike_; }

  double max_abs_error() const { return max_error_; }
  double max_abs_reference() const { return max_reference_; }
  double max_abs_candidate() const { return max_candidate_; }
  double sum_abs_error() const { return abs_error_.value(); }
  double sum_squared_error() const { return squared_error_.value(); }
  double sum_squared_reference() const { return squared_reference_.value(); }
  double sum_squared_candidate() const { return squared_candidate_.value(); }
  double sum_product() const { return product_.value(); }

 private:
  template <class A, class B>
  Places add_pairs(const A& reference, const B& candidate, std::int64_t count);
  template <class A, class B>
  void add_block(const A& reference, const B& candidate, std::int64_t begin, std::int64_t end,
                 Places& places);
  template <class A, class B>
  void add_block_with_non_finite(const A& reference, const B& candidate, std::int64_t begin,
                                 std::int64_t end, Places& places);
  void add_sums(const double (&sums)[5]);

  std::int64_t finite_ = 0, alike_ = 0, unlike_ = 0;
  double max_error_ = 0, max_reference_ = 0, max_candidate_ = 0;
  CompensatedSum abs_error_, squared_error_, squared_reference_, squared_candidate_, product_;
};

}  // namespace ingot::metrics
