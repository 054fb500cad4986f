// SPDX-License-Identifier: Apache-2.0
#include "cli/comparison_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "base/text.h"
#include "cli/table.h"

namespace ingot::cli {
namespace {

/// Four significant digits: a table is for looking; --json has them all.
std::string cell(const verify::OutputRow& row, const metrics::Metric& metric) {
  const auto value = row.value(metric.name);
  return value ? fmt::format("{:.4g}", *value) : "-";
}

std::string agreement(const verify::OutputRow& row) {
  if (!row.findings.empty()) return "not comparable";
  if (row.is_float()) return row.non_finite_unlike == 0 ? "" : "NaN/Inf differ";
  return row.unequal == 0 ? "equal" : fmt::format("{} unequal", row.unequal);
}

void print_notes(const verify::OutputRow& row, std::ostream& out) {
  if (row.largest_error && row.is_float()) {
    out << fmt::format("  '{}': largest error in sample '{}' at {}: {:.6g} instead of {:.6g}\n",
                       row.output, row.largest_error->sample, to_string(row.largest_error->index),
                       row.largest_error->candidate, row.largest_error->reference);
  }
  if (row.samples > 1 && !row.worst_sample.empty()) {
    out << fmt::format("  '{}': worst sample '{}', rel_l2 {:.4g}\n", row.output, row.worst_sample,
                       row.worst_sample_rel_l2);
  }
  if (row.non_finite_alike > 0) {
    out << fmt::format("  '{}': {} values are the same NaN or infinity in both and were left out\n",
                       row.output, row.non_finite_alike);
  }
}

}  // namespace

void print_comparison(std::span<const verify::OutputRow> rows, std::ostream& out) {
  std::vector<const metrics::Metric*> columns;
  for (const metrics::Metric& metric : metrics::comparison_metrics()) {
    const bool used = std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
      return row.value(metric.name).has_value();
    });
    if (used) columns.push_back(&metric);
  }
  std::vector<std::string> headings{"output", "type", ">values"};
  for (const auto* metric : columns) headings.push_back(fmt::format(">{}", metric->name));
  headings.emplace_back("");
  Table table(std::move(headings));
  for (const verify::OutputRow& row : rows) {
    std::vector<std::string> cells{row.output, std::string(dtype_name(row.dtype)),
                                   std::to_string(row.elements)};
    for (const auto* metric : columns) cells.push_back(cell(row, *metric));
    cells.push_back(agreement(row));
    table.add(std::move(cells));
  }
  table.print(out);
  for (const verify::OutputRow& row : rows) print_notes(row, out);
}

}  // namespace ingot::cli
