// SPDX-License-Identifier: Apache-2.0
// Taking a node out whose output is the same tensor as one of its inputs.
#pragma once

#include <string>
#include <unordered_set>

#include "converters/edits.h"

namespace ingot::converters {

class Bypass {
 public:
  Bypass(const graph::GraphIndex& index, Edits& edits) : index_(index), edits_(edits) {}

  /// Removes `node` and points the readers of its first output at its input number `slot`. A chain
  /// of such nodes may be taken out one by one, in order. An output of the graph keeps its name:
  /// the node that wrote the input takes it over. False, with nothing changed, when that cannot be:
  /// the input is an input, a weight or an output of the graph, or belongs to a graph around it.
  bool take_out(const onnx::NodeProto& node, int slot);

 private:
  const graph::GraphIndex& index_;
  Edits& edits_;
  Renames bypassed_;                            ///< name → what it is read as now
  std::unordered_set<std::string> taken_over_;  ///< names that no node writes any more
};

}  // namespace ingot::converters
