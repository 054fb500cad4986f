// SPDX-License-Identifier: Apache-2.0
#include "pipeline/model_info.h"

#include <fmt/format.h>

#include <unordered_set>

#include "base/error.h"
#include "graph/graph_index.h"

namespace ingot::pipeline {
namespace {

[[noreturn]] void refuse_other_than_tensor(const char* role, const std::string& name) {
  throw Error(
      Code::kUnsupported,
      fmt::format("{} '{}' is not a tensor; a bundle's model takes and gives tensors", role, name));
}

manifests::TensorSpec spec_of(const onnx::ValueInfoProto& info, const char* role) {
  const graph::ValueType type = graph::declared_type(info);
  if (type.dtype == DType::kUndefined) refuse_other_than_tensor(role, info.name());
  return {info.name(), type.dtype, type.shape.value_or(Shape{})};
}

std::vector<manifests::TensorSpec> specs_of(const std::vector<runtime::ValueInfo>& infos,
                                            const char* role) {
  std::vector<manifests::TensorSpec> specs;
  for (const runtime::ValueInfo& info : infos) {
    if (!info.is_tensor) refuse_other_than_tensor(role, info.name);
    specs.push_back({info.name, info.dtype, info.shape});
  }
  return specs;
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

manifests::ModelInfo model_info(const runtime::Session& session) {
  manifests::ModelInfo info;
  info.format = "ort";
  info.inputs = specs_of(session.inputs(), "input");
  info.outputs = specs_of(session.outputs(), "output");
  return info;
}

}  // namespace ingot::pipeline
