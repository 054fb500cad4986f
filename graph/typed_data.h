// SPDX-License-Identifier: Apache-2.0
// From the typed fields of a TensorProto (float_data, int32_data, …) to raw little-endian bytes.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace ingot::graph {

/// The bytes of a tensor that keeps its values in a typed field; nothing when it has none (or is a
/// string tensor: those keep string_data). int32_data holds one value per entry, and whole packed
/// bytes for types of less than 8 bits. The number of values is not compared with dims: Model::view
/// does that. Throws kInput when the field does not belong to the element type, or when values sit
/// in more than one field.
std::optional<std::vector<std::byte>> typed_bytes(const onnx::TensorProto& tensor);

}  // namespace ingot::graph
