// SPDX-License-Identifier: Apache-2.0
// The operators that only move elements of constants about, computed ahead of time: Slice, Concat,
// Unsqueeze, Squeeze, Transpose, Reshape, Cast. Not an inference engine: it exists so that weights
// are initializers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/tensor.h"
#include "graph/graph_index.h"

namespace ingot::converters {

/// True when `node` is one of the operators above.
bool is_evaluable(const onnx::NodeProto& node);

/// The result of `node` on `inputs` (one view per input; an absent one has dtype kUndefined), bit
/// for bit what the runtime computes. nullopt when the result would exceed `max_bytes`, for strings
/// and types below a byte, for parameters out of range, and for casts that would round twice or
/// store more bytes than before (a narrow type is there to save space), results under
/// graph::kInlineBytes apart.
std::optional<Tensor> evaluate(const onnx::NodeProto& node, const std::vector<TensorView>& inputs,
                               std::int64_t opset, std::size_t max_bytes);

}  // namespace ingot::converters
