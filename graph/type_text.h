// SPDX-License-Identifier: Apache-2.0
// Types of values as people read them.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>

namespace ingot::graph {

/// "float32[1,3,48,W]" (named dimensions by their name, "?" for one without), "sequence(…)",
/// "map(…)", "optional(…)"; "undefined" when the model does not say.
std::string type_text(const onnx::TypeProto& type);

}  // namespace ingot::graph
