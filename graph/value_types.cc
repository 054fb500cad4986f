// SPDX-License-Identifier: Apache-2.0
// Element types and shapes of values as the passes use them.
#include "graph/graph_index.h"
#include "graph/type_inference.h"

namespace ingot::graph {
namespace {

ValueType value_type(const onnx::TypeProto& type) {
  if (!type.has_tensor_type()) return {};
  const auto& tensor = type.tensor_type();
  ValueType result{static_cast<DType>(tensor.elem_type()), std::nullopt};
  if (!tensor.has_shape()) return result;
  result.shape.emplace();
  for (const auto& dim : tensor.shape().dim())
    result.shape->push_back(dim.has_dim_value() && dim.dim_value() >= 0 ? dim.dim_value() : -1);
  return result;
}

}  // namespace

ValueType declared_type(const onnx::ValueInfoProto& info) { return value_type(info.type()); }

std::unordered_map<std::string, ValueType> infer_types(const Model& model) {
  const GraphTypes known = infer_graph_types(model);
  std::unordered_map<std::string, ValueType> types;
  known.for_each(model.graph(), [&](std::string_view name, const onnx::TypeProto& type) {
    ValueType value = value_type(type);
    if (value.dtype != DType::kUndefined) types.emplace(name, std::move(value));
  });
  return types;
}

}  // namespace ingot::graph
