// SPDX-License-Identifier: Apache-2.0
#include "quant/emit.h"

#include <fmt/format.h>

#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "quant/forms/forms.h"
#include "quant/weight_values.h"

namespace ingot::quant {
namespace {

/// A model about to be written to: its graphs as they came, their nodes by key, a writer for each.
class Workplace {
 public:
  Workplace(graph::Model& model, const std::map<std::string, Range>& ranges)
      : scopes_(model), names_(model) {
    for (const auto& scope : scopes_.all()) {
      writers_.push_back(
          std::make_unique<FormWriter>(model, scopes_, *scope, ranges, names_, weights_));
      for (onnx::NodeProto& node : *scope->graph->mutable_node())
        nodes_.emplace(scope->key(node), std::pair(&node, scope->graph));
    }
  }

  const onnx::NodeProto& node(const std::string& key) const { return *nodes_.at(key).first; }
  graph::NameMaker& names() { return names_; }
  FormWriter& writer(const Site& site) { return *writers_[site.graph]; }

  Written write(const Site& site, Form form, const std::string& output, bool chain) {
    const FormRow& row = form_row(form);
    if (const std::string reason = row.objection(site, row); !reason.empty()) {
      throw Error(Code::kInput, fmt::format("the plan makes '{}' {}, which it cannot be: {}",
                                            site.node, row.name, reason));
    }
    return row.write({writer(site), site, node(site.node), output, chain, row.blocks});
  }

  void doom(const std::string& key) {
    const auto& [node, graph] = nodes_.at(key);
    doomed_[graph].insert(node);
  }

  void erase_doomed() {
    for (const auto& scope : scopes_.all())
      graph::erase_nodes(*scope->graph, doomed_[scope->graph]);
  }

  void sort() {
    for (const auto& scope : scopes_.all()) graph::sort_nodes(*scope->graph, outer_names(*scope));
  }

 private:
  static std::unordered_set<std::string> outer_names(const Scope& scope) {
    std::unordered_set<std::string> names;
    for (const Scope* outer = scope.outer; outer != nullptr; outer = outer->outer) {
      for (const auto& input : outer->graph->input()) names.insert(input.name());
      for (const auto& tensor : outer->graph->initializer()) names.insert(tensor.name());
      for (const auto& node : outer->graph->node())
        names.insert(node.output().begin(), node.output().end());
    }
    return names;
  }

  Scopes scopes_;
  graph::NameMaker names_;
  WeightCache weights_;
  std::vector<std::unique_ptr<FormWriter>> writers_;
  std::unordered_map<std::string, std::pair<onnx::NodeProto*, onnx::GraphProto*>> nodes_;
  std::unordered_map<onnx::GraphProto*, std::unordered_set<const onnx::NodeProto*>> doomed_;
};

void record_weight(Plan& plan, const std::string& tensor, const Site& site,
                   const Written& written) {
  WeightPlan* weight = plan.find_weight(tensor);
  if (weight == nullptr) return;  // smaller than kSmallWeight
  const bool again = weight->storage == Storage::kKernel;
  weight->storage = Storage::kKernel;
  weight->granularity = "channel";
  weight->reason = fmt::format("read by the {} form of '{}'",
                               form_name(plan.find_node(site.node)->form), site.node);
  if (!again) weight->bytes_after = written.bytes;
  weight->error_db = written.error_db;
}

void emit_forms(graph::Model& model, const Sites& sites, Plan& plan) {
  Workplace place(model, plan.ranges);
  for (const Site& site : sites.sites) {
    const NodePlan* node = plan.find_node(site.node);
    if (node == nullptr || node->form == Form::kFloat) continue;
    const Written written = place.write(site, node->form, site.output, true);
    record_weight(plan, site.weight, site, written);
    for (const std::string& key : {site.node, site.bias_add, site.activation}) {
      if (!key.empty()) place.doom(key);
    }
  }
  place.erase_doomed();
  place.sort();
}

/// Transposes that only replaced nodes read, and every initializer that nothing reads any more.
void erase_leftovers(graph::Model& model, const Sites& sites) {
  std::unordered_set<std::string> transposes;
  for (const Site& site : sites.sites) {
    if (!site.transpose.empty()) transposes.insert(site.transpose);
  }
  const Scopes scopes(model);
  for (const auto& scope : scopes.all()) {
    std::unordered_set<const onnx::NodeProto*> unread;
    for (const onnx::NodeProto& node : scope->graph->node()) {
      if (!transposes.contains(scope->key(node))) continue;
      const std::string& out = node.output(0);
      if (scope->index.uses(out).empty() && !scope->index.used_below(out) &&
          !scope->index.is_graph_output(out))
        unread.insert(&node);
    }
    graph::erase_nodes(*scope->graph, unread);
  }
  graph::for_each_graph(model.proto(),
                        [](onnx::GraphProto& graph) { graph::erase_unused_initializers(graph); });
}

/// Replaces initializer `name` by nodes that compute a tensor of that name from smaller ones.
void store_int8(graph::Model& model, onnx::GraphProto& graph, graph::NameMaker& names,
                const onnx::TensorProto& tensor, const ChannelLayout& layout, WeightPlan& plan) {
  const std::string name = tensor.name();
  const TensorView view = model.view(tensor);
  const Shape shape = view.shape;
  const WeightValues weight(view);
  const auto values = weight.get();
  const ChannelWeights quantized = quantize_weights(values, layout);
  plan.error_db = sqnr_db(values, dequantize_weights(quantized, layout));
  plan.granularity = "channel";
  plan.bytes_after = quantized.values.size() + quantized.scales.size() * sizeof(float);
  const std::string q = names.fresh(name + "_int8"), scale = names.fresh(name + "_int8_scale"),
                    wide = names.fresh(name + "_int8_wide");
  model.add_initializer(graph, q, Tensor::of<std::int8_t>(shape, quantized.values));
  model.add_initializer(graph, scale, Tensor::of<float>(layout.scale_shape, quantized.scales));
  graph::set_attribute(graph::add_node(graph, "Cast", names.fresh(name + "_Cast"), {q}, {wide}),
                       "to", std::int64_t{onnx::TensorProto::FLOAT});
  graph::add_node(graph, "Mul", names.fresh(name + "_Mul"), {wide, scale}, {name});
}

void store_float16(graph::Model& model, onnx::GraphProto& graph, graph::NameMaker& names,
                   const onnx::TensorProto& tensor, WeightPlan& plan) {
  const std::string name = tensor.name();
  const TensorView view = model.view(tensor);
  const WeightValues weight(view);
  const auto values = weight.get();
  Tensor half = Tensor::zeros(DType::kFloat16, view.shape);
  std::vector<float> back(values.size());
  const auto out = half.as_mutable<std::uint16_t>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    out[i] = float_to_half(values[i]);
    back[i] = half_to_float(out[i]);
  }
  plan.error_db = sqnr_db(values, back);
  plan.bytes_after = half.bytes.size();
  const std::string h = names.fresh(name + "_float16");
  model.add_initializer(graph, h, std::move(half));
  graph::set_attribute(graph::add_node(graph, "Cast", names.fresh(name + "_Cast"), {h}, {name}),
                       "to", std::int64_t{onnx::TensorProto::FLOAT});
}

void emit_storage(graph::Model& model, onnx::GraphProto& graph, graph::NameMaker& names,
                  const Sites& sites, Plan& plan) {
  std::unordered_map<std::string, const WeightSite*> layouts;
  for (const WeightSite& site : sites.weights) layouts.emplace(site.tensor, &site);
  std::unordered_set<std::string> replaced;
  // Copies of the descriptors: adding initializers moves the list.
  std::vector<onnx::TensorProto> tensors(graph.initializer().begin(), graph.initializer().end());
  for (const onnx::TensorProto& tensor : tensors) {
    WeightPlan* weight = plan.find_weight(tensor.name());
    if (weight == nullptr ||
        (weight->storage != Storage::kInt8 && weight->storage != Storage::kFloat16))
      continue;
    const auto it = layouts.find(tensor.name());
    if (it == layouts.end() || !it->second->may_change ||
        (weight->storage == Storage::kInt8 && !it->second->layout)) {
      throw Error(Code::kInput,
                  fmt::format("the plan stores weight '{}' as {}, which this model does not allow",
                              tensor.name(), storage_name(weight->storage)));
    }
    if (weight->storage == Storage::kInt8) {
      store_int8(model, graph, names, tensor, *it->second->layout, *weight);
    } else {
      store_float16(model, graph, names, tensor, *weight);
    }
    replaced.insert(tensor.name());
  }
  onnx::GraphProto kept;
  for (onnx::TensorProto& tensor : *graph.mutable_initializer()) {
    if (!replaced.contains(tensor.name())) *kept.add_initializer() = std::move(tensor);
  }
  graph.mutable_initializer()->Swap(kept.mutable_initializer());
}

}  // namespace

void emit(graph::Model& model, const Sites& sites, Plan& plan) {
  emit_forms(model, sites, plan);
  erase_leftovers(model, sites);
  graph::NameMaker names(model);
  graph::for_each_graph(model.proto(), [&](onnx::GraphProto& graph) {
    emit_storage(model, graph, names, sites, plan);
  });
  Workplace(model, plan.ranges).sort();
}

std::vector<Probe> add_probes(graph::Model& model, const Sites& sites,
                              std::span<const ProbeRequest> requests,
                              const std::map<std::string, Range>& ranges) {
  onnx::GraphProto& graph = model.graph();
  Workplace place(model, ranges);
  graph::NameMaker& names = place.names();
  std::vector<Probe> probes;
  graph.clear_output();
  const auto scalar_output = [&graph](const std::string& name) {
    onnx::ValueInfoProto& info = *graph.add_output();
    info.set_name(name);
    info.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
  };
  for (const ProbeRequest& request : requests) {
    const Site& site = *sites.find(request.node);
    INGOT_CHECK(site.graph == 0);
    const std::string twin = names.fresh(site.output + "_probe_twin");
    place.write(site, request.form, twin, false);
    Probe probe{request, names.fresh(site.output + "_probe_signal"),
                names.fresh(site.output + "_probe_noise")};
    const std::string difference = names.fresh(site.output + "_probe_difference");
    graph::add_node(graph, "Sub", names.fresh(site.node + "_probe_sub"), {site.output, twin},
                    {difference});
    for (const auto& [in, out] :
         {std::pair{site.output, probe.signal}, std::pair{difference, probe.noise}}) {
      graph::set_attribute(
          graph::add_node(graph, "ReduceSumSquare", names.fresh(out + "_sum"), {in}, {out}),
          "keepdims", std::int64_t{0});
      scalar_output(out);
    }
    probes.push_back(std::move(probe));
  }
  place.sort();
  return probes;
}

}  // namespace ingot::quant
