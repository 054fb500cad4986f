// SPDX-License-Identifier: Apache-2.0
// Streamed statistics of one activation tensor and the ranges made from them. Counts are integers
// over bins whose width is a power of two, so adding in any order and merging in any grouping gives
// the same state, bit for bit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quant/affine.h"

namespace ingot::quant {

class RangeObserver {
 public:
  /// Bins on each side of zero. Bin k holds [k·2^e, (k+1)·2^e); e grows by merging neighbours when
  /// a value does not fit.
  static constexpr int kBinsPerSide = 2048;

  /// Adds every element. NaN and infinities are counted apart and left out. O(n).
  void add(std::span<const float> values);
  /// Adds what `other` has seen. The same state as one observer that saw both, in either order.
  void merge(const RangeObserver& other);

  std::uint64_t count() const { return count_; }            ///< finite elements seen
  std::uint64_t not_finite() const { return not_finite_; }  ///< NaN and infinite elements seen
  bool constant() const { return count_ == 0 || min_ == max_; }

  /// [min, max] of all finite elements, widened to contain 0.
  Range min_max() const;
  /// The range of least expected squared error for `levels` uniform levels: clipped mass costs its
  /// squared distance to the border, mass inside costs step²/12, exact zeros nothing. Borders are
  /// searched on a grid of kGrid fractions of min and max each.
  Range least_squares(int levels = 256) const;

 private:
  static constexpr int kGrid = 48;
  static constexpr int kUnset = -1000;

  void grow_to(int exponent);
  std::vector<double> clip_cost(float limit, std::span<const double> borders) const;

  int exponent_ = kUnset;            ///< e: the width of a bin is 2^e
  std::vector<std::uint64_t> bins_;  ///< 2·kBinsPerSide counts; the first is the most negative bin
  std::uint64_t count_ = 0, zeros_ = 0, not_finite_ = 0;
  float min_ = 0, max_ = 0;
};

}  // namespace ingot::quant
