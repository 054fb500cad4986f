// SPDX-License-Identifier: Apache-2.0
// Element types and shapes of values, by ONNX's own shape inference.
#include <onnx/shape_inference/implementation.h>

#include "graph/graph_index.h"

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
  // Large weights are markers in this copy: inference sees their type and shape, and fails for the
  // one node that asks for more.
  onnx::ModelProto copy = model.proto();
  onnx::ShapeInferenceOptions options;
  options.check_type = false;
  options.error_mode = 0;
  options.enable_data_propagation = true;
  try {
    onnx::shape_inference::InferShapes(copy, onnx::OpSchemaRegistry::Instance(), options);
  } catch (const std::exception&) {
    // What was inferred until then is in the copy; the rest stays absent, as promised.
  }
  std::unordered_map<std::string, ValueType> types;
  const auto add = [&types](const auto& infos) {
    for (const auto& info : infos) {
      ValueType type = declared_type(info);
      if (type.dtype != DType::kUndefined) types.insert_or_assign(info.name(), std::move(type));
    }
  };
  add(copy.graph().value_info());
  add(copy.graph().input());
  add(copy.graph().output());
  for (const auto& tensor : copy.graph().initializer()) {
    types.insert_or_assign(tensor.name(),
                           ValueType{static_cast<DType>(tensor.data_type()),
                                     Shape(tensor.dims().begin(), tensor.dims().end())});
  }
  return types;
}

}  // namespace ingot::graph
