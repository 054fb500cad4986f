// SPDX-License-Identifier: Apache-2.0
#include "quant/plain_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "quant/forms/forms.h"
#include "quant/weight_values.h"

namespace ingot::quant {
namespace {

const onnx::TensorProto& initializer(const Scopes& scopes, const WeightSite& site) {
  const onnx::TensorProto* tensor = scopes.all()[site.graph]->index.initializer(site.tensor);
  INGOT_CHECK(tensor != nullptr);
  return *tensor;
}

/// The best storage for a weight that no integer kernel reads: smallest whose own error is small.
WeightPlan stored(const graph::Model& model, const Scopes& scopes, const WeightSite& site) {
  const TensorView view = model.view(initializer(scopes, site));
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

void require_matches(const Scopes& scopes, std::span<const Keep> keep) {
  for (const Keep& one : keep) {
    std::vector<std::string> names;
    bool matched = false;
    for (const auto& scope : scopes.all()) {
      for (const onnx::NodeProto& node : scope->graph->node()) {
        names.push_back(scope->key(node));
        matched = matched || one.pattern.matches(names.back(), node.op_type());
      }
    }
    if (!matched) {
      throw Error(Code::kUsage,
                  fmt::format("--keep '{}' matches no node of the model{}", one.pattern.text(),
                              did_you_mean(one.pattern.text(), names)));
    }
  }
}

/// Weights of kept nodes get the storage that was asked for.
std::unordered_map<std::string, const Keep*> kept_weights(const Scopes& scopes,
                                                          std::span<const Keep> keep) {
  std::unordered_map<std::string, const Keep*> result;
  for (const auto& scope : scopes.all()) {
    for (const onnx::NodeProto& node : scope->graph->node()) {
      const Keep* by = kept_by(keep, scope->key(node), node.op_type());
      if (by == nullptr) continue;
      for (const std::string& name : node.input()) result.emplace(name, by);
    }
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

bool can_take(const Site& site, Form form, const std::map<std::string, Range>& ranges) {
  const FormRow& row = form_row(form);
  if (!row.objection(site, row).empty()) return false;
  return !row.needs_ranges || (ranges.contains(site.input) && ranges.contains(site.output));
}

/// Why none of the forms of the scheme fits.
std::string no_form(const Site& site, std::span<const Form> ladder) {
  if (ladder.empty()) return "the scheme has no form for it; its weight is stored in fewer bits";
  const FormRow& row = form_row(ladder.front());
  const std::string reason = row.objection(site, row);
  return reason.empty() ? "no range: its activations were not seen in calibration" : reason;
}

/// The first form of the ladder, or float with the reason. `share`: of the multiply-adds, where
/// samples told.
void choose_form(const Site& site, std::optional<double> share, const PlainPlanInput& input,
                 NodePlan& node) {
  const auto ladder = input.scheme.ladder(site.kind);
  const auto it = std::find_if(ladder.begin(), ladder.end(),
                               [&](Form form) { return can_take(site, form, input.ranges); });
  if (it == ladder.end()) {
    node.reason = no_form(site, ladder);
    return;
  }
  if (share && *share < kLeastMultiplyAdds && site.kind != SiteKind::kTable) {
    node.reason = fmt::format(
        "under {:g} % of the multiply-adds: the conversions would cost more than the kernel gains",
        kLeastMultiplyAdds * 100);
    return;
  }
  node.form = *it;
  node.reason =
      share && site.kind != SiteKind::kTable
          ? fmt::format("{:.1f} % of the multiply-adds", *share * 100)
          : fmt::format("the first form of scheme {} that it can take", input.scheme.name);
}

NodePlan site_plan(const Site& site, const std::string& op_type, std::optional<double> share,
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
  } else {
    choose_form(site, share, input, node);
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
  const Scopes scopes(input.model);
  require_matches(scopes, input.keep);
  Plan plan;
  plan.scheme = input.scheme.name;
  plan.ranges = input.ranges;
  double total = 0;
  for (const Site& site : input.sites.sites) total += multiply_adds(site, input.output_elements);
  std::unordered_map<std::string, const NodeNote*> notes;
  for (const NodeNote& note : input.sites.notes) notes.emplace(note.node, &note);
  for (const auto& scope : scopes.all()) {
    for (const onnx::NodeProto& node : scope->graph->node()) {
      const std::string key = scope->key(node);
      if (const Site* site = input.sites.find(key)) {
        std::optional<double> share;
        if (total > 0 && input.output_elements.contains(site->output))
          share = multiply_adds(*site, input.output_elements) / total;
        plan.nodes.push_back(site_plan(*site, node.op_type(), share, input));
        continue;
      }
      const auto it = notes.find(key);
      NodePlan other;
      other.node = key;
      other.op_type = node.op_type();
      other.reason = it == notes.end() ? "" : it->second->reason;
      plan.nodes.push_back(std::move(other));
    }
  }
  const auto kept = kept_weights(scopes, input.keep);
  for (const WeightSite& site : input.sites.weights) {
    WeightPlan weight = stored(input.model, scopes, site);
    if (const auto it = kept.find(site.tensor); it != kept.end() && site.may_change)
      keep_weight(weight, *it->second);
    plan.weights.push_back(std::move(weight));
  }
  return plan;
}

std::vector<Form> forms_after(const Scheme& scheme, const Site& site, Form from,
                              const std::map<std::string, Range>& ranges) {
  const auto ladder = scheme.ladder(site.kind);
  const auto at = std::find(ladder.begin(), ladder.end(), from);
  std::vector<Form> result;
  if (at == ladder.end()) return result;
  std::copy_if(at + 1, ladder.end(), std::back_inserter(result),
               [&](Form form) { return can_take(site, form, ranges); });
  return result;
}

}  // namespace ingot::quant
