// SPDX-License-Identifier: Apache-2.0
#include "metrics/metrics.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "metrics/element_errors.h"

namespace ingot::metrics {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double max_abs(const ElementErrors& errors) { return errors.max_abs_error(); }

double mean_abs(const ElementErrors& errors) {
  return errors.finite_count() == 0
             ? 0
             : errors.sum_abs_error() / static_cast<double>(errors.finite_count());
}

double max_rel(const ElementErrors& errors) {
  if (errors.max_abs_error() == 0) return 0;
  return errors.max_abs_error() / errors.max_abs_reference();  // a reference of zeros: infinite
}

double rmse(const ElementErrors& errors) {
  return errors.finite_count() == 0
             ? 0
             : std::sqrt(errors.sum_squared_error() / static_cast<double>(errors.finite_count()));
}

/// Squares of values around 1e-160 vanish: "no error" is judged by the largest error, never by the
/// sum.
bool squares_vanished(double sum, double largest) { return sum == 0 && largest != 0; }

double rel_l2(const ElementErrors& errors) {
  if (errors.max_abs_error() == 0) return 0;
  if (squares_vanished(errors.sum_squared_error(), errors.max_abs_error())) return kNan;
  if (errors.max_abs_reference() == 0) return kInfinity;
  return std::sqrt(errors.sum_squared_error() / errors.sum_squared_reference());
}

double cosine(const ElementErrors& errors) {
  const bool zero_reference = errors.max_abs_reference() == 0,
             zero_candidate = errors.max_abs_candidate() == 0;
  if (zero_reference || zero_candidate) return zero_reference && zero_candidate ? 1 : 0;
  const double norms =
      std::sqrt(errors.sum_squared_reference()) * std::sqrt(errors.sum_squared_candidate());
  if (norms == 0) return kNan;
  return std::clamp(errors.sum_product() / norms, -1.0, 1.0);
}

double sqnr(const ElementErrors& errors) {
  if (errors.max_abs_error() == 0) return kInfinity;
  if (squares_vanished(errors.sum_squared_error(), errors.max_abs_error())) return kNan;
  if (errors.max_abs_reference() == 0) return -kInfinity;
  return 10 * std::log10(errors.sum_squared_reference() / errors.sum_squared_error());
}

constexpr auto kLower = Direction::kLowerIsBetter;
constexpr auto kHigher = Direction::kHigherIsBetter;

constexpr Metric kMetrics[] = {
    {"max_abs", "max|a-b|", "output", kLower, Quantity::kNumber, 0, kInfinity, {}, max_abs},
    {"mean_abs", "mean|a-b|", "output", kLower, Quantity::kNumber, 0, kInfinity, {}, mean_abs},
    {"max_rel", "max|a-b| / max|a|", "", kLower, Quantity::kNumber, 0, kInfinity, 1e-3, max_rel},
    {"rmse", "sqrt(mean (a-b)^2)", "output", kLower, Quantity::kNumber, 0, kInfinity, {}, rmse},
    {"rel_l2", "|a-b|_2 / |a|_2", "", kLower, Quantity::kNumber, 0, kInfinity, {}, rel_l2},
    {"cosine", "a.b / (|a|_2 |b|_2)", "", kHigher, Quantity::kNumber, -1, 1, {}, cosine},
    {"sqnr",
     "10 log10(|a|_2^2 / |a-b|_2^2)",
     "dB",
     kHigher,
     Quantity::kNumber,
     -kInfinity,
     kInfinity,
     {},
     sqnr},
    {"top1",
     "share of rows whose largest element is at the same place",
     "",
     kHigher,
     Quantity::kNumber,
     0,
     1,
     {},
     nullptr},
    {"text",
     "share of lines that CTC reads alike",
     "",
     kHigher,
     Quantity::kNumber,
     0,
     1,
     {},
     nullptr},
    {"size",
     "bytes of the model with its weights",
     "B",
     kLower,
     Quantity::kBytes,
     0,
     kInfinity,
     {},
     nullptr},
    {"memory.peak",
     "peak resident memory of the process",
     "B",
     kLower,
     Quantity::kBytes,
     0,
     kInfinity,
     {},
     nullptr},
    {"load",
     "time until the model is ready to run",
     "s",
     kLower,
     Quantity::kSeconds,
     0,
     kInfinity,
     {},
     nullptr},
    {"first",
     "time of the first inference",
     "s",
     kLower,
     Quantity::kSeconds,
     0,
     kInfinity,
     {},
     nullptr},
    {"latency.p50",
     "median time of an inference",
     "s",
     kLower,
     Quantity::kSeconds,
     0,
     kInfinity,
     {},
     nullptr},
    {"latency.p95",
     "95th percentile of the times of an inference",
     "s",
     kLower,
     Quantity::kSeconds,
     0,
     kInfinity,
     {},
     nullptr},
    {"size.ratio",
     "size of the candidate / size of the reference",
     "",
     kLower,
     Quantity::kNumber,
     0,
     kInfinity,
     {},
     nullptr},
    {"latency.ratio",
     "median over pairs of processes of latency.p50 of the candidate / of the reference",
     "",
     kLower,
     Quantity::kNumber,
     0,
     kInfinity,
     {},
     nullptr},
};
constexpr std::size_t kComparisonMetrics = 9;

}  // namespace

std::span<const Metric> all_metrics() { return kMetrics; }
std::span<const Metric> comparison_metrics() { return all_metrics().first(kComparisonMetrics); }
std::span<const Metric> bench_metrics() { return all_metrics().subspan(kComparisonMetrics); }

const Metric* find_metric(std::string_view name) {
  const auto* found = std::find_if(std::begin(kMetrics), std::end(kMetrics),
                                   [&](const Metric& metric) { return metric.name == name; });
  return found == std::end(kMetrics) ? nullptr : found;
}

bool is_better(const Metric& metric, double a, double b) {
  if (std::isnan(a)) return false;
  if (std::isnan(b)) return true;
  return metric.direction == Direction::kLowerIsBetter ? a < b : a > b;
}

}  // namespace ingot::metrics
