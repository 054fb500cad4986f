// SPDX-License-Identifier: Apache-2.0
// Types and shapes by inference, computed only when a pass first asks.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "graph/graph_index.h"

namespace ingot::converters {

class TensorTypes {
 public:
  explicit TensorTypes(const graph::Model& model) : model_(model) {}

  /// The rank of `name` of the main graph, when it is known.
  std::optional<int> rank(const std::string& name) {
    const Shape* known = shape(name);
    if (known == nullptr) return std::nullopt;
    return static_cast<int>(known->size());
  }

  /// The shape of `name` of the main graph; nullptr when it is not known.
  const Shape* shape(const std::string& name) {
    if (!types_) types_ = graph::infer_types(model_);
    const auto found = types_->find(name);
    if (found == types_->end() || !found->second.shape) return nullptr;
    return &*found->second.shape;
  }

 private:
  const graph::Model& model_;
  std::optional<std::unordered_map<std::string, graph::ValueType>> types_;
};

}  // namespace ingot::converters
