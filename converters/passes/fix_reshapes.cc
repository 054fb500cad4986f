// SPDX-License-Identifier: Apache-2.0
// A Reshape to a shape that is computed from shapes: what is known of the result is written down as
// a constant, with 0 and -1 for what is fed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "converters/edits.h"
#include "converters/fixed_shape.h"
#include "converters/passes/passes.h"

namespace ingot::converters {
namespace {

/// "[0,-1,64]".
std::string text_of(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ",")); }

void fix_in(PassContext& context, onnx::GraphProto& graph) {
  const graph::GraphIndex index(context.model, graph);
  Edits edits;
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    if (!is_op(&node, "Reshape") || !has_input(node, 1) || node.output_size() != 1) continue;
    if (graph::int_attribute(node, "allowzero", 0) != 0) continue;
    // Only what this graph computes: a constant is fixed already, and an input is the caller's.
    if (index.producer(node.input(1)) == nullptr || index.constant(node.input(1))) continue;
    const auto shape =
        fixed_shape(context.types, graph, node.input(0), node.output(0), std::nullopt);
    if (!shape) continue;
    const std::string fixed = context.names.fresh(graph::node_key(node) + "_shape");
    context.changed(graph::describe(node), "its shape was written down as " + text_of(*shape));
    context.model.add_initializer(
        graph, fixed, Tensor::of<std::int64_t>({static_cast<std::int64_t>(shape->size())}, *shape));
    edits.set_input(node, 1, fixed);
  }
  edits.apply(graph);
}

}  // namespace

void fix_reshapes(PassContext& context) {
  graph::for_each_graph(context.model.proto(),
                        [&](onnx::GraphProto& graph) { fix_in(context, graph); });
}

}  // namespace ingot::converters
