// SPDX-License-Identifier: Apache-2.0
// Does a node fit a version of its operator that knows less? Asked of ONNX's schemas.
#pragma once

#include "converters/opset/node_change.h"

namespace ingot::converters {

/// Drops attributes that the version stepped to lacks where they say what it does anyway, and
/// refuses what else it lacks: an attribute, an input, an output, an element type.
void require_older(NodeChange& change);

/// The element types alone, as far as they are known.
void require_types(NodeChange& change);

}  // namespace ingot::converters
