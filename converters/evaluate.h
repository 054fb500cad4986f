// SPDX-License-Identifier: Apache-2.0
// Nodes whose inputs are constants, computed ahead of time. Not an inference engine: it knows the
// operators of which shapes, masks and repacked weights are made, and only results on which every
// runtime agrees to the bit.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/tensor.h"
#include "graph/graph_index.h"

namespace ingot::converters {

/// True when `node` is an operator of the table in evaluate.cc.
bool is_evaluable(const onnx::NodeProto& node);

/// The results of `node`, one per output, on `inputs` (one view per input; an absent one has dtype
/// kUndefined), bit for bit what the runtime computes. nullopt when a result would exceed
/// `max_bytes`, for types that the operator's row does not take (strings, types below a byte,
/// arithmetic in float16 and bfloat16), for parameters out of range, for integers that overflow or
/// are divided by zero, and for casts that would round twice or store more bytes than before (a
/// narrow type is there to save space), results under graph::kInlineBytes apart.
std::optional<std::vector<Tensor>> evaluate(const onnx::NodeProto& node,
                                            const std::vector<TensorView>& inputs,
                                            std::int64_t opset, std::size_t max_bytes);

}  // namespace ingot::converters
