// SPDX-License-Identifier: Apache-2.0
// What the passes ask about a single node.
#pragma once

#include <onnx/onnx_pb.h>

#include <string_view>

namespace ingot::converters {

/// True for ONNX's default domain, however it is written.
inline bool is_standard(const onnx::NodeProto& node) {
  return node.domain().empty() || node.domain() == "ai.onnx";
}

/// True when `node` is this operator of the default domain; false for nullptr.
inline bool is_op(const onnx::NodeProto* node, std::string_view op) {
  return node != nullptr && node->op_type() == op && is_standard(*node);
}

inline bool has_input(const onnx::NodeProto& node, int slot) {
  return node.input_size() > slot && !node.input(slot).empty();
}

/// True when an attribute of `node` is a graph.
inline bool has_subgraph(const onnx::NodeProto& node) {
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g() || attribute.graphs_size() > 0) return true;
  }
  return false;
}

}  // namespace ingot::converters
