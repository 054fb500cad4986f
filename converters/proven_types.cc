// SPDX-License-Identifier: Apache-2.0
// Types and shapes that can be relied on.
#include "converters/proven_types.h"

#include <fmt/format.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <unordered_set>

#include "graph/graph_index.h"

namespace ingot::converters {
namespace {

/// ONNX's inference visits each level twice, so that its time doubles with each.
constexpr int kMaxInferredDepth = 8;

int depth_of(const onnx::GraphProto& graph) {
  int below = 0;
  for (const auto& node : graph.node()) {
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) below = std::max(below, depth_of(attribute.g()));
      for (const auto& inner : attribute.graphs()) below = std::max(below, depth_of(inner));
    }
  }
  return below + 1;
}

void clear_shape(onnx::ValueInfoProto& info) {
  if (info.type().has_tensor_type()) info.mutable_type()->mutable_tensor_type()->clear_shape();
}

/// A copy that declares only what the runtime insists on.
onnx::ModelProto without_claims(const onnx::ModelProto& model) {
  onnx::ModelProto copy = model;
  copy.clear_functions();
  onnx::GraphProto& graph = *copy.mutable_graph();
  // Element types are checked when a model is loaded, shapes are not.
  graph::for_each_graph(copy, [&graph](onnx::GraphProto& each) {
    each.clear_value_info();
    for (auto& output : *each.mutable_output()) clear_shape(output);
    if (&each == &graph) return;
    for (auto& input : *each.mutable_input()) clear_shape(input);
  });
  if (model.ir_version() >= 4) {
    // The caller may replace a weight that is an input.
    std::unordered_set<std::string_view> inputs;
    for (const auto& input : graph.input()) inputs.insert(input.name());
    auto& weights = *graph.mutable_initializer();
    weights.erase(std::remove_if(weights.begin(), weights.end(),
                                 [&](const auto& w) { return inputs.contains(w.name()); }),
                  weights.end());
  }
  for (int i = 0; i < graph.input_size(); ++i) {
    if (!graph.input(i).type().has_tensor_type()) continue;
    auto& tensor = *graph.mutable_input(i)->mutable_type()->mutable_tensor_type();
    for (int axis = 0; axis < tensor.shape().dim_size(); ++axis) {
      auto& dim = *tensor.mutable_shape()->mutable_dim(axis);
      if (!dim.has_dim_value() || dim.dim_value() < 0) {
        dim.set_dim_param(fmt::format("input {} axis {}", i, axis));
      }
    }
  }
  return copy;
}

}  // namespace

const onnx::TypeProto* ProvenTypes::find(const onnx::GraphProto& graph, std::string_view name) {
  if (!scopes_) {
    scopes_.emplace();
    if (depth_of(model_.graph()) <= kMaxInferredDepth) {
      onnx::ModelProto copy = without_claims(model_.proto());
      try {
        onnx::shape_inference::InferShapes(copy, onnx::OpSchemaRegistry::Instance(),
                                           onnx::ShapeInferenceOptions{false, 0, true});
      } catch (const std::exception&) {
        // What was found up to here holds.
      }
      add_scopes(model_.graph(), copy.graph(), nullptr, *scopes_);
    }
  }
  const std::string key(name);
  for (auto scope = scopes_->find(&graph); scope != scopes_->end();
       scope = scopes_->find(scope->second.outer)) {
    const auto found = scope->second.types.find(key);
    if (found == scope->second.types.end()) continue;
    const bool is_known = found->second.value_case() != onnx::TypeProto::VALUE_NOT_SET;
    return is_known ? &found->second : nullptr;
  }
  return nullptr;
}

/// `inferred` is the copy of `graph` that inference worked on: the same nodes in the same order.
void ProvenTypes::add_scopes(const onnx::GraphProto& graph, const onnx::GraphProto& inferred,
                             const onnx::GraphProto* outer, Scopes& scopes) {
  Scope& scope = scopes[&graph];
  scope.outer = outer;
  for (const auto& tensor : inferred.initializer()) {
    onnx::TypeProto type;
    type.mutable_tensor_type()->set_elem_type(tensor.data_type());
    auto& shape = *type.mutable_tensor_type()->mutable_shape();
    for (const auto dim : tensor.dims()) shape.add_dim()->set_dim_value(dim);
    scope.types.emplace(tensor.name(), std::move(type));
  }
  for (const auto& input : inferred.input()) scope.types.emplace(input.name(), input.type());
  for (const auto& info : inferred.value_info()) scope.types.emplace(info.name(), info.type());
  for (const auto& output : inferred.output()) scope.types.emplace(output.name(), output.type());
  for (int i = 0; i < graph.node_size(); ++i) {
    const onnx::NodeProto &node = graph.node(i), &copy = inferred.node(i);
    // What is not known hides a value of the same name outside.
    for (const std::string& name : node.output()) scope.types.try_emplace(name);
    for (int a = 0; a < node.attribute_size(); ++a) {
      const auto &mine = node.attribute(a), &theirs = copy.attribute(a);
      if (mine.has_g()) add_scopes(mine.g(), theirs.g(), &graph, scopes);
      for (int g = 0; g < mine.graphs_size(); ++g) {
        add_scopes(mine.graphs(g), theirs.graphs(g), &graph, scopes);
      }
    }
  }
}

std::optional<Shape> shape_of(const onnx::TypeProto& type) {
  if (!type.has_tensor_type() || !type.tensor_type().has_shape()) return std::nullopt;
  Shape shape;
  for (const auto& dim : type.tensor_type().shape().dim()) {
    shape.push_back(dim.has_dim_value() && dim.dim_value() >= 0 ? dim.dim_value() : -1);
  }
  return shape;
}

bool same_dimension(const onnx::TensorShapeProto::Dimension& a,
                    const onnx::TensorShapeProto::Dimension& b) {
  if (a.has_dim_value() && b.has_dim_value()) return a.dim_value() == b.dim_value();
  return a.has_dim_param() && b.has_dim_param() && !a.dim_param().empty() &&
         a.dim_param() == b.dim_param();
}

std::optional<Shape> ProvenTypes::shape(const onnx::GraphProto& graph, std::string_view name) {
  const onnx::TypeProto* type = find(graph, name);
  return type == nullptr ? std::nullopt : shape_of(*type);
}

std::optional<int> ProvenTypes::rank(const onnx::GraphProto& graph, std::string_view name) {
  const auto known = shape(graph, name);
  if (!known) return std::nullopt;
  return static_cast<int>(known->size());
}

DType ProvenTypes::dtype(const onnx::GraphProto& graph, std::string_view name) {
  const onnx::TypeProto* type = find(graph, name);
  if (type == nullptr || !type->has_tensor_type()) return DType::kUndefined;
  return static_cast<DType>(type->tensor_type().elem_type());
}

bool ProvenTypes::same_shape(const onnx::GraphProto& graph, std::string_view a,
                             std::string_view b) {
  const onnx::TypeProto *first = find(graph, a), *second = find(graph, b);
  if (first == nullptr || second == nullptr) return false;
  if (!first->tensor_type().has_shape() || !second->tensor_type().has_shape()) return false;
  const auto &x = first->tensor_type().shape(), &y = second->tensor_type().shape();
  if (x.dim_size() != y.dim_size()) return false;
  for (int i = 0; i < x.dim_size(); ++i) {
    if (!same_dimension(x.dim(i), y.dim(i))) return false;
  }
  return true;
}

bool ProvenTypes::same(const onnx::GraphProto& graph, std::string_view a, std::string_view b) {
  const DType type = dtype(graph, a);
  return type != DType::kUndefined && type == dtype(graph, b) && same_shape(graph, a, b);
}

}  // namespace ingot::converters
