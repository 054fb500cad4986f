// SPDX-License-Identifier: Apache-2.0
// Models for tests: written as text, filled with seeded numbers, saved by protobuf itself so that
// the code under test is not its own oracle.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/tensor.h"
#include "graph/model.h"

namespace ingot::test {

/// Parses a model in ONNX's own text syntax (onnx/defs/parser.h). Throws kInternal with the
/// parser's message.
onnx::ModelProto proto_from_text(std::string_view text);
/// The same as a Model.
graph::Model model_from_text(std::string_view text);

/// float32 values uniform in [-scale, scale); the same for the same seed on every machine.
Tensor random_tensor(const Shape& shape, std::uint32_t seed, float scale = 1.0F);
/// `value` as a TensorProto that holds its bytes as raw_data (strings as string_data).
onnx::TensorProto tensor_proto(const std::string& name, const Tensor& value);
/// Appends `value` as an initializer of the main graph.
onnx::TensorProto& add_initializer(onnx::ModelProto& model, const std::string& name,
                                   const Tensor& value);

/// Writes `model` with protobuf to `folder`/`name` and returns the path.
std::filesystem::path write_model(const onnx::ModelProto& model,
                                  const std::filesystem::path& folder,
                                  const std::string& name = "m.onnx");
/// Reads a model with protobuf alone. Throws kInternal when protobuf cannot.
onnx::ModelProto parse_model(const std::filesystem::path& path);
/// The bytes of a file; `write_bytes` is its inverse.
std::string read_bytes(const std::filesystem::path& path);
void write_bytes(const std::filesystem::path& path, std::string_view bytes);

}  // namespace ingot::test
