// SPDX-License-Identifier: Apache-2.0
#include "bench/gate.h"

#include <fmt/format.h>

#include <algorithm>

namespace ingot::bench {
namespace {

const Measured* worst(const metrics::Metric& metric, std::span<const Measured> measured) {
  const Measured* found = nullptr;
  for (const Measured& one : measured) {
    if (one.metric != metric.name) continue;
    if (found == nullptr || metrics::is_better(metric, found->value, one.value)) found = &one;
  }
  return found;
}

}  // namespace

std::vector<GateRow> judge(std::span<const metrics::Limit> limits,
                           std::span<const Measured> measured) {
  std::vector<GateRow> rows;
  for (const metrics::Limit& limit : limits) {
    const Measured* found = worst(*limit.metric, measured);
    if (found == nullptr) {
      rows.push_back({limit, {}, false, "not measured"});
    } else {
      rows.push_back({limit, found->value, limit.holds(found->value), found->source});
    }
  }
  return rows;
}

bool holds(std::span<const GateRow> rows) {
  return std::all_of(rows.begin(), rows.end(), [](const GateRow& row) { return row.holds; });
}

std::vector<Measured> measured_values(const Result& result) {
  const std::string pooled = fmt::format("{} runs in {} processes", result.runs, result.processes);
  const std::string of_processes = fmt::format("median of {} processes", result.processes);
  std::vector<Measured> values{{"memory.peak", static_cast<double>(result.peak_bytes),
                                fmt::format("largest of {} processes", result.processes)},
                               {"load", result.load, of_processes},
                               {"first", result.first, of_processes},
                               {"latency.p50", result.latency_p50, pooled},
                               {"latency.p95", result.latency_p95, pooled}};
  if (result.size_bytes > 0)
    values.push_back({"size", static_cast<double>(result.size_bytes), "files of the model"});
  return values;
}

}  // namespace ingot::bench
