// SPDX-License-Identifier: Apache-2.0
// Removes nodes whose results nobody reads, and then the weights that nobody reads. Nodes of
// foreign domains may do more than compute: they stay.
#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "converters/passes/passes.h"
#include "graph/captures.h"

namespace ingot::converters {
namespace {

using Names = std::unordered_set<std::string_view>;

bool is_standard(std::string_view domain) {
  return domain.empty() || domain == "ai.onnx" || domain == "ai.onnx.ml";
}

void remove_in(PassContext& context, onnx::GraphProto& graph) {
  Names needed;
  for (const auto& output : graph.output()) needed.insert(output.name());
  std::unordered_set<const onnx::NodeProto*> dead;
  const auto& nodes = graph.node();
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    const bool read = std::ranges::any_of(node->output(), [&](const std::string& name) {
      return !name.empty() && needed.contains(name);
    });
    if (!read && is_standard(node->domain()) && node->output_size() > 0) {
      context.changed(graph::describe(*node), "nobody reads what it writes");
      dead.insert(&*node);
      continue;
    }
    needed.insert(node->input().begin(), node->input().end());
    needed.merge(graph::captures_of(*node));
  }
  if (!dead.empty()) graph::erase_nodes(graph, dead);
  const std::size_t weights = graph::erase_unused_initializers(graph);
  if (weights > 0) {
    context.changed("graph '" + graph.name() + "'", std::to_string(weights) +
                                                        (weights == 1 ? " weight" : " weights") +
                                                        " that nobody reads removed");
  }
}

}  // namespace

void remove_dead_code(PassContext& context) {
  graph::for_each_graph(context.model.proto(),
                        [&](onnx::GraphProto& graph) { remove_in(context, graph); });
}

}  // namespace ingot::converters
