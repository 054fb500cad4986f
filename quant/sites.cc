// SPDX-License-Identifier: Apache-2.0
#include "quant/sites.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "quant/rules.h"
#include "quant/weight_values.h"

namespace ingot::quant {
namespace {

/// A constant [1] or rank-0 float of `name`, as Clip's bounds are.
std::optional<float> scalar(const Scope& scope, const std::string& name) {
  const auto value = scope.constant(name);
  if (!value || value->dtype != DType::kFloat || value->count() != 1) return std::nullopt;
  return value->as<float>()[0];
}

/// True when quantizing the output of `node` to uint8 with zero point 0 makes it superfluous: it
/// only cuts off what is below 0 (and above a bound that the calibrated range respects anyway).
bool cuts_at_zero(const Scope& scope, const onnx::NodeProto& node) {
  if (!node.domain().empty()) return false;
  if (node.op_type() == "Relu") return true;
  if (node.op_type() != "Clip") return false;
  if (node.input_size() > 1 && !node.input(1).empty()) return scalar(scope, node.input(1)) == 0.0F;
  return node.input_size() <= 1 && graph::find_attribute(node, "min") != nullptr &&
         graph::float_attribute(node, "min", -1) == 0;
}

Site conv_site(const Scope& scope, const onnx::NodeProto& node) {
  Site site;
  site.kind = SiteKind::kConv;
  site.weight = node.input(1);
  if (node.input_size() > 2) site.bias = node.input(2);
  site.input = node.input(0);
  site.output = node.output(0);
  site.output_is_quantized = true;
  const Shape shape = scope.constant(site.weight)->shape;
  site.layout = ChannelLayout::along(shape, 0);
  site.multiply_adds_per_output = element_count({shape.begin() + 1, shape.end()});
  const onnx::NodeProto* next = scope.index.only_consumer(site.output);
  if (next != nullptr && cuts_at_zero(scope, *next) && next->input(0) == site.output) {
    site.activation = scope.key(*next);
    site.output = next->output(0);
  }
  return site;
}

Site matmul_site(const Scope& scope, const onnx::NodeProto& node) {
  Site site;
  site.kind = SiteKind::kMatMul;
  const WeightSource source = weight_source(scope, node);
  site.weight = source.name;
  site.transposed_weight = source.transposed;
  if (source.transpose != nullptr) site.transpose = scope.key(*source.transpose);
  site.input = node.input(0);
  site.output = node.output(0);
  const Shape shape = source.owner->index.constant(site.weight)->shape;
  const std::size_t channel_axis = site.transposed_weight ? 0 : 1;
  site.layout = ChannelLayout::along(shape, channel_axis);
  site.multiply_adds_per_output = shape[1 - channel_axis];
  if (node.op_type() == "Gemm") {
    site.alpha = graph::float_attribute(node, "alpha", 1);
    site.beta = graph::float_attribute(node, "beta", 1);
    if (node.input_size() > 2) site.bias = node.input(2);
    return site;
  }
  const onnx::NodeProto* next = scope.index.only_consumer(site.output);
  if (next == nullptr || next->op_type() != "Add" || !next->domain().empty()) return site;
  const std::string& other = next->input(0) == site.output ? next->input(1) : next->input(0);
  const auto bias = scope.constant(other);
  if (bias && bias->dtype == DType::kFloat && bias->shape == Shape{shape[channel_axis]} &&
      all_finite(WeightValues(*bias).get())) {
    site.bias = other;
    site.bias_add = scope.key(*next);
    site.output = next->output(0);
  }
  return site;
}

Site lstm_site(const Scope& scope, const onnx::NodeProto& node) {
  Site site;
  site.kind = SiteKind::kLstm;
  site.weight = node.input(1);
  site.recurrence = node.input(2);
  site.input = node.input(0);
  // Any output that exists: its elements tell how often the kernel runs.
  for (const std::string& output : node.output()) {
    if (site.output.empty()) site.output = output;
  }
  const Shape shape = scope.constant(site.weight)->shape;
  site.layout = ChannelLayout::rows(shape);
  site.multiply_adds_per_output = 4 * (shape[2] + shape[1] / 4);
  return site;
}

Site table_site(const Scope& scope, const onnx::NodeProto& node) {
  Site site;
  site.kind = SiteKind::kTable;
  site.weight = node.input(0);
  site.input = node.input(1);
  site.output = node.output(0);
  site.layout = ChannelLayout::along(scope.constant(site.weight)->shape, 0);
  return site;
}

Site site_of(const Scope& scope, const onnx::NodeProto& node) {
  const std::string& op = node.op_type();
  if (op == "Conv") return conv_site(scope, node);
  if (op == "LSTM") return lstm_site(scope, node);
  return op == "Gather" ? table_site(scope, node) : matmul_site(scope, node);
}

/// How the first consumer reads the weight decides its channels.
std::optional<ChannelLayout> layout_for(const ScopedUse& use, const Shape& shape) {
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

/// Why storing `tensor` in fewer bits is out of the question; empty when it is not.
std::string must_stay(const Scopes& scopes, const Scope& scope, const onnx::TensorProto& tensor) {
  if (scope.index.is_graph_input(tensor.name())) return "it is also an input of the model";
  if (scopes.is_output(scope, tensor.name())) return "it is also an output of the model";
  const auto& uses = scopes.uses(scope, tensor.name());
  if (uses.empty()) return "no node reads it";
  for (const ScopedUse& use : uses) {
    const std::string& op = use.node->op_type();
    if (op == "QuantizeLinear" || op == "DequantizeLinear")
      return "it is a scale of an already quantized part";
    if (!use.node->domain().empty() && use.node->domain() != "ai.onnx") {
      return fmt::format("{} of domain '{}' reads it", graph::describe(*use.node),
                         use.node->domain());
    }
  }
  return {};
}

WeightSite weight_site(const Scopes& scopes, const Scope& scope, const onnx::TensorProto& tensor,
                       const TensorView& view) {
  WeightSite site;
  site.tensor = tensor.name();
  site.reason = must_stay(scopes, scope, tensor);
  if (site.reason.empty() && !all_finite(WeightValues(view).get()))
    site.reason = "it holds NaN or Inf";
  site.may_change = site.reason.empty();
  if (!site.may_change) return site;
  const ScopedUse& first = scopes.uses(scope, tensor.name()).front();
  site.layout = layout_for(first, view.shape);
  if (!site.layout)
    site.reason = fmt::format("{} reads it: no channels to scale by", graph::describe(*first.node));
  return site;
}

/// Adds what one graph holds.
void add_graph(const Scopes& scopes, std::size_t number, std::int64_t opset, Sites& result) {
  const Scope& scope = *scopes.all()[number];
  std::unordered_map<std::string, std::string> absorbed;  // node key → site that takes it over
  for (const onnx::NodeProto& node : scope.graph->node()) {
    const std::string key = scope.key(node);
    if (const auto it = absorbed.find(key); it != absorbed.end()) {
      result.notes.push_back({key, node.op_type(), fmt::format("part of '{}'", it->second)});
      continue;
    }
    if (std::string reason = first_objection({node, scope, scopes, opset}); !reason.empty()) {
      result.notes.push_back({key, node.op_type(), std::move(reason)});
      continue;
    }
    Site site = site_of(scope, node);
    site.node = key;
    site.graph = number;
    site.shared_weight = scopes.uses(*scope.owner(site.weight), site.weight).size() > 1;
    for (const std::string& part : {site.bias_add, site.activation}) {
      if (!part.empty()) absorbed.emplace(part, site.node);
    }
    result.sites.push_back(std::move(site));
  }
}

}  // namespace

const Site* Sites::find(std::string_view node) const {
  const auto it =
      std::find_if(sites.begin(), sites.end(), [&](const Site& site) { return site.node == node; });
  return it == sites.end() ? nullptr : &*it;
}

Sites find_sites(graph::Model& model) {
  const Scopes scopes(model);
  const std::int64_t opset = graph::opset_version(model.proto());
  Sites result;
  for (std::size_t g = 0; g < scopes.all().size(); ++g) {
    add_graph(scopes, g, opset, result);
    for (const onnx::TensorProto& tensor : scopes.all()[g]->graph->initializer()) {
      if (tensor.data_type() != onnx::TensorProto::FLOAT) continue;
      const TensorView view = model.view(tensor);
      if (view.count() < kSmallWeight) continue;
      result.weights.push_back(weight_site(scopes, *scopes.all()[g], tensor, view));
      result.weights.back().graph = g;
    }
  }
  return result;
}

}  // namespace ingot::quant
