// SPDX-License-Identifier: Apache-2.0
// Visiting every graph and every tensor of a model.
#include <utility>

#include "graph/graph_index.h"

namespace ingot::graph {
namespace {

using GraphVisitor = std::function<void(const onnx::GraphProto&)>;
using TensorVisitor = std::function<void(const onnx::TensorProto&)>;

void visit_graphs(const onnx::GraphProto& graph, const GraphVisitor& visit) {
  visit(graph);
  for (const auto& node : graph.node()) {
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) visit_graphs(attribute.g(), visit);
      for (const auto& nested : attribute.graphs()) visit_graphs(nested, visit);
    }
  }
}

void visit_sparse(const onnx::SparseTensorProto& sparse, const TensorVisitor& visit) {
  if (sparse.has_values()) visit(sparse.values());
  if (sparse.has_indices()) visit(sparse.indices());
}

void visit_graph_tensors(const onnx::GraphProto& graph, const TensorVisitor& visit);

// The order of fields is protobuf's, so that external data lies in file order.
void visit_attribute(const onnx::AttributeProto& attribute, const TensorVisitor& visit) {
  if (attribute.has_t()) visit(attribute.t());
  if (attribute.has_g()) visit_graph_tensors(attribute.g(), visit);
  for (const auto& tensor : attribute.tensors()) visit(tensor);
  for (const auto& graph : attribute.graphs()) visit_graph_tensors(graph, visit);
  if (attribute.has_sparse_tensor()) visit_sparse(attribute.sparse_tensor(), visit);
  for (const auto& sparse : attribute.sparse_tensors()) visit_sparse(sparse, visit);
}

template <class Nodes>
void visit_nodes(const Nodes& nodes, const TensorVisitor& visit) {
  for (const auto& node : nodes) {
    for (const auto& attribute : node.attribute()) visit_attribute(attribute, visit);
  }
}

void visit_graph_tensors(const onnx::GraphProto& graph, const TensorVisitor& visit) {
  visit_nodes(graph.node(), visit);
  for (const auto& tensor : graph.initializer()) visit(tensor);
  for (const auto& sparse : graph.sparse_initializer()) visit_sparse(sparse, visit);
}

}  // namespace

void for_each_graph(const onnx::ModelProto& model, const GraphVisitor& visit) {
  if (model.has_graph()) visit_graphs(model.graph(), visit);
}

// One walk serves both: a message reached through a mutable model is mutable itself.
void for_each_graph(onnx::ModelProto& model, const std::function<void(onnx::GraphProto&)>& visit) {
  for_each_graph(std::as_const(model), [&](const onnx::GraphProto& graph) {
    visit(const_cast<onnx::GraphProto&>(graph));
  });
}

void for_each_tensor(const onnx::ModelProto& model, const TensorVisitor& visit) {
  if (model.has_graph()) visit_graph_tensors(model.graph(), visit);
  for (const auto& training : model.training_info()) {
    if (training.has_initialization()) visit_graph_tensors(training.initialization(), visit);
    if (training.has_algorithm()) visit_graph_tensors(training.algorithm(), visit);
  }
  for (const auto& function : model.functions()) {
    visit_nodes(function.node(), visit);
    for (const auto& attribute : function.attribute_proto()) visit_attribute(attribute, visit);
  }
}

void for_each_tensor(onnx::ModelProto& model,
                     const std::function<void(onnx::TensorProto&)>& visit) {
  for_each_tensor(std::as_const(model), [&](const onnx::TensorProto& tensor) {
    visit(const_cast<onnx::TensorProto&>(tensor));
  });
}

}  // namespace ingot::graph
