// SPDX-License-Identifier: Apache-2.0
// Chains of affine nodes behind a Conv, ConvTranspose or Gemm, folded into it as one: the weights
// are rounded once.
#pragma once

#include <functional>
#include <optional>

#include "converters/affine.h"
#include "converters/pipeline.h"

namespace ingot::converters {

/// Reads a node as an affine map of its data input.
using ReadAffine = std::function<std::optional<AffineNode>(
    const graph::GraphIndex&, const onnx::NodeProto&, const Channels&)>;

/// In every graph: folds each longest chain of nodes that `read` knows into the Conv, ConvTranspose
/// or Gemm before it. Every tensor between must have one reader only and be no output; the last
/// name of the chain stays.
void fold_chains_back(PassContext& context, const ReadAffine& read);

/// True when Mul and Add broadcast as numpy does and BatchNormalization is what it is today (opset
/// 7).
bool has_numpy_broadcast(const graph::Model& model);

}  // namespace ingot::converters
