// SPDX-License-Identifier: Apache-2.0
// Gives a second node of one name another: the runtime refuses two in one graph, and patterns,
// plans and reports go by names. Nodes without a name stay so.
#include <fmt/format.h>

#include <string>
#include <unordered_set>

#include "converters/passes/passes.h"

namespace ingot::converters {

void name_nodes(PassContext& context) {
  graph::for_each_graph(context.model.proto(), [&](onnx::GraphProto& graph) {
    std::unordered_set<std::string> seen;
    for (onnx::NodeProto& node : *graph.mutable_node()) {
      if (node.name().empty() || seen.insert(node.name()).second) continue;
      const std::string old = node.name();
      node.set_name(context.names.fresh(old));
      context.changed(graph::describe(node), fmt::format("was a second node '{}'", old));
      context.reporter.warn(
          fmt::format("two nodes are named '{}'; the later one is now '{}'", old, node.name()));
    }
  });
}

}  // namespace ingot::converters
