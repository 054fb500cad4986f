// SPDX-License-Identifier: Apache-2.0
// An ONNX model whose weights stay outside the protobuf. The protobuf holds the graph; every tensor
// of at least kInlineBytes is a descriptor whose bytes live in the tensor store: a range of a
// mapped file, or an owned buffer. Nothing is copied to load, and saving streams the weights out in
// file order. Only this folder and those above it (converters, quant, verify) see protobuf.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/tensor.h"

namespace ingot::graph {

/// Tensors with fewer bytes stay in the protobuf as raw_data, so that shape inference can read
/// shapes and axes.
inline constexpr std::size_t kInlineBytes = 1024;

/// How weights are laid out when a model is written.
struct SaveOptions {
  /// Tensors of at least this many bytes go to "<file>.data", each 4096-aligned; those below
  /// kInlineBytes with at most one dimension stay, since shape inference reads them. Unset: inline
  /// below 1 GiB in all, unless the model was loaded with external weights; then every tensor of at
  /// least kInlineBytes goes out.
  std::optional<std::uint64_t> external_bytes;
  Overwrite overwrite = Overwrite::kNo;
};

class Model {
 public:
  /// Reads `path`. External data is taken only from below the model's folder (the opened file is
  /// judged). Typed fields (float_data, …) become raw bytes. Throws kInput when the file is
  /// missing, truncated, not an ONNX model, or its external data is wrong: the message names file
  /// and tensor, what was seen and what was wanted.
  static Model load(const std::filesystem::path& path);
  /// Takes a complete protobuf (weights inside); for tests and builders.
  static Model from_proto(onnx::ModelProto proto);
  /// The same graph over the same weights: bytes are shared until set() replaces them.
  Model clone() const;

  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  onnx::ModelProto& proto();
  const onnx::ModelProto& proto() const;
  onnx::GraphProto& graph() { return *proto().mutable_graph(); }
  const onnx::GraphProto& graph() const { return proto().graph(); }

  /// The bytes of a tensor of this model, wherever they live, not touched. Floats of 4 KiB and more
  /// lie at any address: read them by to_floats or memcpy. Valid until set() is called for that
  /// tensor or the model ends. Throws kInput when the stored bytes do not fit dtype and dims.
  TensorView view(const onnx::TensorProto& tensor) const;
  /// Makes `value` the content of `tensor` (its dtype, dims and bytes); the name stays.
  void set(onnx::TensorProto& tensor, Tensor value);
  /// Appends an initializer to `graph` (a graph of this model); the name must be new.
  onnx::TensorProto& add_initializer(onnx::GraphProto& graph, const std::string& name,
                                     Tensor value);
  /// Makes `to` share dtype, dims and bytes of `from`.
  void share(const onnx::TensorProto& from, onnx::TensorProto& to);

  /// Bytes of weights as stored, without touching them.
  std::uint64_t weight_bytes() const;
  /// True when the file it was loaded from keeps weights outside.
  bool has_external_weights() const;
  /// The files outside that its weights were read from, relative to the model's folder, sorted;
  /// empty for a model that was not loaded from a file.
  const std::vector<std::string>& external_locations() const;
  /// The file it was loaded from; empty for from_proto.
  const std::filesystem::path& path() const;

  /// Writes the model (and its ".data" file) through temporary files; see SaveOptions. Returns the
  /// bytes written in all.
  std::uint64_t save(const std::filesystem::path& path, const SaveOptions& options = {}) const;
  /// The model as one string with all weights inside; for small models and tests. Throws
  /// kUnsupported at 2 GiB and above.
  std::string serialize() const;

 private:
  struct Impl;
  explicit Model(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ingot::graph
