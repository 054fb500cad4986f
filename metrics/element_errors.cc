// SPDX-License-Identifier: Apache-2.0
// Blocks of plain sums in fixed lanes (fast), compensated from block to block (exact): within a
// block of 256 products of float32 values at most eight of the 53 bits are lost.
#include "metrics/element_errors.h"

#include <algorithm>
#include <cmath>

#include "metrics/elements.h"

namespace ingot::metrics {
namespace {

constexpr std::int64_t kBlock = 256;
constexpr int kLanes = 4;

enum Term { kAbsError, kSquaredError, kSquaredReference, kSquaredCandidate, kProduct, kTerms };

/// The same NaN or the same infinity.
bool alike(double a, double b) { return (std::isnan(a) && std::isnan(b)) || a == b; }

struct Lanes {
  double sums[kTerms][kLanes] = {};
  double max_error[kLanes] = {}, max_reference[kLanes] = {}, max_candidate[kLanes] = {};
  /// Stays 0 while every value is finite: x - x is NaN for NaN and infinities.
  double poison[kLanes] = {};

  void add(int lane, double a, double b) {
    const double difference = a - b, error = std::fabs(difference);
    sums[kAbsError][lane] += error;
    sums[kSquaredError][lane] += difference * difference;
    sums[kSquaredReference][lane] += a * a;
    sums[kSquaredCandidate][lane] += b * b;
    sums[kProduct][lane] += a * b;
    max_error[lane] = max_error[lane] < error ? error : max_error[lane];
    const double size_a = std::fabs(a), size_b = std::fabs(b);
    max_reference[lane] = max_reference[lane] < size_a ? size_a : max_reference[lane];
    max_candidate[lane] = max_candidate[lane] < size_b ? size_b : max_candidate[lane];
    poison[lane] += (a - a) + (b - b);
  }
};

double largest(const double (&lanes)[kLanes]) { return *std::max_element(lanes, lanes + kLanes); }
double total(const double (&lanes)[kLanes]) {
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

}  // namespace

void ElementErrors::add_sums(const double (&sums)[5]) {
  abs_error_.add(sums[kAbsError]);
  squared_error_.add(sums[kSquaredError]);
  squared_reference_.add(sums[kSquaredReference]);
  squared_candidate_.add(sums[kSquaredCandidate]);
  product_.add(sums[kProduct]);
}

template <class A, class B>
void ElementErrors::add_block(const A& reference, const B& candidate, std::int64_t begin,
                              std::int64_t end, Places& places) {
  Lanes lanes;
  std::int64_t i = begin;
  for (; i + kLanes <= end; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane)
      lanes.add(lane, reference(i + lane), candidate(i + lane));
  }
  for (; i < end; ++i) lanes.add(0, reference(i), candidate(i));
  if (!(total(lanes.poison) == 0))
    return add_block_with_non_finite(reference, candidate, begin, end, places);

  finite_ += end - begin;
  double sums[kTerms];
  for (int term = 0; term < kTerms; ++term) sums[term] = total(lanes.sums[term]);
  add_sums(sums);
  max_reference_ = std::max(max_reference_, largest(lanes.max_reference));
  max_candidate_ = std::max(max_candidate_, largest(lanes.max_candidate));
  const double error = largest(lanes.max_error);
  if (error > max_error_) {
    max_error_ = error;
    for (i = begin; std::fabs(reference(i) - candidate(i)) != error;) ++i;
    places.largest_error = i;
  }
}

template <class A, class B>
void ElementErrors::add_block_with_non_finite(const A& reference, const B& candidate,
                                              std::int64_t begin, std::int64_t end,
                                              Places& places) {
  for (std::int64_t i = begin; i < end; ++i) {
    const double a = reference(i), b = candidate(i), difference = a - b,
                 error = std::fabs(difference);
    if (!std::isfinite(a) || !std::isfinite(b)) {
      if (alike(a, b)) {
        ++alike_;
      } else {
        ++unlike_;
        if (places.unlike < 0) places.unlike = i;
      }
      continue;
    }
    ++finite_;
    add_sums({error, difference * difference, a * a, b * b, a * b});
    max_reference_ = std::max(max_reference_, std::fabs(a));
    max_candidate_ = std::max(max_candidate_, std::fabs(b));
    if (error > max_error_) {
      max_error_ = error;
      places.largest_error = i;
    }
  }
}

template <class A, class B>
ElementErrors::Places ElementErrors::add_pairs(const A& reference, const B& candidate,
                                               std::int64_t count) {
  Places places;
  for (std::int64_t begin = 0; begin < count; begin += kBlock) {
    add_block(reference, candidate, begin, std::min(begin + kBlock, count), places);
  }
  return places;
}

ElementErrors::Places ElementErrors::add(const TensorView& reference, const TensorView& candidate) {
  const std::int64_t count = reference.count();
  INGOT_CHECK(candidate.count() == count);
  return with_elements(reference, [&](const auto& a) {
    return with_elements(candidate, [&](const auto& b) { return add_pairs(a, b, count); });
  });
}

void ElementErrors::merge(const ElementErrors& other) {
  finite_ += other.finite_;
  alike_ += other.alike_;
  unlike_ += other.unlike_;
  max_error_ = std::max(max_error_, other.max_error_);
  max_reference_ = std::max(max_reference_, other.max_reference_);
  max_candidate_ = std::max(max_candidate_, other.max_candidate_);
  abs_error_.merge(other.abs_error_);
  squared_error_.merge(other.squared_error_);
  squared_reference_.merge(other.squared_reference_);
  squared_candidate_.merge(other.squared_candidate_);
  product_.merge(other.product_);
}

}  // namespace ingot::metrics
