// SPDX-License-Identifier: Apache-2.0
// Edits of one graph, collected while a GraphIndex is in use and made afterwards: an index does not
// survive a changed name.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "graph/graph_index.h"

namespace ingot::converters {

class Edits {
 public:
  /// Removes `node` at the end; it counts as touched.
  void remove(const onnx::NodeProto& node);
  /// Gives output `slot` of `node` the name `name`.
  void rename_output(onnx::NodeProto& node, int slot, std::string name);
  /// Makes input `slot` of `node` read `name`; inputs up to `slot` are added as absent.
  void set_input(onnx::NodeProto& node, int slot, std::string name);
  /// Puts `with` in the place of `node`.
  void replace(onnx::NodeProto& node, onnx::NodeProto with);
  /// Makes every use of `from`, subgraphs included, read `to`, or what `to` is replaced by itself.
  void replace_uses(std::string from, std::string to);
  /// True when an edit of this sweep concerns `node`: the index no longer tells the truth about it.
  bool touched(const onnx::NodeProto& node) const { return touched_.contains(&node); }
  void touch(const onnx::NodeProto& node) { touched_.insert(&node); }

  /// Makes the edits: new nodes, inputs, outputs, replacements, removals.
  void apply(onnx::GraphProto& graph);

 private:
  struct Slot {
    onnx::NodeProto* node;
    int slot;
    std::string name;
  };
  std::vector<Slot> inputs_, outputs_;
  std::vector<std::pair<onnx::NodeProto*, onnx::NodeProto>> nodes_;
  std::unordered_map<std::string, std::string> replacements_;
  std::unordered_set<const onnx::NodeProto*> doomed_, touched_;
};

/// Old names to new ones.
using Renames = std::unordered_map<std::string, std::string>;

/// Points every read in `graph` and the graphs in it at the new name; one walk for any number of
/// names. A nested graph that defines a name itself means another tensor. `renames` is the same
/// afterwards.
void rename_reads(onnx::GraphProto& graph, Renames& renames);

}  // namespace ingot::converters
