// SPDX-License-Identifier: Apache-2.0
#include "quant/emit.h"

#include <fmt/format.h>

#include <unordered_set>

#include "quant/static_form.h"
#include "quant/weight_values.h"

namespace ingot::quant {
namespace {

std::unordered_map<std::string, onnx::NodeProto*> nodes_by_key(onnx::GraphProto& graph) {
  std::unordered_map<std::string, onnx::NodeProto*> nodes;
  for (onnx::NodeProto& node : *graph.mutable_node()) nodes.emplace(graph::node_key(node), &node);
  return nodes;
}

void set_kernel_storage(Plan& plan, const Site& site, std::uint64_t bytes, double error_db) {
  WeightPlan* weight = plan.find_weight(site.weight);
  if (weight == nullptr) return;  // smaller than kSmallWeight
  weight->storage = Storage::kKernel;
  weight->granularity = "channel";
  weight->reason = fmt::format("read by the integer kernel of '{}'", site.node);
  weight->bytes_after = bytes;
  weight->error_db = error_db;
}

void emit_static(graph::Model& model, const Sites& sites, Plan& plan) {
  const auto nodes = nodes_by_key(model.graph());
  std::unordered_map<std::string, const onnx::TensorProto*> initializers;
  for (const onnx::TensorProto& tensor : model.graph().initializer())
    initializers.emplace(tensor.name(), &tensor);
  std::unordered_set<const onnx::NodeProto*> doomed;
  StaticForm form(model, plan.ranges);
  for (const Site& site : sites.sites) {
    const NodePlan* node = plan.find_node(site.node);
    if (node == nullptr || node->form != Form::kStatic) continue;
    const WeightValues weight(model.view(*initializers.at(site.weight)));
    const auto values = weight.get();
    const double error_db =
        sqnr_db(values, dequantize_weights(quantize_weights(values, site.layout), site.layout));
    const std::uint64_t bytes = form.add(site, *nodes.at(site.node), site.output, true);
    set_kernel_storage(plan, site, bytes, error_db);
    for (const std::string& key : {site.node, site.bias_add, site.activation}) {
      if (!key.empty()) doomed.insert(nodes.at(key));
    }
  }
  graph::erase_nodes(model.graph(), doomed);
}

/// Replaces initializer `name` by nodes that compute a tensor of that name from smaller ones.
void store_int8(graph::Model& model, graph::NameMaker& names, const onnx::TensorProto& tensor,
                const ChannelLayout& layout, WeightPlan& plan) {
  onnx::GraphProto& graph = model.graph();
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

void store_float16(graph::Model& model, graph::NameMaker& names, const onnx::TensorProto& tensor,
                   WeightPlan& plan) {
  onnx::GraphProto& graph = model.graph();
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

void emit_storage(graph::Model& model, const Sites& sites, Plan& plan) {
  onnx::GraphProto& graph = model.graph();
  graph::NameMaker names(model);
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
      store_int8(model, names, tensor, *it->second->layout, *weight);
    } else {
      store_float16(model, names, tensor, *weight);
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
  emit_static(model, sites, plan);
  graph::erase_unused_initializers(model.graph());
  emit_storage(model, sites, plan);
  graph::sort_nodes(model.graph());
}

std::vector<Probe> add_probes(graph::Model& model, const Sites& sites,
                              const std::map<std::string, Range>& ranges) {
  onnx::GraphProto& graph = model.graph();
  const auto nodes = nodes_by_key(graph);
  graph::NameMaker names(model);
  StaticForm form(model, ranges);
  std::vector<Probe> probes;
  graph.clear_output();
  const auto scalar_output = [&graph](const std::string& name) {
    onnx::ValueInfoProto& info = *graph.add_output();
    info.set_name(name);
    info.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
  };
  for (const Site& site : sites.sites) {
    const std::string twin = names.fresh(site.output + "_probe_twin");
    form.add(site, *nodes.at(site.node), twin, false);
    Probe probe{site.node, names.fresh(site.output + "_probe_signal"),
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
  graph::sort_nodes(graph);
  return probes;
}

}  // namespace ingot::quant
