// SPDX-License-Identifier: Apache-2.0
#include "converters/tensor_types.h"

namespace ingot::converters {

const graph::ValueType* TensorTypes::find(const onnx::GraphProto& graph, const std::string& name) {
  if (!types_) types_ = graph::infer_graph_types(model_);
  const onnx::TypeProto* type = types_->find(graph, name);
  if (type == nullptr || !type->has_tensor_type()) return nullptr;
  const auto [found, is_new] = found_.try_emplace(type);
  if (is_new) {
    onnx::ValueInfoProto info;
    *info.mutable_type() = *type;
    found->second = graph::declared_type(info);
  }
  return &found->second;
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

}  // namespace ingot::converters
