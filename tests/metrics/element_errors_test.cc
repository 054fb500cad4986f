// SPDX-License-Identifier: Apache-2.0
#include "metrics/element_errors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "metrics/metrics.h"

namespace ingot::metrics {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Tensor floats(const std::vector<float>& values) {
  return Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values);
}

ElementErrors errors_of(const std::vector<float>& a, const std::vector<float>& b) {
  ElementErrors errors;
  errors.add(floats(a).view(), floats(b).view());
  return errors;
}

double value(std::string_view metric, const ElementErrors& errors) {
  return find_metric(metric)->of_errors(errors);
}

std::vector<float> noise(std::size_t count, unsigned seed) {
  std::mt19937 bits(seed);
  std::vector<float> values(count);
  for (float& x : values) x = static_cast<float>(bits()) * 0x1p-31F - 1.0F;
  return values;
}

TEST(ElementErrors, MetricsAreTheirClosedForms) {
  // a - b = (1, 0, -2, 0); |a|^2 = 9 + 0 + 16 + 0; |b|^2 = 4 + 0 + 36 + 0; a.b = 6 + 24.
  const ElementErrors errors = errors_of({3, 0, -4, 0}, {2, 0, -6, 0});
  EXPECT_EQ(value("max_abs", errors), 2);
  EXPECT_EQ(value("mean_abs", errors), 0.75);
  EXPECT_EQ(value("max_rel", errors), 0.5);
  EXPECT_DOUBLE_EQ(value("rmse", errors), std::sqrt(5.0 / 4));
  EXPECT_DOUBLE_EQ(value("rel_l2", errors), std::sqrt(5.0) / 5);
  EXPECT_DOUBLE_EQ(value("cosine", errors), 30 / (5 * std::sqrt(40.0)));
  EXPECT_DOUBLE_EQ(value("sqnr", errors), 10 * std::log10(25.0 / 5));
}

TEST(ElementErrors, EqualTensorsAreWithoutError) {
  const ElementErrors errors = errors_of({1, -2, 3}, {1, -2, 3});
  for (const char* metric : {"max_abs", "mean_abs", "max_rel", "rmse", "rel_l2"}) {
    EXPECT_EQ(value(metric, errors), 0) << metric;
  }
  EXPECT_DOUBLE_EQ(value("cosine", errors), 1);
  EXPECT_EQ(value("sqnr", errors), kInf);
}

TEST(ElementErrors, TwoZeroTensorsHaveCosineOne) {
  EXPECT_EQ(value("cosine", errors_of({0, 0}, {0, -0.0F})), 1);
  EXPECT_EQ(value("cosine", errors_of({0, 0}, {0, 1})), 0);
  EXPECT_EQ(value("cosine", errors_of({1, 0}, {0, 0})), 0);
  EXPECT_EQ(value("cosine", errors_of({}, {})), 1);
}

TEST(ElementErrors, ZeroReferenceMakesRelativeErrorsInfinite) {
  const ElementErrors errors = errors_of({0, 0}, {0, 1e-30F});
  EXPECT_EQ(value("max_rel", errors), kInf);
  EXPECT_EQ(value("rel_l2", errors), kInf);
  EXPECT_EQ(value("sqnr", errors), -kInf);
}

TEST(ElementErrors, AlikeNonFiniteValuesAreLeftOut) {
  const ElementErrors errors = errors_of({kNan, kInf, -kInf, 1, 2}, {kNan, kInf, -kInf, 1, 3});
  EXPECT_EQ(errors.non_finite_alike(), 3);
  EXPECT_EQ(errors.non_finite_unlike(), 0);
  EXPECT_EQ(errors.finite_count(), 2);
  EXPECT_EQ(value("mean_abs", errors), 0.5);
  EXPECT_EQ(value("max_abs", errors), 1);
}

TEST(ElementErrors, UnlikeNonFiniteValuesAreCountedAndPlaced) {
  ElementErrors errors;
  const auto places =
      errors.add(floats({1, kNan, kInf, kInf, 5}).view(), floats({1, 0, -kInf, kInf, kInf}).view());
  EXPECT_EQ(errors.non_finite_unlike(), 3);
  EXPECT_EQ(errors.non_finite_alike(), 1);
  EXPECT_EQ(places.unlike, 1);
  EXPECT_EQ(places.largest_error, -1);
  EXPECT_EQ(value("max_abs", errors), 0);
}

TEST(ElementErrors, PlaceOfTheLargestErrorIsTheFirst) {
  std::vector<float> a(1000, 1.0F), b = a;
  b[700] = 3;
  b[901] = -1;
  ElementErrors errors;
  EXPECT_EQ(errors.add(floats(a).view(), floats(b).view()).largest_error, 700);
}

TEST(ElementErrors, MergeEqualsTheSinglePass) {
  const std::vector<float> a = noise(4999, 1), b = noise(4999, 2);
  ElementErrors whole;
  whole.add(floats(a).view(), floats(b).view());
  ElementErrors left = errors_of({a.begin(), a.begin() + 1234}, {b.begin(), b.begin() + 1234});
  left.merge(errors_of({a.begin() + 1234, a.end()}, {b.begin() + 1234, b.end()}));
  EXPECT_EQ(left.count(), whole.count());
  for (const Metric& metric : comparison_metrics()) {
    if (metric.of_errors == nullptr) continue;
    EXPECT_DOUBLE_EQ(metric.of_errors(left), metric.of_errors(whole)) << metric.name;
  }
}

TEST(ElementErrors, SumsAgreeWithLongDoubleForManyElements) {
  const std::vector<float> a = noise(300000, 3), b = noise(300000, 4);
  long double squared = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const long double d = static_cast<long double>(a[i]) - b[i];
    squared += d * d;
  }
  // A few units in the last place, whatever the number of elements; a plain sum is off by hundreds.
  const double exact = static_cast<double>(squared);
  EXPECT_NEAR(errors_of(a, b).sum_squared_error(), exact, 2e-15 * exact);
}

TEST(ElementErrors, ManySmallTermsAreNotLostBesideALargeOne) {
  ElementErrors errors;
  errors.add(floats({1e9F}).view(), floats({0}).view());
  const std::vector<float> ones(1000, 1.0F), zeros(1000, 0.0F);
  for (int i = 0; i < 1000; ++i) errors.add(floats(ones).view(), floats(zeros).view());
  EXPECT_EQ(errors.sum_squared_error(), 1e18 + 1e6);
}

TEST(ElementErrors, HalvesAndDoublesAreComparedByValue) {
  const std::vector<std::uint16_t> halves{float_to_half(1.5F), float_to_half(-2.0F)};
  Tensor half = Tensor::of<std::uint16_t>({2}, halves);
  half.dtype = DType::kFloat16;
  ElementErrors errors;
  errors.add(half.view(), Tensor::of<double>({2}, std::vector<double>{1.25, -2.0}).view());
  EXPECT_EQ(errors.max_abs_error(), 0.25);
}

TEST(ElementErrors, VanishedSquaresAreNeverTakenForEquality) {
  const Tensor a = Tensor::of<double>({1}, std::vector<double>{1e-200});
  const Tensor b = Tensor::of<double>({1}, std::vector<double>{2e-200});
  ElementErrors errors;
  errors.add(a.view(), b.view());
  EXPECT_DOUBLE_EQ(value("max_rel", errors), 1);
  EXPECT_TRUE(std::isnan(value("rel_l2", errors)));
  EXPECT_TRUE(std::isnan(value("cosine", errors)));
}

}  // namespace
}  // namespace ingot::metrics
