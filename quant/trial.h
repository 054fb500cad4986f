// SPDX-License-Identifier: Apache-2.0
// The float model's outputs, kept in a scratch file, and trial models held against them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "quant/runner.h"
#include "verify/comparison.h"

namespace ingot::quant {

class Reference {
 public:
  /// Runs the model at `path` on samples [0, count) and spools its outputs to the bench's scratch
  /// folder: memory stays flat.
  Reference(const Workbench& bench, const std::filesystem::path& path, std::size_t count);
  ~Reference();

  /// Runs the model at `path` on the same samples and compares every tensor output. Same result for
  /// any number of threads.
  std::vector<verify::OutputRow> compare(const std::filesystem::path& path) const;
  std::size_t samples() const { return samples_.size(); }

 private:
  const Workbench& bench_;
  std::vector<runtime::ValueInfo> outputs_;  ///< those that are tensors
  std::vector<std::string> names_;
  std::vector<std::vector<TensorView>> samples_;  ///< into spool_, strings into strings_
  std::unique_ptr<MappedFile> spool_;
  std::vector<std::unique_ptr<Tensor>> strings_;
};

}  // namespace ingot::quant
