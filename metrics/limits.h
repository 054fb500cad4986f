// SPDX-License-Identifier: Apache-2.0
// Limits as users write them: METRIC=VALUE. The direction is the metric's own.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "metrics/metrics.h"

namespace ingot::metrics {

struct Limit {
  const Metric* metric = nullptr;
  double value = 0;

  /// True when `measured` is at the limit or on its better side. NaN never is.
  bool holds(double measured) const;
  /// "cosine>=0.9", "size<=6.0 MiB".
  std::string text() const;
};

/// Reads "METRIC=VALUE", "METRIC<=VALUE" or "METRIC>=VALUE"; a written direction must agree with
/// the metric's. Sizes and times carry their unit ("6MiB", "20ms"). Throws kUsage: unknown metric
/// (with the nearest of `known`), no value, not a number, outside the metric's range, the wrong
/// direction.
Limit parse_limit(std::string_view text, std::span<const Metric> known = all_metrics());
/// The same from a name and a value apart, as in a project file.
Limit make_limit(std::string_view name, std::string_view value,
                 std::span<const Metric> known = all_metrics());

/// `value` in the metric's own notation: "0.981", "6.0 MiB", "12.3 ms", "inf".
std::string format_value(const Metric& metric, double value);

}  // namespace ingot::metrics
