// SPDX-License-Identifier: Apache-2.0
// Does a model give the same outputs twice? One that does not cannot be compared with anything.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/session.h"
#include "verify/comparison.h"

namespace ingot::verify {

/// Runs of one model on the same sample, two by two.
class Repeatability {
 public:
  /// `random_nodes`: what the graph says (random_operators); with any, outputs must repeat exactly,
  /// else within 1e-4 of their range (threads may add in another order).
  Repeatability(const std::vector<runtime::ValueInfo>& outputs,
                std::vector<std::string> random_nodes);

  /// Random operators may draw the same on one sample: then every sample has to be run twice, else
  /// the first will do.
  bool wants(std::size_t sample_number) const {
    return sample_number == 0 || !random_nodes_.empty();
  }
  void add(std::string_view sample, const runtime::Results& first, const runtime::Results& second);
  /// Why the model cannot be compared: "does not repeat itself: output 'y' …; it draws random
  /// numbers in …". Empty while it repeats.
  std::string complaint() const;

 private:
  Comparison comparison_;
  std::vector<std::string> random_nodes_;
};

/// random_operators of the file; none when it is not a readable ONNX protobuf (an .ort file).
std::vector<std::string> random_operators_in(const std::filesystem::path& model);

}  // namespace ingot::verify
