// SPDX-License-Identifier: Apache-2.0
#include "verify/tolerance.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace ingot::verify {
namespace {

/// "sample 'a.npz' [0,3]: 1.5, wanted 1.25"; the values only for types that have numbers.
std::string describe(const Place& place, DType dtype) {
  const std::string where = fmt::format("sample '{}' at {}", place.sample, to_string(place.index));
  if (dtype == DType::kString) return where;
  return fmt::format("{}: {}, wanted {}", where, format_number(place.candidate),
                     format_number(place.reference));
}

void add_pattern_violations(const OutputRow& row, std::vector<std::string>& violations) {
  for (const std::string& finding : row.findings) {
    violations.push_back(fmt::format("output '{}': {}", row.output, finding));
  }
  if (row.non_finite_unlike > 0) {
    violations.push_back(
        fmt::format("output '{}': NaN or infinity in one only, {} of {} values; {}", row.output,
                    row.non_finite_unlike, row.elements, describe(*row.first_unlike, row.dtype)));
  }
  if (row.unequal > 0) {
    violations.push_back(fmt::format("output '{}': {} of {} {} values differ; {}", row.output,
                                     row.unequal, row.elements, dtype_name(row.dtype),
                                     describe(*row.largest_error, row.dtype)));
  }
}

}  // namespace

std::vector<metrics::Limit> default_tolerance() {
  std::vector<metrics::Limit> limits;
  for (const metrics::Metric& metric : metrics::comparison_metrics()) {
    if (metric.default_tolerance) limits.push_back({&metric, *metric.default_tolerance});
  }
  return limits;
}

bool meets(const OutputRow& row, const metrics::Limit& limit) {
  if (!row.comparable()) return false;
  const auto value = row.value(limit.metric->name);
  return !value || limit.holds(*value);
}

std::vector<std::string> violations(const OutputRow& row, std::span<const metrics::Limit> limits) {
  std::vector<std::string> result;
  add_pattern_violations(row, result);
  for (const metrics::Limit& limit : limits) {
    const auto value = row.value(limit.metric->name);
    if (!value || limit.holds(*value)) continue;
    std::string line = fmt::format("output '{}': {} {}, wanted {}", row.output, limit.metric->name,
                                   metrics::format_value(*limit.metric, *value), limit.text());
    if (row.largest_error) {
      line += fmt::format("; largest error in {}", describe(*row.largest_error, row.dtype));
    }
    result.push_back(std::move(line));
  }
  return result;
}

std::vector<std::string> violations(std::span<const OutputRow> rows,
                                    std::span<const metrics::Limit> limits) {
  std::vector<std::string> all;
  for (const OutputRow& row : rows) {
    const auto some = violations(row, limits);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

void require_measured(std::span<const OutputRow> rows, std::span<const metrics::Limit> limits) {
  for (const metrics::Limit& limit : limits) {
    const bool measured = std::any_of(rows.begin(), rows.end(), [&](const OutputRow& row) {
      return row.value(limit.metric->name).has_value();
    });
    if (measured) continue;
    const std::string_view name = limit.metric->name;
    throw Error(Code::kUsage, fmt::format("limit '{}': no output has '{}'", limit.text(), name),
                name == "text" ? "declare the output 'ctc' in a dataset.toml"
                : name == "top1"
                    ? "'top1' needs a float output with at least 2 values on its last axis"
                    : "it needs a float output");
  }
}

}  // namespace ingot::verify
