// SPDX-License-Identifier: Apache-2.0
// Element types and shapes of values, by ONNX's own shape inference.
#include <onnx/shape_inference/implementation.h>

#include <algorithm>

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

/// False when inference stopped at a contradiction; an operator it does not know is none.
bool run_inference(onnx::ModelProto& model) {
  onnx::ShapeInferenceOptions options;
  options.check_type = false;
  options.error_mode = 0;
  options.enable_data_propagation = true;
  try {
    onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(), options);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

using Types = std::unordered_map<std::string, ValueType>;

Types types_of(const onnx::GraphProto& graph) {
  Types types;
  for (const auto& tensor : graph.initializer()) {
    types.emplace(tensor.name(), ValueType{static_cast<DType>(tensor.data_type()),
                                           Shape(tensor.dims().begin(), tensor.dims().end())});
  }
  const auto add = [&types](const auto& infos) {
    for (const auto& info : infos) {
      ValueType type = declared_type(info);
      if (type.dtype != DType::kUndefined) types.emplace(info.name(), std::move(type));
    }
  };
  add(graph.input());
  add(graph.output());
  add(graph.value_info());
  return types;
}

/// True when `declared` says something about `inferred` that the operators left open.
bool fills_gap(const ValueType& declared, const Types& inferred, const std::string& name) {
  if (declared.dtype == DType::kUndefined) return false;
  const auto found = inferred.find(name);
  if (found == inferred.end()) return true;
  if (found->second.dtype != declared.dtype || !declared.shape) return false;
  const auto& shape = found->second.shape;
  return !shape || std::count(shape->begin(), shape->end(), -1) > 0;
}

/// A copy to infer in, without types that are not inputs of inference. Large weights are markers in
/// it: inference sees their type and shape, and gives up on the one node that asks for values.
onnx::ModelProto bare_copy(const onnx::ModelProto& model) {
  onnx::ModelProto copy = model;
  copy.mutable_graph()->clear_value_info();
  return copy;
}

}  // namespace

ValueType declared_type(const onnx::ValueInfoProto& info) { return value_type(info.type()); }

std::unordered_map<std::string, ValueType> infer_types(const Model& model) {
  // What a file declares about its values can be stale, and inference would spread it: the
  // operators come first, and declarations fill what they leave open (outputs of operators ONNX
  // does not know).
  onnx::ModelProto bare = bare_copy(model.proto());
  if (!run_inference(bare)) {
    bare = bare_copy(model.proto());
    for (auto& output : *bare.mutable_graph()->mutable_output()) output.clear_type();
    run_inference(bare);
  }
  Types types = types_of(bare.graph());

  onnx::ModelProto filled = bare_copy(model.proto());
  for (const auto& info : model.graph().value_info()) {
    if (fills_gap(declared_type(info), types, info.name())) {
      *filled.mutable_graph()->add_value_info() = info;
    }
  }
  if (filled.graph().value_info_size() > 0 && run_inference(filled))
    types = types_of(filled.graph());
  return types;
}

}  // namespace ingot::graph
