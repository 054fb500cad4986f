// SPDX-License-Identifier: Apache-2.0
#include "quant/sites.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "quant/rules.h"
#include "quant/weight_values.h"

namespace ingot::quant {
namespace {

using graph::GraphIndex;
using graph::node_key;

/// A constant [1] or rank-0 float of `name`, as Clip's bounds are.
std::optional<float> scalar(const GraphIndex& index, const std::string& name) {
  const auto value = index.constant(name);
  if (!value || value->dtype != DType::kFloat || value->count() != 1) return std::nullopt;
  return value->as<float>()[0];
}

/// True when quantizing the output of `node` to uint8 with zero point 0 makes it superfluous: it
/// only cuts off what is below 0 (and above a bound that the calibrated range respects anyway).
bool cuts_at_zero(const GraphIndex& index, const onnx::NodeProto& node) {
  if (!node.domain().empty()) return false;
  if (node.op_type() == "Relu") return true;
  if (node.op_type() != "Clip") return false;
  if (node.input_size() > 1 && !node.input(1).empty()) return scalar(index, node.input(1)) == 0.0F;
  return node.input_size() <= 1 && graph::find_attribute(node, "min") != nullptr &&
         graph::float_attribute(node, "min", -1) == 0;
}

Site conv_site(const GraphIndex& index, onnx::NodeProto& node) {
  Site site;
  site.kind = SiteKind::kConv;
  site.node = node_key(node);
  site.weight = node.input(1);
  if (node.input_size() > 2) site.bias = node.input(2);
  site.input = node.input(0);
  site.output = node.output(0);
  site.output_is_quantized = true;
  const Shape shape = index.constant(site.weight)->shape;
  site.layout = ChannelLayout::along(shape, 0);
  site.multiply_adds_per_output = element_count({shape.begin() + 1, shape.end()});
  const onnx::NodeProto* next = index.only_consumer(site.output);
  if (next != nullptr && cuts_at_zero(index, *next) && next->input(0) == site.output) {
    site.activation = node_key(*next);
    site.output = next->output(0);
  }
  return site;
}

Site matmul_site(const GraphIndex& index, onnx::NodeProto& node) {
  Site site;
  site.kind = SiteKind::kMatMul;
  site.node = node_key(node);
  site.weight = node.input(1);
  site.input = node.input(0);
  site.output = node.output(0);
  const bool gemm = node.op_type() == "Gemm";
  site.transposed_weight = gemm && graph::int_attribute(node, "transB", 0) != 0;
  const Shape shape = index.constant(site.weight)->shape;
  const std::size_t channel_axis = site.transposed_weight ? 0 : 1;
  site.layout = ChannelLayout::along(shape, channel_axis);
  site.multiply_adds_per_output = shape[1 - channel_axis];
  if (gemm) {
    if (node.input_size() > 2) site.bias = node.input(2);
    return site;
  }
  const onnx::NodeProto* next = index.only_consumer(site.output);
  if (next == nullptr || next->op_type() != "Add" || !next->domain().empty()) return site;
  const std::string& other = next->input(0) == site.output ? next->input(1) : next->input(0);
  const auto bias = index.constant(other);
  if (bias && bias->dtype == DType::kFloat && bias->shape == Shape{shape[channel_axis]} &&
      index.initializer(other) != nullptr && all_finite(WeightValues(*bias).get())) {
    site.bias = other;
    site.bias_add = node_key(*next);
    site.output = next->output(0);
  }
  return site;
}

/// How the first consumer reads the weight decides its channels.
std::optional<ChannelLayout> layout_for(const graph::Use& use, const Shape& shape) {
  const std::string& op = use.node->op_type();
  const std::size_t rank = shape.size();
  if (!use.node->domain().empty() || rank < 2) return std::nullopt;
  if (op == "Conv" && use.slot == 1) return ChannelLayout::along(shape, 0);
  if (op == "ConvTranspose" && use.slot == 1) return ChannelLayout::along(shape, 1);
  if (op == "MatMul") return ChannelLayout::along(shape, use.slot == 1 ? rank - 1 : rank - 2);
  if (op == "Gemm" && use.slot == 1) {
    return ChannelLayout::along(shape, graph::int_attribute(*use.node, "transB", 0) != 0 ? 0 : 1);
  }
  if ((op == "LSTM" || op == "GRU" || op == "RNN") && (use.slot == 1 || use.slot == 2))
    return ChannelLayout::rows(shape);
  if (op == "Gather" && use.slot == 0 && graph::int_attribute(*use.node, "axis", 0) == 0)
    return ChannelLayout::along(shape, 0);
  return std::nullopt;
}

WeightSite weight_site(const GraphIndex& index, const onnx::TensorProto& tensor,
                       const TensorView& view) {
  WeightSite site;
  site.tensor = tensor.name();
  const auto stay = [&site](std::string reason) {
    site.may_change = false;
    site.reason = std::move(reason);
    return site;
  };
  if (index.is_graph_input(tensor.name())) return stay("it is also an input of the model");
  if (index.is_graph_output(tensor.name())) return stay("it is also an output of the model");
  const auto& uses = index.uses(tensor.name());
  if (uses.empty()) return stay("only nested graphs read it");
  for (const graph::Use& use : uses) {
    const std::string& op = use.node->op_type();
    if (op == "QuantizeLinear" || op == "DequantizeLinear")
      return stay("it is a scale of an already quantized part");
    if (!use.node->domain().empty() && use.node->domain() != "ai.onnx") {
      return stay(fmt::format("{} of domain '{}' reads it", graph::describe(*use.node),
                              use.node->domain()));
    }
  }
  if (!all_finite(WeightValues(view).get())) return stay("it holds NaN or Inf");
  site.layout = layout_for(uses.front(), view.shape);
  if (!site.layout)
    site.reason =
        fmt::format("{} reads it: no channels to scale by", graph::describe(*uses.front().node));
  return site;
}

}  // namespace

const Site* Sites::find(std::string_view node) const {
  const auto it =
      std::find_if(sites.begin(), sites.end(), [&](const Site& site) { return site.node == node; });
  return it == sites.end() ? nullptr : &*it;
}

Sites find_sites(graph::Model& model) {
  onnx::GraphProto& graph = model.graph();
  const GraphIndex index(model, graph);
  const std::int64_t opset = graph::opset_version(model.proto());
  Sites result;
  std::unordered_map<std::string, std::string> absorbed;  // node key → site that takes it over
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    const std::string key = node_key(node);
    if (const auto it = absorbed.find(key); it != absorbed.end()) {
      result.notes.push_back({key, node.op_type(), fmt::format("part of '{}'", it->second)});
      continue;
    }
    if (std::string reason = first_objection({node, index, opset}); !reason.empty()) {
      result.notes.push_back({key, node.op_type(), std::move(reason)});
      continue;
    }
    Site site = node.op_type() == "Conv" ? conv_site(index, node) : matmul_site(index, node);
    for (const std::string& part : {site.bias_add, site.activation}) {
      if (!part.empty()) absorbed.emplace(part, site.node);
    }
    result.sites.push_back(std::move(site));
  }
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    if (tensor.data_type() != onnx::TensorProto::FLOAT) continue;
    const TensorView view = model.view(tensor);
    if (view.count() < kSmallWeight) continue;
    result.weights.push_back(weight_site(index, tensor, view));
  }
  return result;
}

}  // namespace ingot::quant
