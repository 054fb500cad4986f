// SPDX-License-Identifier: Apache-2.0
// Looking things up in one graph, and the few edits that passes share. An index is a snapshot:
// build a new one after edits.
#pragma once

#include <onnx/onnx_pb.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/tensor.h"
#include "graph/model.h"

namespace ingot::graph {

/// One use of a tensor as input number `slot` of `node`.
struct Use {
  onnx::NodeProto* node;
  int slot;
};

class GraphIndex {
 public:
  GraphIndex(Model& model, onnx::GraphProto& graph);

  /// The node that writes `name`; nullptr for inputs, initializers and unknown names.
  onnx::NodeProto* producer(std::string_view name) const;
  /// All uses as a node input in this graph, in node order. Uses inside nested subgraphs are not
  /// here: see used_below.
  const std::vector<Use>& uses(std::string_view name) const;
  /// True when a nested subgraph of some node reads `name` from this graph.
  bool used_below(std::string_view name) const;
  bool is_graph_output(std::string_view name) const;
  bool is_graph_input(std::string_view name) const;
  /// The initializer `name`; nullptr when there is none.
  onnx::TensorProto* initializer(std::string_view name) const;
  /// The value of `name` when it cannot change: an initializer that is not also a graph input, or a
  /// Constant node's tensor.
  std::optional<TensorView> constant(std::string_view name) const;
  /// The only consumer of `name`, when it has exactly one use in all (none below, not a graph
  /// output); else nullptr.
  onnx::NodeProto* only_consumer(std::string_view name) const;

 private:
  Model& model_;
  std::unordered_map<std::string_view, onnx::NodeProto*> producers_;
  std::unordered_map<std::string_view, std::vector<Use>> uses_;
  std::unordered_map<std::string_view, onnx::TensorProto*> initializers_;
  std::unordered_set<std::string_view> outputs_, inputs_, used_below_;
  std::unordered_map<std::string_view, Tensor>
      attribute_constants_;  // Constant nodes that hold numbers, not a tensor
};

/// Names not yet used anywhere in a model (subgraphs included), made from a stem.
class NameMaker {
 public:
  explicit NameMaker(const Model& model);
  /// `stem` if free, else stem_1, stem_2, …; the result is taken from then on.
  std::string fresh(const std::string& stem);

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::size_t> next_;
};

/// Calls `visit` for the main graph and every nested one, outer before inner.
void for_each_graph(onnx::ModelProto& model, const std::function<void(onnx::GraphProto&)>& visit);
void for_each_graph(const onnx::ModelProto& model,
                    const std::function<void(const onnx::GraphProto&)>& visit);
/// Calls `visit` for every tensor that carries data: initializers (the parts of sparse ones too)
/// and tensor attributes of all graphs, functions and training graphs, in the order in which they
/// are saved.
void for_each_tensor(const onnx::ModelProto& model,
                     const std::function<void(const onnx::TensorProto&)>& visit);
void for_each_tensor(onnx::ModelProto& model, const std::function<void(onnx::TensorProto&)>& visit);

/// "Conv 'stem/conv'" (or "Conv writing 'y'" for a node without name), for messages and reports.
std::string describe(const onnx::NodeProto& node);
/// The node's name, or its first output when it has none; the key of patterns, plans and reports.
std::string node_key(const onnx::NodeProto& node);

const onnx::AttributeProto* find_attribute(const onnx::NodeProto& node, std::string_view name);
std::int64_t int_attribute(const onnx::NodeProto& node, std::string_view name,
                           std::int64_t otherwise);
float float_attribute(const onnx::NodeProto& node, std::string_view name, float otherwise);
std::string string_attribute(const onnx::NodeProto& node, std::string_view name,
                             std::string otherwise);
std::vector<std::int64_t> ints_attribute(const onnx::NodeProto& node, std::string_view name);
void set_attribute(onnx::NodeProto& node, const std::string& name, std::int64_t value);
void set_attribute(onnx::NodeProto& node, const std::string& name, float value);
void set_attribute(onnx::NodeProto& node, const std::string& name,
                   const std::vector<std::int64_t>& values);
void set_attribute(onnx::NodeProto& node, const std::string& name, const std::string& value);

/// Appends a node with one output per name.
onnx::NodeProto& add_node(onnx::GraphProto& graph, const std::string& op_type,
                          const std::string& name, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs, const std::string& domain = {});
/// Makes every use of `from` in `graph` and its subgraphs read `to` (not the graph's outputs).
void replace_uses(onnx::GraphProto& graph, const std::string& from, const std::string& to);
/// Removes the nodes in `doomed`, keeping the order of the others.
void erase_nodes(onnx::GraphProto& graph, const std::unordered_set<const onnx::NodeProto*>& doomed);
/// Removes initializers that nothing reads (subgraphs counted) and that are neither graph inputs
/// nor outputs. Returns how many.
std::size_t erase_unused_initializers(onnx::GraphProto& graph);
/// Sorts the nodes of `graph` (not of its subgraphs) topologically: a node moves only to come
/// before its readers, so a sorted graph stays as it is. What subgraphs read counts as input of
/// their node. `outer_names`: what a subgraph may read from outside. Linear time. Throws kInput
/// naming a node of the cycle, the tensor nobody writes or the tensor written twice.
void sort_nodes(onnx::GraphProto& graph, const std::unordered_set<std::string>& outer_names = {});

/// The version of `domain` ("" = ai.onnx) the model imports; 0 when it does not.
std::int64_t opset_version(const onnx::ModelProto& model, std::string_view domain = {});
void set_opset_version(onnx::ModelProto& model, const std::string& domain, std::int64_t version);

/// Element type and shape of a tensor as far as they are known (-1 = dimension not known).
struct ValueType {
  DType dtype = DType::kUndefined;
  std::optional<Shape> shape;
};
/// Types of all values of the main graph by ONNX's shape inference over inputs, value_info and
/// initializers. What cannot be inferred is absent; never throws for that.
std::unordered_map<std::string, ValueType> infer_types(const Model& model);
/// The type a graph's input or output declares.
ValueType declared_type(const onnx::ValueInfoProto& info);

}  // namespace ingot::graph
