// SPDX-License-Identifier: Apache-2.0
// The two renderings of quantize's report.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/json.h"
#include "base/text.h"
#include "quant/quantize.h"
#include "verify/row_json.h"

namespace ingot::quant {
namespace {

std::string count_storage(const Plan& plan) {
  std::map<Storage, std::pair<std::size_t, std::uint64_t>> counts;
  for (const WeightPlan& weight : plan.weights) {
    auto& [count, bytes] = counts[weight.storage];
    ++count;
    bytes += weight.bytes_after;
  }
  std::string text;
  for (const Storage storage :
       {Storage::kKernel, Storage::kInt8, Storage::kFloat16, Storage::kFloat32}) {
    const auto it = counts.find(storage);
    if (it == counts.end()) continue;
    text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ", it->second.first,
                        storage_name(storage), format_bytes(it->second.second));
  }
  return text.empty() ? "none of 1024 elements or more" : text;
}

/// "13 static, 2 dynamic".
std::string count_forms(const Plan& plan) {
  std::map<Form, std::size_t> counts;
  for (const NodePlan& node : plan.nodes) {
    if (node.form != Form::kFloat) ++counts[node.form];
  }
  std::string text;
  for (const auto& [form, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, form_name(form));
  return text.empty() ? "0" : text;
}

/// Reasons of float candidates, the node's own numbers cut off at ':' so that equal causes count
/// together, most frequent first.
std::vector<std::pair<std::size_t, std::string>> float_reasons(const Plan& plan) {
  std::map<std::string, std::size_t> counts;
  for (const NodePlan& node : plan.nodes) {
    if (node.form != Form::kFloat || node.weight.empty()) continue;
    ++counts[node.reason];
  }
  std::vector<std::pair<std::size_t, std::string>> sorted;
  for (const auto& [reason, count] : counts) sorted.emplace_back(count, reason);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  return sorted;
}

/// The quantized nodes with the largest error of their own, for a refusal.
std::string worst_nodes(const Plan& plan) {
  constexpr std::size_t kMost = 5;
  std::vector<const NodePlan*> nodes;
  for (const NodePlan& node : plan.nodes) {
    if (node.form != Form::kFloat && node.error_db.contains(node.form)) nodes.push_back(&node);
  }
  const auto error_db = [](const NodePlan* node) { return node->error_db.at(node->form); };
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](const NodePlan* a, const NodePlan* b) { return error_db(a) < error_db(b); });
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, nodes.size()); ++i) {
    text +=
        fmt::format("{} '{}' alone is {:.1f} dB from its float output\n",
                    i == 0 ? "worst nodes " : "            ", nodes[i]->node, error_db(nodes[i]));
  }
  return text;
}

OrderedJson judged_json(const std::vector<Judged>& judged) {
  OrderedJson rows = OrderedJson::array();
  for (const Judged& one : judged) {
    rows.push_back({{"output", one.output},
                    {"metric", std::string(one.limit.metric->name)},
                    {"limit", one.limit.value},
                    {"value", verify::number_json(one.value)},
                    {"holds", one.holds}});
  }
  return rows;
}

OrderedJson check_json(const verify::CheckResult& check) {
  OrderedJson json{{"outcome", std::string(verify::outcome_name(check.outcome))},
                   {"samples", check.samples}};
  if (!check.reason.empty()) json["reason"] = check.reason;
  json["outputs"] = OrderedJson::array();
  for (const verify::OutputRow& row : check.rows) json["outputs"].push_back(verify::row_json(row));
  return json;
}

}  // namespace

std::string Report::text() const {
  const auto candidates = std::count_if(plan.nodes.begin(), plan.nodes.end(),
                                        [](const NodePlan& node) { return !node.weight.empty(); });
  std::string text =
      fmt::format("{} → {} (scheme {}, ONNX Runtime {})\n", input, output, scheme, runtime_version);
  if (written) {
    text += fmt::format("size         {} → {} ({:.1f} %)\n", format_bytes(bytes_before),
                        format_bytes(bytes_after),
                        100 * static_cast<double>(bytes_after) /
                            static_cast<double>(std::max<std::uint64_t>(bytes_before, 1)));
  }
  text += fmt::format("nodes        {} of {} candidates, {} in all\n", count_forms(plan),
                      candidates, plan.nodes.size());
  for (const auto& [count, reason] : float_reasons(plan))
    text += fmt::format("  float      {} × {}\n", count, reason);
  text += fmt::format("weights      {}\n", count_storage(plan));
  if (!plan.calibration.empty())
    text += fmt::format("calibration  {} over {} samples\n", plan.calibration, plan.samples);
  if (searched) {
    text += fmt::format(
        "search       {} evaluations; {}\n", trials.size(),
        reached_goal ? "the goal above the red line is reached"
                     : "the goal above the red line is not reached, the nearest plan is kept");
  }
  for (const Judged& one : judged) {
    text += fmt::format("red line     '{}': {} {} (limit {}) over {} samples: {}\n", one.output,
                        one.limit.metric->name, fmt::format("{:.6g}", one.value), one.limit.text(),
                        check->samples, one.holds ? "holds" : "does not hold");
  }
  if (!written) text += worst_nodes(plan);
  return text + fmt::format("verdict      {}\n", verdict);
}

std::string Report::json() const {
  OrderedJson json{{"schema", "ingot.quantize"},
                   {"schema_version", 1},
                   {"input", input},
                   {"output", output},
                   {"scheme", scheme},
                   {"runtime_version", runtime_version},
                   {"written", written},
                   {"verdict", verdict},
                   {"bytes_before", bytes_before},
                   {"bytes_after", bytes_after},
                   {"red_line", judged_json(judged)}};
  if (check) json["check"] = check_json(*check);
  if (searched) {
    json["search"] = {{"reached_goal", reached_goal}, {"trials", OrderedJson::array()}};
    for (const Trial& trial : trials) {
      json["search"]["trials"].push_back({{"what", trial.what},
                                          {"reaches_goal", trial.reaches_goal},
                                          {"red_line", judged_json(trial.judged)}});
    }
  }
  json["plan"] = OrderedJson::parse(plan_to_json(plan));
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace ingot::quant
