// SPDX-License-Identifier: Apache-2.0
#include "converters/opset/scope.h"

#include <utility>

#include "graph/constant_node.h"
#include "graph/type_inference.h"

namespace ingot::converters {

void Scope::infer_types() {
  const graph::GraphTypes inferred = graph::infer_graph_types(model_);
  graph::for_each_graph(model_.proto(), [&](const onnx::GraphProto& graph) {
    Types& types = types_[&graph];
    // Copied: the names inferred are views into nodes that are about to change.
    inferred.for_each(graph, [&types](std::string_view name, const onnx::TypeProto& type) {
      onnx::ValueInfoProto info;
      *info.mutable_type() = type;
      types.emplace(name, graph::declared_type(info));
    });
  });
}

template <class Nodes>
void Scope::add_nodes(const Nodes& nodes, Frame& frame) {
  for (const onnx::NodeProto& node : nodes) {
    for (const std::string& name : node.output()) frame.defined.emplace(name, false);
    if (!graph::is_constant_node(node)) continue;
    const auto* value = graph::find_attribute(node, "value");
    if (value != nullptr && value->has_t()) {
      frame.tensors.emplace(node.output(0), &value->t());
    } else if (auto plain = graph::plain_constant(node)) {
      frame.plain.emplace(node.output(0), std::move(*plain));
    }
  }
}

void Scope::enter(const onnx::GraphProto& graph) {
  Frame frame;
  frame.graph = &graph;
  for (const auto& input : graph.input()) {
    frame.defined.emplace(input.name(), true);
    frame.declared.emplace(input.name(), &input);
  }
  for (const auto& info : graph.value_info()) frame.declared.emplace(info.name(), &info);
  for (const auto& info : graph.output()) frame.declared.emplace(info.name(), &info);
  for (const auto& tensor : graph.initializer()) {
    frame.defined.emplace(tensor.name(), false);
    frame.tensors.emplace(tensor.name(), &tensor);
  }
  add_nodes(graph.node(), frame);
  frames_.push_back(std::move(frame));
}

void Scope::enter(const onnx::FunctionProto& function) {
  Frame frame;
  for (const std::string& input : function.input()) frame.defined.emplace(input, true);
  for (const auto& info : function.value_info()) frame.declared.emplace(info.name(), &info);
  add_nodes(function.node(), frame);
  frames_.push_back(std::move(frame));
}

void Scope::remember(const std::string& name, Tensor value) {
  made_.insert_or_assign(name, std::move(value));
}

const Scope::Frame* Scope::frame_of(const std::string& name) const {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    if (frame->defined.contains(name)) return &*frame;
    if (frame->graph == nullptr) break;
  }
  return nullptr;
}

std::optional<TensorView> Scope::constant(const std::string& name) const {
  if (const auto made = made_.find(name); made != made_.end()) return made->second.view();
  const Frame* frame = frame_of(name);
  if (frame == nullptr || frame->defined.at(name)) return std::nullopt;
  if (const auto found = frame->tensors.find(name); found != frame->tensors.end())
    return model_.view(*found->second);
  const auto plain = frame->plain.find(name);
  if (plain == frame->plain.end()) return std::nullopt;
  return plain->second.view();
}

graph::ValueType Scope::type(const std::string& name) const {
  if (const auto made = made_.find(name); made != made_.end())
    return {made->second.dtype, made->second.shape};
  const Frame* frame = frame_of(name);
  if (frame == nullptr) return {};
  if (const auto found = frame->tensors.find(name); found != frame->tensors.end()) {
    const onnx::TensorProto& tensor = *found->second;
    return {static_cast<DType>(tensor.data_type()),
            Shape(tensor.dims().begin(), tensor.dims().end())};
  }
  if (const auto types = types_.find(frame->graph); types != types_.end()) {
    const auto known = types->second.find(name);
    return known == types->second.end() ? graph::ValueType{} : known->second;
  }
  const auto declared = frame->declared.find(name);
  return declared == frame->declared.end() ? graph::ValueType{}
                                           : graph::declared_type(*declared->second);
}

}  // namespace ingot::converters
