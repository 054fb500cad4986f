// SPDX-License-Identifier: Apache-2.0
// A sum whose error does not grow with the number of terms.
#pragma once

#include <cmath>

namespace ingot::metrics {

/// Compensated summation after A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation
/// endlicher Summen", ZAMM 54 (1974): the rounding error of every addition is kept and added at the
/// end. Finite terms only.
class CompensatedSum {
 public:
  void add(double term) {
    const double next = sum_ + term;
    lost_ += std::fabs(sum_) >= std::fabs(term) ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
  }
  /// As if the terms of `other` had been added here.
  void merge(const CompensatedSum& other) {
    add(other.sum_);
    lost_ += other.lost_;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0, lost_ = 0;
};

}  // namespace ingot::metrics
