// SPDX-License-Identifier: Apache-2.0
#include "quant/range_observer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace ingot::quant {
namespace {

std::vector<float> normal_values(std::size_t count, unsigned seed, float deviation = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, deviation);
  std::vector<float> values(count);
  for (float& v : values) v = normal(random);
  return values;
}

void expect_same_ranges(const RangeObserver& a, const RangeObserver& b) {
  EXPECT_EQ(a.count(), b.count());
  EXPECT_EQ(a.min_max().min, b.min_max().min);
  EXPECT_EQ(a.min_max().max, b.min_max().max);
  EXPECT_EQ(a.least_squares().min, b.least_squares().min);
  EXPECT_EQ(a.least_squares().max, b.least_squares().max);
}

TEST(RangeObserver, FindsMinimumAndMaximumWithZeroInside) {
  RangeObserver observer;
  observer.add(std::vector<float>{2, 7, 3});
  EXPECT_EQ(observer.min_max().min, 0);
  EXPECT_EQ(observer.min_max().max, 7);
}

TEST(RangeObserver, LeavesOutWhatIsNotFinite) {
  RangeObserver observer;
  observer.add(std::vector<float>{1, std::nanf(""), std::numeric_limits<float>::infinity(), -1});
  EXPECT_EQ(observer.not_finite(), 2U);
  EXPECT_EQ(observer.count(), 2U);
  EXPECT_EQ(observer.min_max().max, 1);
}

TEST(RangeObserver, IsEmptyAtFirst) {
  const RangeObserver observer;
  EXPECT_EQ(observer.least_squares().max, 0);
  EXPECT_TRUE(observer.constant());
}

// Values of growing magnitude force the bins to widen several times; the order must not matter, bit
// for bit.
TEST(RangeObserver, GivesTheSameForAnyOrderAndGrouping) {
  std::vector<float> values = normal_values(5000, 1, 1e-3F);
  for (const float v : normal_values(500, 2, 1)) values.push_back(v);
  for (const float v : normal_values(50, 3, 100)) values.push_back(v);
  RangeObserver at_once;
  at_once.add(values);
  RangeObserver one_by_one;
  for (std::size_t i = 0; i < values.size(); i += 37) {
    one_by_one.add(std::span(values).subspan(i, std::min<std::size_t>(37, values.size() - i)));
  }
  expect_same_ranges(at_once, one_by_one);
  std::reverse(values.begin(), values.end());
  RangeObserver first, second;
  first.add(std::span(values).first(700));
  second.add(std::span(values).subspan(700));
  RangeObserver merged;
  merged.merge(second);
  merged.merge(first);
  expect_same_ranges(at_once, merged);
}

/// Squared error of quantizing `values` to 256 levels over `range`, element by element in double:
/// what least_squares estimates from bins.
double error_of(const std::vector<float>& values, Range range) {
  const double step = (static_cast<double>(range.max) - static_cast<double>(range.min)) / 255;
  const double zero = std::nearbyint(-static_cast<double>(range.min) / step);
  double error = 0;
  for (const float v : values) {
    const double q = std::clamp(std::nearbyint(static_cast<double>(v) / step) + zero, 0.0, 255.0);
    const double d = static_cast<double>(v) - (q - zero) * step;
    error += d * d;
  }
  return error;
}

// With n values inside and one at 40, d/dh [n (h + l)² / (12 · 255²) + (40 − h)²] = 0 at h = (40 −
// a l) / (1 + a), a = n / (12 · 255²).
TEST(LeastSquares, ClipsARareOutlierAsTheClosedFormSays) {
  std::vector<float> values = normal_values(100000, 4);
  values.push_back(40);
  RangeObserver observer;
  observer.add(values);
  const Range range = observer.least_squares();
  const double a = 100000 / (12.0 * 255 * 255);
  const double best = (40 + a * static_cast<double>(range.min)) / (1 + a);
  EXPECT_NEAR(static_cast<double>(range.max), best, 40.0 / 48) << "the grid's step";
  EXPECT_LT(error_of(values, range), error_of(values, observer.min_max()));
}

TEST(LeastSquares, IsNearTheBestOfABruteForceSearch) {
  const std::vector<float> values = normal_values(20000, 5);
  RangeObserver observer;
  observer.add(values);
  double best = std::numeric_limits<double>::infinity();
  for (float limit = 1; limit < 5; limit += 0.05F)
    best = std::min(best, error_of(values, {-limit, limit}));
  EXPECT_LT(error_of(values, observer.least_squares()), 1.1 * best);
}

TEST(LeastSquares, KeepsAUniformRangeWhole) {
  std::vector<float> values(1001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) / 1000;
  RangeObserver observer;
  observer.add(values);
  EXPECT_EQ(observer.least_squares().min, 0);
  EXPECT_GE(observer.least_squares().max, 0.97F);
}

}  // namespace
}  // namespace ingot::quant
