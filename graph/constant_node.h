// SPDX-License-Identifier: Apache-2.0
// What Constant nodes hold.
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>

#include "base/tensor.h"

namespace ingot::graph {

/// True for a Constant of the default domain with one output.
bool is_constant_node(const onnx::NodeProto& node);
/// What `node` holds as plain attributes (value_ints, …), as a tensor; nothing when it holds a
/// tensor (or a sparse one), or the value is a function's attribute.
std::optional<Tensor> plain_constant(const onnx::NodeProto& node);

}  // namespace ingot::graph
