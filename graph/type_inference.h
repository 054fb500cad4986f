// SPDX-License-Identifier: Apache-2.0
// Types and shapes of the values of every graph of a model, by the inference functions of ONNX's
// operators. The walk is our own: each graph is visited once however deep it lies, nothing is
// copied, and what an operator says against its node is kept.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/model.h"

namespace ingot::graph {

/// What the rules of an operator say against a node whose inputs all have known types.
struct TypeFault {
  const onnx::NodeProto* node;
  std::string message;  ///< ONNX's own text on one line
};

struct InferenceOptions {
  /// Fill what operators leave open (outputs of operators that ONNX does not know) with what
  /// value_info and the graph's outputs declare. Where both speak, the operators hold.
  bool use_declarations = true;
  /// Follow integers through shape arithmetic (Shape, Gather, Concat, …).
  bool follow_shapes = true;
};

/// Types by graph and name. Types stay right while edits leave every name its meaning; faults are
/// about nodes and end with the first edit.
class GraphTypes {
 public:
  /// The type of `name` as `graph` sees it: its own value, else that of a graph around it. nullptr
  /// when nothing is known.
  const onnx::TypeProto* find(const onnx::GraphProto& graph, std::string_view name) const;
  /// Every value of `graph` itself whose type is known, in no order.
  void for_each(const onnx::GraphProto& graph,
                const std::function<void(std::string_view, const onnx::TypeProto&)>& visit) const;
  /// In the order of nodes.
  const std::vector<TypeFault>& faults() const { return faults_; }

 private:
  friend class TypeInferrer;
  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const {
      return std::hash<std::string_view>{}(name);
    }
  };
  struct Scope {
    const onnx::GraphProto* outer = nullptr;
    std::unordered_map<std::string, onnx::TypeProto, NameHash, std::equal_to<>> types;
  };
  std::unordered_map<const onnx::GraphProto*, Scope> scopes_;
  std::vector<TypeFault> faults_;
};

/// Infers a model whose nodes are sorted; what stands before its writer is unknown. Linear in the
/// nodes of all graphs. Functions of the model are not looked into: outputs of their calls are
/// unknown. Never throws for what a model says.
GraphTypes infer_graph_types(const Model& model, const InferenceOptions& options = {});

}  // namespace ingot::graph
