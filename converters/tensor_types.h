// SPDX-License-Identifier: Apache-2.0
// Types and shapes by inference, computed only when somebody first asks.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "graph/graph_index.h"
#include "graph/type_inference.h"

namespace ingot::converters {

/// Of the values of every graph, inferred once: valid while edits leave every name its meaning.
class TensorTypes {
 public:
  explicit TensorTypes(const graph::Model& model) : model_(model) {}

  /// What is known of `name` as `graph` sees it; nullptr when nothing is.
  const graph::ValueType* find(const onnx::GraphProto& graph, const std::string& name);
  /// The same for the main graph.
  const graph::ValueType* find(const std::string& name) { return find(model_.graph(), name); }
  /// The shape of `name` in the main graph; nullptr when it is not known.
  const Shape* shape(const std::string& name);
  /// The rank of `name` in the main graph, when it is known.
  std::optional<int> rank(const std::string& name);

 private:
  const graph::Model& model_;
  std::optional<graph::GraphTypes> types_;
  std::unordered_map<const onnx::TypeProto*, graph::ValueType> found_;
};

}  // namespace ingot::converters
