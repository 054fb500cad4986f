// SPDX-License-Identifier: Apache-2.0
// Takes graphs and functions, their subgraphs included, from one opset to another.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "converters/opset/scope.h"
#include "converters/opset/steps.h"

namespace ingot::converters {

/// One step that rewrote a node.
struct OpsetRewrite {
  std::string subject;    ///< the node, as graph::describe gives it
  std::int64_t from, to;  ///< versions of the operator
  std::string what;
};

class OpsetRewriter {
 public:
  OpsetRewriter(graph::Model& model, graph::NameMaker& names, std::int64_t target);

  /// True when a rewrite below would look at types: Scope::infer_types() first.
  bool needs_types(std::int64_t from) const;
  void rewrite(onnx::GraphProto& graph, std::int64_t from);
  void rewrite(onnx::FunctionProto& function, std::int64_t from);

  Scope& scope() { return scope_; }
  std::vector<OpsetRewrite>& rewrites() { return rewrites_; }

 private:
  using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

  bool is_standard(const onnx::NodeProto& node) const;
  void rewrite_nodes(Nodes& nodes, std::int64_t from);
  void rewrite_subgraphs(onnx::NodeProto& node, std::int64_t from);
  void place(onnx::NodeProto node, std::int64_t opset, Nodes& out);
  /// The step that `node`, written for `opset`, takes next; nullptr when there is none.
  const OpsetStep* next_step(const onnx::NodeProto& node, std::int64_t opset) const;

  graph::Model& model_;
  graph::NameMaker& names_;
  std::int64_t target_;
  Scope scope_;
  std::set<std::pair<std::string, std::string>> functions_;  ///< domain, name
  std::vector<OpsetRewrite> rewrites_;
};

}  // namespace ingot::converters
