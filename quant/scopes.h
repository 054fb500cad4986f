// SPDX-License-Identifier: Apache-2.0
// All graphs of a model with their names as nodes see them: an inner graph reads the constants of
// the graphs around it. A snapshot: build a new one after edits.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/graph_index.h"

namespace ingot::quant {

/// One graph of the model.
struct Scope {
  onnx::GraphProto* graph = nullptr;
  const Scope* outer = nullptr;  ///< the graph around it; nullptr for the main graph
  std::string prefix;            ///< of node keys: "" for the main graph, else "Loop_3/body/"
  graph::GraphIndex index;

  /// The key of a node of this graph in patterns, plans and reports: unique in the model as long as
  /// node names are unique in each graph.
  std::string key(const onnx::NodeProto& node) const { return prefix + graph::node_key(node); }
  /// The value of `name` as a node of this graph sees it, when it cannot change.
  std::optional<TensorView> constant(std::string_view name) const;
  /// The scope whose initializer `name` is; nullptr when it is none.
  const Scope* owner(std::string_view name) const;
};

/// A use of an initializer as a node input.
struct ScopedUse {
  const Scope* scope;
  onnx::NodeProto* node;
  int slot;
};

class Scopes {
 public:
  /// The main graph first, every graph before those inside it.
  explicit Scopes(graph::Model& model);

  const Scope& main() const { return *scopes_.front(); }
  const std::vector<std::unique_ptr<Scope>>& all() const { return scopes_; }
  /// All uses of the initializer `name` of `owner`, in the graphs below it too.
  const std::vector<ScopedUse>& uses(const Scope& owner, const std::string& name) const;
  /// True when a graph hands `name` of `owner` out as its output.
  bool is_output(const Scope& owner, const std::string& name) const;

 private:
  void add(graph::Model& model, onnx::GraphProto& graph, const Scope* outer, std::string prefix);

  std::vector<std::unique_ptr<Scope>> scopes_;
  std::unordered_map<const onnx::TensorProto*, std::vector<ScopedUse>> uses_;
  std::unordered_map<const onnx::TensorProto*, bool> outputs_;
};

}  // namespace ingot::quant
