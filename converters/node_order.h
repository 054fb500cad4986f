// SPDX-License-Identifier: Apache-2.0
// Whether the nodes of a graph stand in an order in which they can run.
#pragma once

#include <onnx/onnx_pb.h>

namespace ingot::converters {

/// True when no node of `graph` reads, itself or through its subgraphs, what a later node or itself
/// writes. Subgraphs are not looked into.
bool is_sorted(const onnx::GraphProto& graph);

}  // namespace ingot::converters
