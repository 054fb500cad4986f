// SPDX-License-Identifier: Apache-2.0
#include "quant/scopes.h"

namespace ingot::quant {

std::optional<TensorView> Scope::constant(std::string_view name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer) {
    if (auto value = scope->index.constant(name)) return value;
    if (scope->index.is_graph_input(name) || scope->index.producer(name) != nullptr) break;
  }
  return std::nullopt;
}

const Scope* Scope::owner(std::string_view name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer) {
    if (scope->index.initializer(name) != nullptr) return scope;
    if (scope->index.is_graph_input(name) || scope->index.producer(name) != nullptr) break;
  }
  return nullptr;
}

Scopes::Scopes(graph::Model& model) {
  add(model, model.graph(), nullptr, "");
  for (const auto& scope : scopes_) {
    for (onnx::NodeProto& node : *scope->graph->mutable_node()) {
      for (int slot = 0; slot < node.input_size(); ++slot) {
        const Scope* owner = scope->owner(node.input(slot));
        if (owner == nullptr) continue;
        uses_[owner->index.initializer(node.input(slot))].push_back({scope.get(), &node, slot});
      }
    }
    for (const onnx::ValueInfoProto& output : scope->graph->output()) {
      if (const Scope* owner = scope->owner(output.name()))
        outputs_[owner->index.initializer(output.name())] = true;
    }
  }
}

void Scopes::add(graph::Model& model, onnx::GraphProto& graph, const Scope* outer,
                 std::string prefix) {
  scopes_.push_back(std::make_unique<Scope>(
      Scope{&graph, outer, std::move(prefix), graph::GraphIndex(model, graph)}));
  const Scope* self = scopes_.back().get();
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      const std::string inner = self->key(node) + '/' + attribute.name() + '/';
      if (attribute.has_g()) add(model, *attribute.mutable_g(), self, inner);
      for (onnx::GraphProto& one : *attribute.mutable_graphs()) add(model, one, self, inner);
    }
  }
}

const std::vector<ScopedUse>& Scopes::uses(const Scope& owner, const std::string& name) const {
  static const std::vector<ScopedUse> none;
  const auto found = uses_.find(owner.index.initializer(name));
  return found == uses_.end() ? none : found->second;
}

bool Scopes::is_output(const Scope& owner, const std::string& name) const {
  return outputs_.contains(owner.index.initializer(name));
}

}  // namespace ingot::quant
