// SPDX-License-Identifier: Apache-2.0
// Reshape, Squeeze, Unsqueeze and Flatten keep the elements in their order, so of several in a row
// only the last shape counts: it is given to the first tensor, or nothing is left to do.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "converters/edits.h"
#include "converters/evaluators.h"
#include "converters/fixed_shape.h"
#include "converters/passes/passes.h"

namespace ingot::converters {
namespace {

bool is_view(const onnx::NodeProto* node) {
  if (node == nullptr || node->output_size() != 1 || !has_input(*node, 0)) return false;
  return is_op(node, "Reshape") || is_op(node, "Squeeze") || is_op(node, "Unsqueeze") ||
         is_op(node, "Flatten");
}

class Merger {
 public:
  Merger(PassContext& context, onnx::GraphProto& graph)
      : context_(context),
        graph_(graph),
        index_(context.model, graph),
        opset_(graph::opset_version(context.model.proto())) {}

  void run() {
    for (onnx::NodeProto& node : *graph_.mutable_node()) {
      if (!is_view(&node) || edits_.touched(node)) continue;
      onnx::NodeProto* before = index_.producer(node.input(0));
      if (!is_view(before) || edits_.touched(*before)) continue;
      merge(node, *before);
    }
    edits_.apply(graph_);
  }

 private:
  void merge(onnx::NodeProto& node, onnx::NodeProto& before) {
    const std::string& source = before.input(0);
    if (context_.types.same_shape(graph_, source, node.output(0))) {
      // Readers of the result can read the source; the first of the two may have other readers.
      if (index_.is_graph_output(node.output(0))) return;
      context_.changed(graph::describe(node), fmt::format("undoes {}", graph::describe(before)));
      edits_.replace_uses(node.output(0), source);
      edits_.remove(node);
      edits_.touch(before);
      return;
    }
    if (ignores_shape_of_input(node)) {
      read(node, before);
    } else if (opset_ >= 5 && index_.only_consumer(node.input(0)) == &node) {
      replace(node, before);
    }
  }

  /// A Reshape whose constant shape copies no dimension of what it reads.
  bool ignores_shape_of_input(const onnx::NodeProto& node) const {
    if (node.op_type() != "Reshape") return false;
    std::optional<Ints> wanted;
    if (graph::find_attribute(node, "shape") != nullptr) {
      wanted = graph::ints_attribute(node, "shape");
    } else if (has_input(node, 1)) {
      const auto value = index_.constant(node.input(1));
      if (value) wanted = int_values(*value);
    }
    return wanted && std::ranges::find(*wanted, 0) == wanted->end();
  }

  void read(onnx::NodeProto& node, onnx::NodeProto& before) {
    context_.changed(graph::describe(node),
                     fmt::format("reads what {} reads", graph::describe(before)));
    edits_.set_input(node, 0, before.input(0));
    edits_.touch(before);
  }

  /// Both as one Reshape, where the result's shape can be written down.
  void replace(onnx::NodeProto& node, onnx::NodeProto& before) {
    const auto shape =
        fixed_shape(context_.types, graph_, before.input(0), node.output(0), std::nullopt);
    if (!shape) return;
    context_.changed(graph::describe(node),
                     fmt::format("is one Reshape together with {}", graph::describe(before)));
    onnx::NodeProto reshape;
    reshape.set_op_type("Reshape");
    reshape.set_name(node.name());
    reshape.add_input(before.input(0));
    reshape.add_input(context_.names.fresh(graph::node_key(node) + "_shape"));
    reshape.add_output(node.output(0));
    context_.model.add_initializer(
        graph_, reshape.input(1),
        Tensor::of<std::int64_t>({static_cast<std::int64_t>(shape->size())}, *shape));
    edits_.replace(node, std::move(reshape));
    edits_.remove(before);
  }

  PassContext& context_;
  onnx::GraphProto& graph_;
  graph::GraphIndex index_;
  Edits edits_;
  std::int64_t opset_;
};

}  // namespace

void merge_reshapes(PassContext& context) {
  graph::for_each_graph(context.model.proto(),
                        [&](onnx::GraphProto& graph) { Merger(context, graph).run(); });
}

}  // namespace ingot::converters
