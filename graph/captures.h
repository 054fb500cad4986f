// SPDX-License-Identifier: Apache-2.0
// What subgraphs read from the graphs around them.
#pragma once

#include <onnx/onnx_pb.h>

#include <string_view>
#include <unordered_set>

namespace ingot::graph {

/// The names that the subgraphs of `node` read (as a node input or as an output of the subgraph)
/// without defining them. Views into the protobuf.
std::unordered_set<std::string_view> captures_of(const onnx::NodeProto& node);
/// True when `graph` itself defines `name`: an input, an initializer or an output of one of its
/// nodes.
bool defines(const onnx::GraphProto& graph, std::string_view name);

}  // namespace ingot::graph
