// SPDX-License-Identifier: Apache-2.0
// What the check's first child leaves for the second: the original's signature, and per sample its
// outputs (and inputs, where they were generated). A file of ours in a folder of ours, read by
// mapping it; never kept.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/tensor.h"
#include "verify/signature.h"

namespace ingot::verify {

/// One sample: `inputs` empty when they come from a dataset.
struct SampleRecord {
  std::string sample;
  std::map<std::string, Tensor> inputs;
  std::vector<TensorView> outputs;
};

/// Writes as it goes. Throws kEnvironment when the disk is full.
class RecordWriter {
 public:
  RecordWriter(const std::filesystem::path& path, const Signature& original);
  void write(const std::string& sample, const std::map<std::string, Tensor>& inputs,
             std::span<const TensorView> outputs);
  void close();

 private:
  void block(std::span<const std::byte> bytes);
  void tensors(std::span<const TensorView> views);
  void check() const;

  std::filesystem::path path_;
  std::ofstream file_;
};

class RecordReader {
 public:
  explicit RecordReader(const std::filesystem::path& path);
  const Signature& original() const { return original_; }
  /// The next sample; nothing at the end. Its outputs stay valid until the next call.
  std::optional<SampleRecord> next();

 private:
  std::span<const std::byte> block();
  std::string header();

  MappedFile file_;
  std::size_t position_ = 0;
  Signature original_;
  std::vector<std::vector<std::string>> strings_;
};

}  // namespace ingot::verify
