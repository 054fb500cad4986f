// SPDX-License-Identifier: Apache-2.0
// Types and shapes by inference.
#include "converters/tensor_types.h"

#include <algorithm>

namespace ingot::converters {
namespace {

constexpr int kMaxInferredDepth = 8;

}  // namespace

const graph::ValueType* TensorTypes::find(const std::string& name) {
  if (!types_) {
    types_.emplace();
    if (nesting_depth(model_.graph()) <= kMaxInferredDepth) types_ = graph::infer_types(model_);
  }
  const auto found = types_->find(name);
  return found == types_->end() ? nullptr : &found->second;
}

const Shape* TensorTypes::shape(const std::string& name) {
  const graph::ValueType* known = find(name);
  return known != nullptr && known->shape ? &*known->shape : nullptr;
}

std::optional<int> TensorTypes::rank(const std::string& name) {
  const Shape* known = shape(name);
  if (known == nullptr) return std::nullopt;
  return static_cast<int>(known->size());
}

int nesting_depth(const onnx::GraphProto& graph) {
  int below = 0;
  for (const auto& node : graph.node()) {
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) below = std::max(below, nesting_depth(attribute.g()));
      for (const auto& inner : attribute.graphs()) below = std::max(below, nesting_depth(inner));
    }
  }
  return below + 1;
}

}  // namespace ingot::converters
