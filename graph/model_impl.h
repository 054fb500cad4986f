// SPDX-License-Identifier: Apache-2.0
// What a Model holds. Not for use outside graph/.
#pragma once

#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/model.h"
#include "graph/tensor_store.h"

namespace ingot::graph {

struct Model::Impl {
  onnx::ModelProto proto;
  TensorStore store;
  std::filesystem::path path;
  bool has_external_weights = false;
  std::vector<std::string> external_locations;
  // A view needs strings side by side; protobuf holds pointers.
  mutable std::mutex strings_mutex;
  mutable std::unordered_map<const onnx::TensorProto*, std::vector<std::string>> strings;

  /// Makes `bytes` the content of `tensor`: in the store, or as raw_data when small.
  void put_bytes(onnx::TensorProto& tensor, std::vector<std::byte> bytes);
  void put_range(onnx::TensorProto& tensor, std::span<const std::byte> bytes,
                 std::shared_ptr<const MappedFile> file);
  /// Moves the raw_data of `tensor` to the store.
  void move_out(onnx::TensorProto& tensor);
  /// The bytes as they are stored, at any address; empty for string tensors.
  std::span<const std::byte> stored(const onnx::TensorProto& tensor) const;
  std::span<const std::string> strings_of(const onnx::TensorProto& tensor) const;
};

}  // namespace ingot::graph
