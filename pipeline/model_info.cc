// SPDX-License-Identifier: Apache-2.0
#include "pipeline/model_info.h"

#include <fmt/format.h>

#include <unordered_set>

#include "base/error.h"
#include "graph/graph_index.h"

namespace ingot::pipeline {
namespace {

manifests::TensorSpec spec_of(const onnx::ValueInfoProto& info, const char* role) {
  const graph::ValueType type = graph::declared_type(info);
  if (type.dtype == DType::kUndefined) {
    throw Error(Code::kUnsupported,
                fmt::format("{} '{}' is not a tensor; a bundle's model takes and gives tensors",
                            role, info.name()));
  }
  return {info.name(), type.dtype, type.shape.value_or(Shape{})};
}

}  // namespace

manifests::ModelInfo model_info(const graph::Model& model) {
  manifests::ModelInfo info;
  for (const auto& import : model.proto().opset_import()) {
    if (import.domain().empty() || import.domain() == "ai.onnx") info.opset = import.version();
  }
  std::unordered_set<std::string> defaults;
  for (const auto& tensor : model.graph().initializer()) defaults.insert(tensor.name());
  for (const auto& input : model.graph().input()) {
    if (!defaults.contains(input.name())) info.inputs.push_back(spec_of(input, "input"));
  }
  for (const auto& output : model.graph().output())
    info.outputs.push_back(spec_of(output, "output"));
  return info;
}

}  // namespace ingot::pipeline
