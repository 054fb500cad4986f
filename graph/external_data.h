// SPDX-License-Identifier: Apache-2.0
// Weights that an ONNX model keeps in other files. The model is not trusted: see model_folder.h for
// what is opened at all.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/files.h"
#include "graph/model_folder.h"

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

  /// The bytes that `tensor` (data_location EXTERNAL) names. Tensors may share a range, overlap,
  /// and lie in the model file itself. Throws kInput naming model, tensor and location: a file that
  /// open_data_file refuses, a key given twice, a range outside the file, a length that is not the
  /// one of dtype and dims, or different ranges that add up to more than four times their file.
  ExternalBytes resolve(const onnx::TensorProto& tensor);
  /// The files opened so far, as normal relative paths, each once, sorted.
  std::vector<std::string> locations() const;

 private:
  struct File {
    std::shared_ptr<const MappedFile> mapped;                  // the tensors outlive this object
    std::set<std::pair<std::uint64_t, std::uint64_t>> ranges;  // offset and length, each once
    std::uint64_t range_bytes = 0;                             // of all of them
  };

  File& open(const std::string& location);
  static void count(File& file, std::uint64_t offset, std::uint64_t length);

  std::filesystem::path model_;
  std::map<std::pair<dev_t, ino_t>, std::unique_ptr<File>> by_id_;
  std::unordered_map<std::string, File*> by_location_;
};

}  // namespace ingot::graph
