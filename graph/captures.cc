// SPDX-License-Identifier: Apache-2.0
#include "graph/captures.h"

#include <algorithm>

namespace ingot::graph {
namespace {

using Names = std::unordered_set<std::string_view>;

Names definitions_of(const onnx::GraphProto& graph) {
  Names defined;
  for (const auto& input : graph.input()) defined.insert(input.name());
  for (const auto& tensor : graph.initializer()) defined.insert(tensor.name());
  for (const auto& sparse : graph.sparse_initializer()) defined.insert(sparse.values().name());
  for (const auto& node : graph.node()) defined.insert(node.output().begin(), node.output().end());
  return defined;
}

void add_free_names(const onnx::GraphProto& graph, Names& free) {
  const Names defined = definitions_of(graph);
  const auto add = [&](std::string_view name) {
    if (!name.empty() && !defined.contains(name)) free.insert(name);
  };
  for (const auto& node : graph.node()) {
    for (const auto& input : node.input()) add(input);
    for (const std::string_view name : captures_of(node)) add(name);
  }
  for (const auto& output : graph.output()) add(output.name());
}

}  // namespace

std::unordered_set<std::string_view> captures_of(const onnx::NodeProto& node) {
  Names free;
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) add_free_names(attribute.g(), free);
    for (const auto& graph : attribute.graphs()) add_free_names(graph, free);
  }
  return free;
}

bool defines(const onnx::GraphProto& graph, std::string_view name) {
  const auto named = [name](const auto& item) { return item.name() == name; };
  return std::any_of(graph.input().begin(), graph.input().end(), named) ||
         std::any_of(graph.initializer().begin(), graph.initializer().end(), named) ||
         std::any_of(graph.node().begin(), graph.node().end(), [name](const onnx::NodeProto& node) {
           return std::find(node.output().begin(), node.output().end(), name) !=
                  node.output().end();
         });
}

}  // namespace ingot::graph
