// SPDX-License-Identifier: Apache-2.0
// The report as one JSON document, every row of it.
#include <algorithm>

#include "base/json.h"
#include "pipeline/report.h"
#include "verify/row_json.h"

namespace ingot::pipeline {
namespace {

std::string dump(const OrderedJson& json) {
  // Names in a model may hold bytes that are no UTF-8.
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

OrderedJson measured_json(const bench::Result& result) {
  return {{"latency_p50_seconds", result.latency_p50},
          {"latency_p95_seconds", result.latency_p95},
          {"first_seconds", result.first},
          {"load_seconds", result.load},
          {"memory_peak_bytes", result.peak_bytes},
          {"preprocess_p50_seconds", result.preprocess_p50},
          {"decode_p50_seconds", result.decode_p50},
          {"p50_of_processes_seconds", result.p50_of_processes}};
}

OrderedJson bench_json(const bench::Comparison& comparison) {
  const bench::Result& any = comparison.reference;
  return {{"threads", any.threads},
          {"processes", any.processes},
          {"runs", any.runs},
          {"warmup", any.warmup},
          {"samples", any.samples},
          {"quantile", "linear interpolation"},
          {"original", measured_json(comparison.reference)},
          {"quantized", measured_json(comparison.candidate)},
          {"latency_ratio", comparison.latency_ratio},
          {"latency_ratio_of_pairs", comparison.ratio_of_pairs}};
}

OrderedJson reading_json(const Reading& reading) {
  OrderedJson differing = OrderedJson::array();
  for (const Line& line : reading.differing) {
    OrderedJson row{{"sample", line.sample}};
    row["truth"] = line.truth ? OrderedJson(*line.truth) : OrderedJson();
    row["original"] = line.original;
    row["quantized"] = line.quantized;
    differing.push_back(std::move(row));
  }
  return {{"output", reading.output},
          {"lines", reading.lines},
          {"alike", reading.alike},
          {"with_truth", reading.with_truth},
          {"original_right", reading.original_right},
          {"quantized_right", reading.quantized_right},
          {"differing", std::move(differing)}};
}

OrderedJson evaluation_json(const Evaluation& evaluation) {
  OrderedJson readings = OrderedJson::array();
  for (const Reading& reading : evaluation.readings) readings.push_back(reading_json(reading));
  OrderedJson json{{"samples", evaluation.samples},
                   {"converted", verify::rows_json(evaluation.converted)},
                   {"quantized", verify::rows_json(evaluation.quantized)},
                   {"text", std::move(readings)}};
  if (!evaluation.complaint.empty()) json["complaint"] = evaluation.complaint;
  return json;
}

OrderedJson kept_json(const std::vector<Kept>& kept) {
  OrderedJson rows = OrderedJson::array();
  for (const Kept& one : kept) {
    const bool is_node = one.kind == Kept::Kind::kNode;
    OrderedJson row{{is_node ? "node" : "weight", one.name}};
    if (is_node) row["op_type"] = one.op_type;
    row["precision"] = one.precision;
    row["reason"] = one.reason;
    rows.push_back(std::move(row));
  }
  return rows;
}

OrderedJson red_line_json(const std::vector<quant::Judged>& judged) {
  OrderedJson rows = OrderedJson::array();
  for (const quant::Judged& one : judged) {
    rows.push_back({{"output", one.output},
                    {"metric", one.limit.metric->name},
                    {"value", verify::number_json(one.value)},
                    {"limit", verify::number_json(one.limit.value)},
                    {"holds", one.holds}});
  }
  return rows;
}

OrderedJson gate_json(const std::vector<bench::GateRow>& gate) {
  OrderedJson rows = OrderedJson::array();
  for (const bench::GateRow& row : gate) {
    rows.push_back({{"metric", row.limit.metric->name},
                    {"value", row.value ? verify::number_json(*row.value) : OrderedJson()},
                    {"limit", verify::number_json(row.limit.value)},
                    {"rule", row.limit.text()},
                    {"holds", row.holds},
                    {"source", row.source}});
  }
  return rows;
}

OrderedJson bundle_json(const PackedBundle& bundle) {
  return {{"path", bundle.path},
          {"id", bundle.id},
          {"files", bundle.file_count},
          {"total_bytes", bundle.total_bytes}};
}

}  // namespace

std::string report_json(const Report& report) {
  OrderedJson json{{"schema", "ingot.build"},
                   {"schema_version", 1},
                   {"name", report.name},
                   {"version", report.version},
                   {"accepted", report.accepted},
                   {"verdict", report.verdict},
                   {"scheme", report.scheme},
                   {"runtime_version", report.runtime_version},
                   {"made_from", fingerprint_json(report.made_from)},
                   {"size_bytes",
                    {{"original", report.original_bytes},
                     {"converted", report.converted_bytes},
                     {"quantized", report.quantized_bytes}}},
                   {"calibration_samples", report.calibration_samples},
                   {"nodes",
                    {{"all", report.nodes},
                     {"candidates", report.candidates},
                     {"quantized", report.quantized_nodes}}},
                   {"plan_sha256", report.plan_sha256},
                   {"gate", gate_json(report.gate)},
                   {"red_line", red_line_json(report.red_line)}};
  if (report.evaluation) json["verify"] = evaluation_json(*report.evaluation);
  if (report.bench) json["bench"] = bench_json(*report.bench);
  json["kept"] = kept_json(report.kept);
  OrderedJson stages = OrderedJson::array();
  for (const StageTime& time : report.stages)
    stages.push_back({{"stage", time.stage}, {"seconds", time.seconds}});
  json["stages"] = std::move(stages);
  if (report.bundle) json["bundle"] = bundle_json(*report.bundle);
  return dump(json);
}

std::string with_bundle(const std::string& report, const PackedBundle& bundle) {
  OrderedJson json = OrderedJson::parse(report);
  json["bundle"] = bundle_json(bundle);
  json["up_to_date"] = true;
  return dump(json);
}

}  // namespace ingot::pipeline
