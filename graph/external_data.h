// SPDX-License-Identifier: Apache-2.0
// Weights that an ONNX model keeps in other files. The model is not trusted: only regular files
// below its own folder are opened.
#pragma once

#include <onnx/onnx_pb.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/files.h"

namespace ingot::graph {

/// The bytes of a tensor in an external file, and the mapping that keeps them.
struct ExternalBytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const MappedFile> file;
};

/// Opens the external files of one model, each once.
class ExternalFiles {
 public:
  /// `model`: the model's path, as errors name it; external files are looked for below its folder.
  explicit ExternalFiles(std::filesystem::path model) : model_(std::move(model)) {}

  /// The bytes that `tensor` (data_location EXTERNAL) names. Throws kInput naming model, tensor and
  /// location: no location, an absolute path, '..', a symbolic link, a file with more than one hard
  /// link (an archive can make one to a file outside), not a regular file, missing, a range outside
  /// the file, or a length that is not the one of dtype and dims.
  ExternalBytes resolve(const onnx::TensorProto& tensor);
  /// The files opened so far, as normal relative paths, each once, sorted.
  std::vector<std::string> locations() const;

 private:
  std::shared_ptr<const MappedFile> open(const std::string& location);

  std::filesystem::path model_;
  std::unordered_map<std::string, std::shared_ptr<const MappedFile>>
      files_;  // shared: the tensors outlive this object
};

}  // namespace ingot::graph
