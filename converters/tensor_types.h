// SPDX-License-Identifier: Apache-2.0
// Types and shapes by inference, computed only when somebody first asks.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "graph/graph_index.h"

namespace ingot::converters {

/// Of the values of the main graph. Deeply nested models have no inferred types: ONNX's inference
/// visits each level twice, so that its time doubles with each.
class TensorTypes {
 public:
  explicit TensorTypes(const graph::Model& model) : model_(model) {}

  /// What is known of `name`; nullptr when nothing is.
  const graph::ValueType* find(const std::string& name);
  /// The shape of `name`; nullptr when it is not known.
  const Shape* shape(const std::string& name);
  /// The rank of `name`, when it is known.
  std::optional<int> rank(const std::string& name);

 private:
  const graph::Model& model_;
  std::optional<std::unordered_map<std::string, graph::ValueType>> types_;
};

/// How many graphs lie inside one another, the main graph included.
int nesting_depth(const onnx::GraphProto& graph);

}  // namespace ingot::converters
