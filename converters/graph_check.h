// SPDX-License-Identifier: Apache-2.0
// The structure of one graph and the graphs in it: who defines a name, who reads it, in what order.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "converters/operators.h"

namespace ingot::converters {

class GraphCheck {
 public:
  GraphCheck(const graph::Model& model, const Budgets& budgets, OperatorCheck& operators,
             std::vector<Finding>& findings)
      : model_(model), budgets_(budgets), operators_(operators), findings_(findings) {}

  void check_main(const onnx::GraphProto& graph, const Opsets& opsets);
  void check_function(const onnx::FunctionProto& function, const Opsets& opsets);

 private:
  using Names = std::unordered_set<std::string>;

  void report(std::string message) { findings_.push_back({Code::kInput, std::move(message)}); }
  void check_graph(const onnx::GraphProto& graph);
  void check_name(const std::string& name, const char* kind);
  void check_type(const onnx::TypeProto& type, const std::string& owner);
  Names check_inputs(const onnx::GraphProto& graph);
  void check_initializers(const onnx::GraphProto& graph, Names& own);
  void check_defaults(const onnx::GraphProto& graph);
  template <class Nodes>
  void check_nodes(const Nodes& nodes, Names& own);
  void check_attributes(const onnx::NodeProto& node);
  void check_written(const onnx::NodeProto& node, const std::string& name, Names& own);
  void check_outputs(const onnx::GraphProto& graph, const Names& own);
  void check_order(const onnx::GraphProto& graph);

  const graph::Model& model_;
  const Budgets& budgets_;
  OperatorCheck& operators_;
  std::vector<Finding>& findings_;
  const Opsets* opsets_ = nullptr;
  Names scope_;    ///< what the graphs around the one at hand define
  Names visible_;  ///< of those, what is there before the node at hand
  bool in_function_ = false;
  int depth_ = 0;
};

}  // namespace ingot::converters
