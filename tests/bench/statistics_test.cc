// SPDX-License-Identifier: Apache-2.0
#include "bench/statistics.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/error.h"

namespace ingot::bench {
namespace {

TEST(Quantile, OfOneToHundredAndOneIsTheRank) {
  std::vector<double> values(101);
  std::iota(values.begin(), values.end(), 1.0);
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 51);
  EXPECT_DOUBLE_EQ(quantile(values, 0.95), 96);
  EXPECT_DOUBLE_EQ(quantile(values, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(values, 1), 101);
}

// numpy 2: numpy.quantile([4, 1, 3, 2], [0.5, 0.95, 0.1]) is [2.5, 3.85, 1.3].
TEST(Quantile, InterpolatesBetweenRanksAsNumpyDoes) {
  const std::vector<double> values{4, 1, 3, 2};
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile(values, 0.95), 3.85);
  EXPECT_DOUBLE_EQ(quantile(values, 0.1), 1.3);
}

TEST(Quantile, OfOneValueIsThatValue) {
  const std::vector<double> values{7};
  EXPECT_EQ(quantile(values, 0.95), 7);
  EXPECT_EQ(median(values), 7);
}

TEST(Quantile, OfNothingIsOurBug) {
  EXPECT_THROW(quantile({}, 0.5), Error);
  EXPECT_THROW(quantile(std::vector<double>{1}, 1.5), Error);
}

TEST(MedianOfRatios, ForgivesADisturbanceThatMetBothOfAPair) {
  // The machine was ten times slower during the second pair.
  const std::vector<double> reference{10, 100, 12}, candidate{5, 50, 9};
  EXPECT_DOUBLE_EQ(median_of_ratios(candidate, reference), 0.5);
}

TEST(MedianOfRatios, IsTheMiddleOfThePairsNotTheRatioOfTheMiddles) {
  const std::vector<double> reference{1, 2, 10}, candidate{5, 1, 4};  // pairs: 5, 0.5, 0.4
  EXPECT_DOUBLE_EQ(median_of_ratios(candidate, reference), 0.5);
  EXPECT_DOUBLE_EQ(median(candidate) / median(reference), 2);
}

TEST(MedianOfRatios, OfUnequalNumbersOrZeroIsOurBug) {
  const std::vector<double> one{1}, two{1, 2}, zero{0};
  EXPECT_THROW(median_of_ratios(one, two), Error);
  EXPECT_THROW(median_of_ratios(one, zero), Error);
}

}  // namespace
}  // namespace ingot::bench
