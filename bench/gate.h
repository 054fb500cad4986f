// SPDX-License-Identifier: Apache-2.0
// Limits against measured values: rows with a verdict each, never an exception.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "metrics/limits.h"

namespace ingot::bench {

/// A number and where it comes from.
struct Measured {
  std::string metric;  ///< a name of metrics::all_metrics()
  double value = 0;
  std::string source;  ///< "output 'y' over 96 samples", "3 processes of 50 runs"
};

struct GateRow {
  metrics::Limit limit;
  std::optional<double> value;  ///< nothing: not measured
  bool holds = false;
  std::string source;  ///< of the value; "not measured" without one
};

/// One row per limit, in order. Of several values for one metric (a model with two outputs) the
/// worst counts. A limit whose metric is not among `measured` does not hold.
std::vector<GateRow> judge(std::span<const metrics::Limit> limits,
                           std::span<const Measured> measured);
/// True when every row holds; an empty gate does.
bool holds(std::span<const GateRow> rows);

/// The values of one subject under the names of metrics::bench_metrics().
std::vector<Measured> measured_values(const Result& result);

}  // namespace ingot::bench
