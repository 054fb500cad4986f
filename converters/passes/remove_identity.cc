// SPDX-License-Identifier: Apache-2.0
// Identity, and Dropout in inference, pass their input on: readers are pointed at the input.
#include <algorithm>

#include "converters/constants.h"
#include "converters/edits.h"
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
  if (!node.domain().empty() && node.domain() != "ai.onnx") return false;
  if (node.input_size() < 1 || node.input(0).empty() || node.output_size() < 1) return false;
  if (node.op_type() == "Identity") return true;
  return node.op_type() == "Dropout" && is_dropped_out_only_in_training(node, index, opset);
}

void remove_in(PassContext& context, onnx::GraphProto& graph, std::int64_t opset) {
  const graph::GraphIndex index(context.model, graph);
  Edits edits;
  for (const onnx::NodeProto& node : graph.node()) {
    if (edits.touched(node) || !passes_on(node, index, opset)) continue;
    const std::string &from = node.input(0), &to = node.output(0);
    onnx::NodeProto* producer = index.producer(from);
    if (producer != nullptr && edits.touched(*producer)) continue;  // a chain: next round
    if (index.is_graph_output(to)) {
      // The output's name must stay, so the producer takes it over; inputs, weights and outer
      // tensors keep theirs.
      if (producer == nullptr || index.is_graph_output(from)) continue;
      const auto slot = std::ranges::find(producer->output(), from) - producer->output().begin();
      edits.rename_output(*producer, static_cast<int>(slot), to);
      edits.replace_uses(from, to);
    } else {
      edits.replace_uses(to, from);
      if (producer != nullptr) edits.touch(*producer);
    }
    context.changed(graph::describe(node), "only passes its input on");
    edits.remove(node);
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
