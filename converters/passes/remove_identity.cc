// SPDX-License-Identifier: Apache-2.0
// Identity, and Dropout in inference, pass their input on: readers are pointed at the input.
#include "converters/bypass.h"
#include "converters/passes/passes.h"

namespace ingot::converters {
namespace {

bool is_dropped_out_only_in_training(const onnx::NodeProto& node, const graph::GraphIndex& index,
                                     std::int64_t opset) {
  const bool mask_unused =
      node.output_size() < 2 || node.output(1).empty() ||
      (index.uses(node.output(1)).empty() && !index.used_below(node.output(1)) &&
       !index.is_graph_output(node.output(1)));
  if (!mask_unused) return false;
  if (opset < 7) return graph::int_attribute(node, "is_test", 0) != 0;
  if (opset < 12 || node.input_size() < 3 || node.input(2).empty()) return true;
  const auto training = index.constant(node.input(2));
  return training && training->dtype == DType::kBool && training->count() == 1 &&
         training->bytes[0] == std::byte{0};
}

bool passes_on(const onnx::NodeProto& node, const graph::GraphIndex& index, std::int64_t opset) {
  if (!is_standard(node) || node.input_size() < 1 || node.output_size() < 1) return false;
  if (node.input(0).empty() || node.output(0).empty()) return false;
  if (node.op_type() == "Identity") return true;
  return node.op_type() == "Dropout" && is_dropped_out_only_in_training(node, index, opset);
}

void remove_in(PassContext& context, onnx::GraphProto& graph, std::int64_t opset) {
  const graph::GraphIndex index(context.model, graph);
  Edits edits;
  Bypass bypass(index, edits);
  for (const onnx::NodeProto& node : graph.node()) {
    if (!passes_on(node, index, opset) || !bypass.take_out(node, 0)) continue;
    context.changed(graph::describe(node), "only passes its input on");
  }
  edits.apply(graph);
}

}  // namespace

void remove_identity(PassContext& context) {
  const std::int64_t opset = graph::opset_version(context.model.proto());
  graph::for_each_graph(context.model.proto(),
                        [&](onnx::GraphProto& graph) { remove_in(context, graph, opset); });
}

}  // namespace ingot::converters
