// SPDX-License-Identifier: Apache-2.0
// The report for people: what matters first, long lists cut short.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "pipeline/report.h"

namespace ingot::pipeline {
namespace {

constexpr std::size_t kMostLines = 10;    ///< of text that is read differently
constexpr std::size_t kMostReasons = 12;  ///< groups of nodes and weights

std::string row(std::string_view what, const std::string& original, const std::string& quantized,
                const std::string& ratio) {
  return fmt::format("  {:<14}{:>14}{:>14}{:>9}\n", what, original, quantized, ratio);
}

std::string ratio_text(double quantized, double original) {
  return original > 0 ? fmt::format("{:.3f}", quantized / original) : "";
}

std::string size_row(std::string_view what, std::uint64_t original, std::uint64_t quantized) {
  return row(what, format_bytes(original), format_bytes(quantized),
             ratio_text(static_cast<double>(quantized), static_cast<double>(original)));
}

std::string time_row(std::string_view what, double original, double quantized) {
  return row(what, format_seconds(original), format_seconds(quantized),
             ratio_text(quantized, original));
}

std::string cost_text(const Report& report) {
  if (report.quantized_bytes == 0) return {};
  std::string text = "cost\n" + row("", "original", "quantized", "ratio") +
                     size_row("size", report.original_bytes, report.quantized_bytes);
  if (!report.bench) return text;
  const bench::Result& a = report.bench->reference;
  const bench::Result& b = report.bench->candidate;
  text += row("latency p50", format_seconds(a.latency_p50), format_seconds(b.latency_p50),
              fmt::format("{:.3f}", report.bench->latency_ratio));
  text += time_row("latency p95", a.latency_p95, b.latency_p95);
  text += time_row("first", a.first, b.first);
  text += time_row("load", a.load, b.load);
  text += size_row("memory peak", a.peak_bytes, b.peak_bytes);
  return text + fmt::format(
                    "  {} fresh processes each, in turn, {} thread{}, {} runs in all; the ratio of "
                    "p50 is the median of the pairs\n"
                    "  preparing a sample, apart from all of this: {} to read, {} to prepare\n",
                    a.processes, a.threads, a.threads == 1 ? "" : "s", a.runs,
                    format_seconds(a.decode_p50), format_seconds(a.preprocess_p50));
}

std::string short_number(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : format_number(value);
}

std::string error_text(const Evaluation& evaluation) {
  if (!evaluation.complaint.empty())
    return fmt::format("error\n  not compared: {}\n", evaluation.complaint);
  std::string text = fmt::format("error against the original, {} samples\n", evaluation.samples);
  for (std::size_t i = 0; i < evaluation.quantized.size(); ++i) {
    const verify::OutputRow& after = evaluation.quantized[i];
    text += fmt::format("  {:<14}{:>14}{:>14}\n", "output", "converted", "quantized") +
            fmt::format("  '{}'\n", after.output);
    if (!after.is_float())
      text += fmt::format("    unequal: {} of {} elements\n", after.unequal, after.elements);
    for (const verify::MetricValue& metric : after.metrics) {
      const auto before = i < evaluation.converted.size()
                              ? evaluation.converted[i].value(metric.metric->name)
                              : std::nullopt;
      text += fmt::format("    {:<12}{:>14}{:>14}\n", metric.metric->name,
                          before ? short_number(*before) : "", short_number(metric.value));
    }
    for (const std::string& finding : after.findings) text += fmt::format("    {}\n", finding);
    if (after.non_finite_unlike > 0)
      text +=
          fmt::format("    NaN or infinity in one only: {} elements\n", after.non_finite_unlike);
  }
  return text;
}

std::string reading_text(const Reading& reading) {
  std::string text =
      fmt::format("text read, output '{}'\n  as the original reads it: {} of {} lines\n",
                  reading.output, reading.alike, reading.lines);
  if (reading.with_truth > 0) {
    text += fmt::format("  right: the original {} of {}, the quantized {} of {}\n",
                        reading.original_right, reading.with_truth, reading.quantized_right,
                        reading.with_truth);
  }
  const std::size_t shown = std::min(kMostLines, reading.differing.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const Line& line = reading.differing[i];
    text += fmt::format("  {}\n", line.sample);
    if (line.truth) text += fmt::format("    true       '{}'\n", *line.truth);
    text +=
        fmt::format("    original   '{}'\n    quantized  '{}'\n", line.original, line.quantized);
  }
  if (reading.differing.size() > shown)
    text += fmt::format("  … and {} more\n", reading.differing.size() - shown);
  return text;
}

/// Nodes or weights that stayed as they are for reasons that differ in numbers only.
struct Group {
  std::string key;
  const Kept* first;
  std::size_t count;
};

std::vector<Group> groups_of(const std::vector<Kept>& kept) {
  std::vector<Group> groups;
  for (const Kept& one : kept) {
    std::string key = one.kind == Kept::Kind::kNode ? "node " : "weight ";
    key += one.precision + ' ' + one.reason;
    std::erase_if(key, [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-'; });
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&](const Group& group) { return group.key == key; });
    if (found == groups.end()) {
      groups.push_back({std::move(key), &one, 1});
    } else {
      ++found->count;
    }
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) { return a.count > b.count; });
  return groups;
}

std::string kept_text(const Report& report) {
  if (report.nodes == 0) return {};
  std::string text = fmt::format(
      "precision: {} of {} nodes with weights compute in a quantized form; what stayed higher, and "
      "why\n",
      report.quantized_nodes, report.candidates);
  const std::vector<Group> groups = groups_of(report.kept);
  for (std::size_t i = 0; i < std::min(groups.size(), kMostReasons); ++i) {
    const Group& group = groups[i];
    const bool is_node = group.first->kind == Kept::Kind::kNode;
    text +=
        fmt::format("  {:>4} {}{} in {}: {} ({}'{}')\n", group.count, is_node ? "node" : "weight",
                    group.count == 1 ? "" : "s", group.first->precision, group.first->reason,
                    group.count == 1 ? "" : "such as ", group.first->name);
  }
  if (groups.size() > kMostReasons)
    text += fmt::format("  … and {} other reasons: report/build.json has them all\n",
                        groups.size() - kMostReasons);
  if (groups.empty()) text += "  nothing\n";
  return text;
}

std::string value_text(const metrics::Metric& metric, double value) {
  return metric.quantity == metrics::Quantity::kNumber ? short_number(value)
                                                       : metrics::format_value(metric, value);
}

std::string gate_text(const std::vector<bench::GateRow>& gate) {
  std::string text = "gate\n";
  for (const bench::GateRow& row : gate) {
    const std::string value = row.value ? value_text(*row.limit.metric, *row.value) + ", " : "";
    text += fmt::format("  {:<6} {:<24} {}{}\n", row.holds ? "holds" : "FAILS", row.limit.text(),
                        value, row.source);
  }
  return gate.empty() ? "gate\n  no limits\n" : text;
}

std::string stages_text(const std::vector<StageTime>& stages) {
  std::string text;
  for (const StageTime& time : stages)
    text += fmt::format("{}{} {}", text.empty() ? "time: " : ", ", time.stage,
                        format_seconds(time.seconds));
  return text + "\n";
}

}  // namespace

std::string bundle_text(const PackedBundle& bundle) {
  return fmt::format("bundle: {} ({} files, {})\n  id {}\n", bundle.path, bundle.file_count,
                     format_bytes(bundle.total_bytes), bundle.id);
}

std::string report_text(const Report& report) {
  std::string text =
      fmt::format("{} {}: scheme {}, {} calibration samples, ingot {}, ONNX Runtime {}\n",
                  report.name, report.version, report.scheme, report.calibration_samples,
                  report.made_from.ingot_version, report.runtime_version);
  text += cost_text(report);
  if (report.evaluation) {
    text += error_text(*report.evaluation);
    for (const Reading& reading : report.evaluation->readings) text += reading_text(reading);
  }
  text += kept_text(report) + gate_text(report.gate);
  for (const quant::Judged& one : report.red_line) {
    if (!one.holds)
      text += fmt::format("red line of quantize: output '{}' {} = {}, wanted {}\n", one.output,
                          one.limit.metric->name, value_text(*one.limit.metric, one.value),
                          one.limit.text());
  }
  text += stages_text(report.stages) + fmt::format("verdict: {}\n", report.verdict);
  return report.bundle ? text + bundle_text(*report.bundle) : text;
}

}  // namespace ingot::pipeline
