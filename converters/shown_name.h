// SPDX-License-Identifier: Apache-2.0
// Names from a model, and texts of libraries, as a message can hold them.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <string_view>

namespace ingot::converters {

/// Bytes that are no UTF-8 as \xNN; a name longer than 200 bytes cut, with its length.
std::string shown(std::string_view name);
/// ONNX's own text without its line breaks and the full stop.
std::string one_line(std::string text);
/// graph::describe in that form.
std::string shown_node(const onnx::NodeProto& node);

}  // namespace ingot::converters
