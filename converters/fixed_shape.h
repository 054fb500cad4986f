// SPDX-License-Identifier: Apache-2.0
// The constant that a Reshape needs to give a tensor a shape that is known but for what is fed.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "converters/proven_types.h"

namespace ingot::converters {

/// A second input for Reshape (allowzero 0) from `from` to the shape of `to`: a dimension that is
/// known is written out, one that is the same as that of `from` at its place becomes 0, and one of
/// the others -1. nullopt when that does not describe the shape, or when it would refuse an input
/// without elements that `wanted`, what the node computes now (-2 for numbers that are not known),
/// accepts.
std::optional<Shape> fixed_shape(ProvenTypes& types, const onnx::GraphProto& graph,
                                 std::string_view from, std::string_view to,
                                 const std::optional<Shape>& wanted);

}  // namespace ingot::converters
