// SPDX-License-Identifier: Apache-2.0
#include "quant/scheme_int8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "quant/weight_values.h"

namespace ingot::quant {
namespace {

const onnx::TensorProto& initializer(graph::Model& model, const std::string& name) {
  for (const onnx::TensorProto& tensor : model.graph().initializer()) {
    if (tensor.name() == name) return tensor;
  }
  throw Error(Code::kInternal, fmt::format("no initializer '{}'", name));
}

/// The best storage for a weight that no integer kernel reads: smallest whose own error is small.
WeightPlan stored(graph::Model& model, const WeightSite& site) {
  const TensorView view = model.view(initializer(model, site.tensor));
  WeightPlan plan;
  plan.tensor = site.tensor;
  plan.bytes_before = plan.bytes_after = view.bytes.size();
  plan.reason = site.reason;
  if (!site.may_change) return plan;
  const WeightValues weight(view);
  const auto values = weight.get();
  if (site.layout) {
    const double db =
        sqnr_db(values, dequantize_weights(quantize_weights(values, *site.layout), *site.layout));
    if (db >= kLeastStorageDb) {
      plan.storage = Storage::kInt8;
      plan.error_db = db;
      plan.reason = fmt::format("int8 per channel is {:.1f} dB from the weight", db);
      return plan;
    }
    plan.reason = fmt::format("int8 per channel would be {:.1f} dB from the weight, wanted {:g}",
                              db, kLeastStorageDb);
  }
  constexpr float kLargestHalf = 65504;
  if (std::any_of(values.begin(), values.end(),
                  [](float v) { return std::abs(v) > kLargestHalf; })) {
    plan.reason += "; values beyond float16";
    return plan;
  }
  plan.storage = Storage::kFloat16;
  return plan;
}

const Keep* kept_by(std::span<const Keep> keep, const std::string& node,
                    const std::string& op_type) {
  for (const Keep& one : keep) {
    if (one.pattern.matches(node, op_type)) return &one;
  }
  return nullptr;
}

void require_matches(const graph::Model& model, std::span<const Keep> keep) {
  for (const Keep& one : keep) {
    std::vector<std::string> names;
    bool matched = false;
    for (const onnx::NodeProto& node : model.graph().node()) {
      matched = matched || one.pattern.matches(graph::node_key(node), node.op_type());
      names.push_back(graph::node_key(node));
    }
    if (!matched) {
      throw Error(Code::kUsage,
                  fmt::format("--keep '{}' matches no node of the model{}", one.pattern.text(),
                              did_you_mean(one.pattern.text(), names)));
    }
  }
}

/// Weights of kept nodes get the storage that was asked for.
std::unordered_map<std::string, const Keep*> kept_weights(const graph::Model& model,
                                                          std::span<const Keep> keep) {
  std::unordered_map<std::string, const Keep*> result;
  for (const onnx::NodeProto& node : model.graph().node()) {
    const Keep* by = kept_by(keep, graph::node_key(node), node.op_type());
    if (by == nullptr) continue;
    for (const std::string& name : node.input()) result.emplace(name, by);
  }
  return result;
}

void keep_weight(WeightPlan& weight, const Keep& by) {
  weight.storage = by.storage;
  weight.reason = fmt::format("kept by '{}'", by.pattern.text());
  weight.error_db.reset();
}

double multiply_adds(const Site& site, const std::map<std::string, std::uint64_t>& elements) {
  const auto it = elements.find(site.output);
  return it == elements.end()
             ? 0
             : static_cast<double>(it->second) * static_cast<double>(site.multiply_adds_per_output);
}

NodePlan site_plan(const Site& site, const std::string& op_type, double share,
                   const PlainPlanInput& input) {
  NodePlan node;
  node.node = site.node;
  node.op_type = op_type;
  node.weight = site.weight;
  node.input = site.input;
  node.output = site.output;
  node.multiply_adds = share;
  if (const Keep* by = kept_by(input.keep, site.node, op_type)) {
    node.reason = fmt::format("kept by '{}'", by->pattern.text());
  } else if (share < kLeastMultiplyAdds) {
    node.reason = fmt::format(
        "under {:g} % of the multiply-adds: the conversions would cost more than the kernel gains",
        kLeastMultiplyAdds * 100);
  } else if (!input.ranges.contains(site.input) || !input.ranges.contains(site.output)) {
    node.reason = "no range: its activations were not seen in calibration";
  } else {
    node.form = Form::kStatic;
    node.reason = fmt::format("{:.1f} % of the multiply-adds", share * 100);
  }
  return node;
}

}  // namespace

Keep parse_keep(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos) return {Pattern(text), Storage::kFloat32};
  const std::string pattern = text.substr(0, equals), type = text.substr(equals + 1);
  if (type == "float" || type == "float32") return {Pattern(pattern), Storage::kFloat32};
  if (type == "float16") return {Pattern(pattern), Storage::kFloat16};
  throw Error(Code::kUsage,
              fmt::format("--keep '{}': unknown type '{}', wanted float or float16", text, type));
}

Plan plain_plan(const PlainPlanInput& input) {
  require_matches(input.model, input.keep);
  Plan plan;
  plan.scheme = "int8";
  plan.ranges = input.ranges;
  double total = 0;
  for (const Site& site : input.sites.sites) total += multiply_adds(site, input.output_elements);
  std::unordered_map<std::string, const NodeNote*> notes;
  for (const NodeNote& note : input.sites.notes) notes.emplace(note.node, &note);
  for (const onnx::NodeProto& node : input.model.graph().node()) {
    const std::string key = graph::node_key(node);
    if (const Site* site = input.sites.find(key)) {
      plan.nodes.push_back(
          site_plan(*site, node.op_type(),
                    total > 0 ? multiply_adds(*site, input.output_elements) / total : 0, input));
    } else {
      const auto it = notes.find(key);
      NodePlan other;
      other.node = key;
      other.op_type = node.op_type();
      other.reason = it == notes.end() ? "" : it->second->reason;
      plan.nodes.push_back(std::move(other));
    }
  }
  const auto kept = kept_weights(input.model, input.keep);
  for (const WeightSite& site : input.sites.weights) {
    WeightPlan weight = stored(input.model, site);
    if (const auto it = kept.find(site.tensor); it != kept.end() && site.may_change)
      keep_weight(weight, *it->second);
    plan.weights.push_back(std::move(weight));
  }
  return plan;
}

std::vector<std::string> worst_first(const Plan& plan,
                                     const std::map<std::string, Sensitivity>& sensitivity) {
  std::vector<std::pair<double, std::string>> ranked;
  for (const NodePlan& node : plan.nodes) {
    if (node.form != Form::kStatic) continue;
    const auto it = sensitivity.find(node.node);
    const double noise = it == sensitivity.end() ? 0 : it->second.noise_ratio;
    ranked.emplace_back(noise / std::max(node.multiply_adds.value_or(0), 1e-6), node.node);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> keys;
  for (auto& [cost, key] : ranked) keys.push_back(std::move(key));
  return keys;
}

void make_float(Plan& plan, const std::string& key, const std::string& reason) {
  NodePlan* node = plan.find_node(key);
  INGOT_CHECK(node != nullptr);
  node->form = Form::kFloat;
  node->reason = reason;
}

void store_as_float16(Plan& plan, const std::string& tensor, const std::string& reason) {
  WeightPlan* weight = plan.find_weight(tensor);
  INGOT_CHECK(weight != nullptr && weight->storage == Storage::kInt8);
  weight->storage = Storage::kFloat16;
  weight->reason = reason;
  weight->error_db.reset();
}

}  // namespace ingot::quant
