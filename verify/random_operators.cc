// SPDX-License-Identifier: Apache-2.0
#include "verify/random_operators.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "graph/graph_index.h"

namespace ingot::verify {
namespace {

constexpr std::array<std::string_view, 6> kAlwaysRandom{"RandomNormal",  "RandomNormalLike",
                                                        "RandomUniform", "RandomUniformLike",
                                                        "Multinomial",   "Bernoulli"};

bool is_standard(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

/// Dropout draws when its third input, training_mode, is true (opset 12 and above). One that is
/// computed counts as true.
bool is_training_dropout(const onnx::NodeProto& node, const graph::Model& model,
                         const onnx::GraphProto* graph) {
  if (node.op_type() != "Dropout" || node.input_size() < 3 || node.input(2).empty()) return false;
  const auto is_true = [&](const onnx::TensorProto& tensor) {
    const TensorView view = model.view(tensor);
    return view.bytes.empty() || view.bytes[0] != std::byte{0};
  };
  if (graph == nullptr) return true;
  for (const onnx::TensorProto& tensor : graph->initializer()) {
    if (tensor.name() == node.input(2)) return is_true(tensor);
  }
  for (const onnx::NodeProto& other : graph->node()) {
    if (other.op_type() != "Constant" || other.output_size() != 1 ||
        other.output(0) != node.input(2)) {
      continue;
    }
    const auto* value = graph::find_attribute(other, "value");
    return value == nullptr || is_true(value->t());
  }
  return true;
}

}  // namespace

std::vector<std::string> random_operators(const graph::Model& model) {
  std::vector<std::string> found;
  const auto look_at = [&](const onnx::NodeProto& node, const onnx::GraphProto* graph) {
    if (!is_standard(node.domain())) return;
    const bool always = std::find(kAlwaysRandom.begin(), kAlwaysRandom.end(), node.op_type()) !=
                        kAlwaysRandom.end();
    if (always || is_training_dropout(node, model, graph)) found.push_back(graph::describe(node));
  };
  graph::for_each_graph(model.proto(), [&](const onnx::GraphProto& graph) {
    for (const onnx::NodeProto& node : graph.node()) look_at(node, &graph);
  });
  for (const onnx::FunctionProto& function : model.proto().functions()) {
    for (const onnx::NodeProto& node : function.node()) look_at(node, nullptr);
  }
  return found;
}

}  // namespace ingot::verify
