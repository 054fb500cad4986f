// SPDX-License-Identifier: Apache-2.0
// Where a run takes its inputs from: data of the build machine's form, files a user names, or
// values made up.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "data/dataset.h"

namespace ingot::device {

class Samples {
 public:
  /// --data: a folder of .npz, .npz files, or a dataset.toml.
  static Samples from_data(const std::vector<std::filesystem::path>& paths,
                           std::vector<data::InputSpec> specs);
  /// --input: .npz files as they are, any other file as a picture through `dataset_file` (the
  /// bundle's preprocess/dataset.toml; empty = there is none, and pictures throw kInput). A model
  /// with several picture inputs takes as many files for one sample, in the order of the file.
  static Samples from_files(const std::vector<std::filesystem::path>& files,
                            const std::filesystem::path& dataset_file,
                            std::vector<data::InputSpec> specs);
  /// One sample: floats from 0 to 1 from a fixed seed, other types zero, free dimensions 1. Throws
  /// kUnsupported for strings.
  static Samples generated(const std::vector<data::InputSpec>& specs);

  std::size_t size() const { return loaders_.size(); }
  /// Reads and checks sample `i` (kInput). Not kept.
  data::Sample load(std::size_t i) const { return loaders_.at(i)(); }
  /// What the outputs mean; empty when nothing is declared.
  const std::vector<data::OutputMeaning>& outputs() const { return outputs_; }

 private:
  std::vector<std::function<data::Sample()>> loaders_;
  std::vector<data::OutputMeaning> outputs_;
};

}  // namespace ingot::device
