// SPDX-License-Identifier: Apache-2.0
// Puts the nodes of every graph in an order in which each reads only what was written before.
#include <string>
#include <unordered_set>
#include <vector>

#include "converters/node_order.h"
#include "converters/passes/passes.h"

namespace ingot::converters {
namespace {

/// Walks graphs outer before inner, knowing what the outer ones define.
class Sorter {
 public:
  explicit Sorter(PassContext& context) : context_(context) {}

  void sort(onnx::GraphProto& graph) {
    if (!is_sorted(graph)) {
      graph::sort_nodes(graph, outer_);
      context_.changed("graph '" + graph.name() + "'", "its nodes were put in order");
    }
    std::vector<std::string> added;
    const auto add = [&](const std::string& name) {
      if (outer_.insert(name).second) added.push_back(name);
    };
    for (const auto& input : graph.input()) add(input.name());
    for (const auto& tensor : graph.initializer()) add(tensor.name());
    for (const auto& tensor : graph.sparse_initializer()) add(tensor.values().name());
    for (const auto& node : graph.node()) {
      for (const std::string& name : node.output()) add(name);
    }
    for (auto& node : *graph.mutable_node()) for_each_subgraph(node, [this](auto& g) { sort(g); });
    for (const std::string& name : added) outer_.erase(name);
  }

 private:
  template <class Visit>
  static void for_each_subgraph(onnx::NodeProto& node, Visit visit) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) visit(*attribute.mutable_g());
      for (auto& graph : *attribute.mutable_graphs()) visit(graph);
    }
  }

  PassContext& context_;
  std::unordered_set<std::string> outer_;
};

}  // namespace

void sort_graphs(PassContext& context) { Sorter(context).sort(context.model.graph()); }

}  // namespace ingot::converters
