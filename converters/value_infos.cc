// SPDX-License-Identifier: Apache-2.0
#include "converters/value_infos.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "graph/graph_index.h"
#include "graph/type_inference.h"

namespace ingot::converters {
namespace {

using onnx::TypeProto;

/// True when both are known and cannot be the same.
bool contradicts(const TypeProto& declared, const TypeProto& inferred) {
  if (declared.value_case() == TypeProto::VALUE_NOT_SET) return false;
  if (declared.value_case() != inferred.value_case()) return true;
  if (!declared.has_tensor_type()) return false;
  const auto &a = declared.tensor_type(), &b = inferred.tensor_type();
  if (a.elem_type() != b.elem_type() && b.elem_type() != 0) return true;
  if (!a.has_shape() || !b.has_shape()) return false;
  if (a.shape().dim_size() != b.shape().dim_size()) return true;
  for (int i = 0; i < a.shape().dim_size(); ++i) {
    const auto &left = a.shape().dim(i), &right = b.shape().dim(i);
    if (left.has_dim_value() && right.has_dim_value() && left.dim_value() != right.dim_value())
      return true;
  }
  return false;
}

void drop_leftovers(onnx::GraphProto& graph) {
  std::unordered_set<std::string_view> written;
  for (const onnx::NodeProto& node : graph.node()) {
    written.insert(node.output().begin(), node.output().end());
  }
  std::unordered_set<std::string> seen;
  auto& infos = *graph.mutable_value_info();
  infos.erase(std::remove_if(infos.begin(), infos.end(),
                             [&](const auto& info) {
                               return !written.contains(info.name()) ||
                                      !seen.insert(info.name()).second;
                             }),
              infos.end());
}

}  // namespace

std::size_t repair_value_infos(graph::Model& model) {
  std::size_t described = 0, wrong = 0;
  graph::for_each_graph(model.proto(), [&](onnx::GraphProto& graph) {
    drop_leftovers(graph);
    described += static_cast<std::size_t>(graph.value_info_size());
  });
  if (described == 0) return 0;
  const graph::GraphTypes types = graph::infer_graph_types(model, {.use_declarations = false});
  graph::for_each_graph(model.proto(), [&](onnx::GraphProto& graph) {
    for (auto& info : *graph.mutable_value_info()) {
      const TypeProto* inferred = types.find(graph, info.name());
      if (inferred == nullptr || !contradicts(info.type(), *inferred)) continue;
      *info.mutable_type() = *inferred;
      ++wrong;
    }
  });
  return wrong;
}

}  // namespace ingot::converters
