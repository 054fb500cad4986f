// SPDX-License-Identifier: Apache-2.0
// Constant nodes become initializers of their graph, under the same name.
#include <optional>
#include <string>
#include <vector>

#include "converters/passes/passes.h"

namespace ingot::converters {
namespace {

/// The value of a Constant that is not given as a tensor.
std::optional<Tensor> plain_value(const onnx::AttributeProto& value) {
  const std::string& name = value.name();
  if (name == "value_float") return Tensor::of<float>({}, {value.f()});
  if (name == "value_int") return Tensor::of<std::int64_t>({}, {value.i()});
  if (name == "value_floats") {
    return Tensor::of<float>({value.floats_size()}, {value.floats().begin(), value.floats().end()});
  }
  if (name == "value_ints") {
    return Tensor::of<std::int64_t>({value.ints_size()},
                                    {value.ints().begin(), value.ints().end()});
  }
  return std::nullopt;
}

bool is_liftable(const onnx::NodeProto& node, const graph::GraphIndex& index) {
  if (node.op_type() != "Constant" || !(node.domain().empty() || node.domain() == "ai.onnx")) {
    return false;
  }
  if (node.output_size() != 1 || node.attribute_size() != 1) return false;
  // The runtime wants what a subgraph returns to be written by a node.
  if (index.is_graph_output(node.output(0))) return false;
  const onnx::AttributeProto& value = node.attribute(0);
  return value.name() == "value" ? value.has_t() : plain_value(value).has_value();
}

void lift_in(PassContext& context, onnx::GraphProto& graph) {
  const graph::GraphIndex index(context.model, graph);
  std::unordered_set<const onnx::NodeProto*> lifted;
  std::vector<std::pair<std::string, Tensor>> plain;
  for (const onnx::NodeProto& node : graph.node()) {
    if (!is_liftable(node, index)) continue;
    lifted.insert(&node);
    context.changed(graph::describe(node), "became an initializer");
    const onnx::AttributeProto& value = node.attribute(0);
    if (value.name() == "value") {
      onnx::TensorProto& tensor = *graph.add_initializer();
      tensor.set_name(node.output(0));
      context.model.share(value.t(), tensor);
    } else {
      plain.emplace_back(node.output(0), *plain_value(value));
    }
  }
  if (!lifted.empty()) graph::erase_nodes(graph, lifted);
  for (auto& [name, value] : plain) context.model.add_initializer(graph, name, std::move(value));
}

}  // namespace

void lift_constants(PassContext& context) {
  graph::for_each_graph(context.model.proto(),
                        [&](onnx::GraphProto& graph) { lift_in(context, graph); });
}

}  // namespace ingot::converters
