// SPDX-License-Identifier: Apache-2.0
#include "quant/plan.h"

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "base/text.h"

namespace ingot::quant {
namespace {

/// Decimals as text: canonical JSON carries integers only, and text keeps float32 exact.
std::string decimal(double value) { return format_number(value); }

Json node_json(const NodePlan& node) {
  Json json{{"node", node.node},
            {"op_type", node.op_type},
            {"form", form_name(node.form)},
            {"reason", node.reason}};
  if (!node.weight.empty()) json["weight"] = node.weight;
  if (!node.input.empty()) json["input"] = node.input;
  if (!node.output.empty()) json["output"] = node.output;
  for (const auto& [form, db] : node.error_db)
    json["error_db"][form_name(form)] = decimal(std::round(db * 100) / 100);
  if (node.multiply_adds)
    json["multiply_adds"] = decimal(std::round(*node.multiply_adds * 1e4) / 1e4);
  return json;
}

Json weight_json(const WeightPlan& weight) {
  Json json{{"tensor", weight.tensor},
            {"storage", storage_name(weight.storage)},
            {"reason", weight.reason},
            {"bytes_before", weight.bytes_before},
            {"bytes_after", weight.bytes_after}};
  if (!weight.granularity.empty()) json["granularity"] = weight.granularity;
  if (weight.error_db) json["error_db"] = decimal(std::round(*weight.error_db * 100) / 100);
  return json;
}

}  // namespace

const char* storage_name(Storage storage) {
  switch (storage) {
    case Storage::kFloat32:
      return "float32";
    case Storage::kFloat16:
      return "float16";
    case Storage::kInt8:
      return "int8";
    case Storage::kKernel:
      return "kernel";
  }
  return "float32";
}

NodePlan* Plan::find_node(const std::string& key) {
  return const_cast<NodePlan*>(std::as_const(*this).find_node(key));
}

const NodePlan* Plan::find_node(const std::string& key) const {
  const auto it = std::find_if(nodes.begin(), nodes.end(),
                               [&](const NodePlan& node) { return node.node == key; });
  return it == nodes.end() ? nullptr : &*it;
}

WeightPlan* Plan::find_weight(const std::string& tensor) {
  return const_cast<WeightPlan*>(std::as_const(*this).find_weight(tensor));
}

const WeightPlan* Plan::find_weight(const std::string& tensor) const {
  const auto it = std::find_if(weights.begin(), weights.end(),
                               [&](const WeightPlan& weight) { return weight.tensor == tensor; });
  return it == weights.end() ? nullptr : &*it;
}

std::string plan_to_json(const Plan& plan) {
  Json json{{"schema", "ingot.plan"},
            {"schema_version", 1},
            {"scheme", plan.scheme},
            {"source_sha256", plan.source_sha256}};
  if (!plan.calibration.empty()) {
    json["calibration"] = {
        {"method", plan.calibration}, {"data_sha256", plan.data_sha256}, {"samples", plan.samples}};
  }
  json["nodes"] = Json::array();
  for (const NodePlan& node : plan.nodes) json["nodes"].push_back(node_json(node));
  json["weights"] = Json::array();
  for (const WeightPlan& weight : plan.weights) json["weights"].push_back(weight_json(weight));
  json["ranges"] = Json::object();
  for (const auto& [tensor, range] : plan.ranges) {
    json["ranges"][tensor] = {{"min", decimal(static_cast<double>(range.min))},
                              {"max", decimal(static_cast<double>(range.max))}};
  }
  return json.dump(1) + "\n";
}

}  // namespace ingot::quant
