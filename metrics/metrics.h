// SPDX-License-Identifier: Apache-2.0
// The table of metrics: what each is called, what it is, which way is better. It feeds limits,
// reports and documents.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace ingot::metrics {

class ElementErrors;

enum class Direction { kLowerIsBetter, kHigherIsBetter };
/// How a value is written and read: a plain number, "6MiB", or "20ms".
enum class Quantity { kNumber, kBytes, kSeconds };

/// One row. Values of kBytes are bytes, of kSeconds seconds.
struct Metric {
  std::string_view name;
  std::string_view formula;  ///< a: reference, b: candidate
  std::string_view unit;     ///< "" for ratios; "output" = the unit of the model's output
  Direction direction;
  Quantity quantity;
  double least, most;                       ///< values a limit may have
  std::optional<double> default_tolerance;  ///< verify's, where the user names none
  /// The value over all pairs so far; nullptr for metrics that are not sums over elements. No
  /// elements: as for equal zeros.
  double (*of_errors)(const ElementErrors&);
};

/// All rows in display order; those that compare two models first.
std::span<const Metric> all_metrics();
/// max_abs … text: reference against candidate.
std::span<const Metric> comparison_metrics();
/// size, memory.peak, load, first, latency.p50, latency.p95: one model, measured; and size.ratio,
/// latency.ratio: two models, measured side by side.
std::span<const Metric> bench_metrics();
/// The row called `name`; nullptr when there is none.
const Metric* find_metric(std::string_view name);

/// True when `a` is strictly better than `b`. NaN is never better and always worse than a number.
bool is_better(const Metric& metric, double a, double b);

}  // namespace ingot::metrics
