// SPDX-License-Identifier: Apache-2.0
// What is known about names while nodes are rewritten: constants and types, seen from the graph at
// hand outwards.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/graph_index.h"

namespace ingot::converters {

class Scope {
 public:
  explicit Scope(const graph::Model& model) : model_(model) {}

  /// Infers the types of all graphs; before any node is rewritten, as inference reads them all.
  void infer_types();
  /// What `graph` defines hides the names outside, until leave().
  void enter(const onnx::GraphProto& graph);
  /// A function sees nothing outside.
  void enter(const onnx::FunctionProto& function);
  void leave() { frames_.pop_back(); }
  /// `name`, a new one, holds `value`; or a Constant's output from now on.
  void remember(const std::string& name, Tensor value);

  /// The value of `name` where it cannot change. Valid until the next remember().
  std::optional<TensorView> constant(const std::string& name) const;
  /// What is known of the type of `name`; dtype kUndefined and no shape for nothing.
  graph::ValueType type(const std::string& name) const;

 private:
  struct Frame {
    const onnx::GraphProto* graph = nullptr;  ///< nullptr: a function
    /// Initializers, and the tensors of Constant nodes.
    std::unordered_map<std::string, const onnx::TensorProto*> tensors;
    std::unordered_map<std::string, Tensor> plain;  ///< of Constant nodes that hold no tensor
    std::unordered_map<std::string, const onnx::ValueInfoProto*> declared;
    std::unordered_map<std::string, bool> defined;  ///< true: may be fed from outside
  };
  template <class Nodes>
  static void add_nodes(const Nodes& nodes, Frame& frame);
  const Frame* frame_of(const std::string& name) const;

  const graph::Model& model_;
  using Types = std::unordered_map<std::string, graph::ValueType>;
  std::unordered_map<const onnx::GraphProto*, Types> types_;
  std::vector<Frame> frames_;
  std::unordered_map<std::string, Tensor> made_;
};

}  // namespace ingot::converters
