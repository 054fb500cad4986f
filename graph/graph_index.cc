// SPDX-License-Identifier: Apache-2.0
#include "graph/graph_index.h"

#include "graph/captures.h"
#include "graph/constant_node.h"

namespace ingot::graph {
namespace {

template <class Map>
auto find_or_null(const Map& map, std::string_view name) -> typename Map::mapped_type {
  const auto found = map.find(name);
  return found == map.end() ? nullptr : found->second;
}

}  // namespace

GraphIndex::GraphIndex(Model& model, onnx::GraphProto& graph) : model_(model) {
  for (const auto& input : graph.input()) inputs_.insert(input.name());
  for (const auto& output : graph.output()) outputs_.insert(output.name());
  for (auto& tensor : *graph.mutable_initializer()) initializers_.emplace(tensor.name(), &tensor);
  for (auto& node : *graph.mutable_node()) {
    for (const std::string& output : node.output()) {
      if (!output.empty()) producers_.emplace(output, &node);
    }
    for (int slot = 0; slot < node.input_size(); ++slot) {
      if (!node.input(slot).empty()) uses_[node.input(slot)].push_back({&node, slot});
    }
    used_below_.merge(captures_of(node));
    if (!is_constant_node(node)) continue;
    if (auto value = plain_constant(node))
      attribute_constants_.emplace(node.output(0), std::move(*value));
  }
}

onnx::NodeProto* GraphIndex::producer(std::string_view name) const {
  return find_or_null(producers_, name);
}

const std::vector<Use>& GraphIndex::uses(std::string_view name) const {
  static const std::vector<Use> none;
  const auto found = uses_.find(name);
  return found == uses_.end() ? none : found->second;
}

bool GraphIndex::used_below(std::string_view name) const { return used_below_.contains(name); }
bool GraphIndex::is_graph_output(std::string_view name) const { return outputs_.contains(name); }
bool GraphIndex::is_graph_input(std::string_view name) const { return inputs_.contains(name); }
onnx::TensorProto* GraphIndex::initializer(std::string_view name) const {
  return find_or_null(initializers_, name);
}

std::optional<TensorView> GraphIndex::constant(std::string_view name) const {
  if (const auto* tensor = initializer(name)) {
    // An initializer that is an input too is only a default: the caller of the model may replace
    // it.
    if (is_graph_input(name)) return std::nullopt;
    return model_.view(*tensor);
  }
  const auto plain = attribute_constants_.find(name);
  if (plain != attribute_constants_.end()) return plain->second.view();
  const auto* node = producer(name);
  if (node == nullptr || !is_constant_node(*node)) return std::nullopt;
  const auto* value = find_attribute(*node, "value");
  if (value == nullptr || !value->has_t()) return std::nullopt;
  return model_.view(value->t());
}

onnx::NodeProto* GraphIndex::only_consumer(std::string_view name) const {
  const auto& all = uses(name);
  return all.size() == 1 && !used_below(name) && !is_graph_output(name) ? all.front().node
                                                                        : nullptr;
}

NameMaker::NameMaker(const Model& model) {
  for_each_graph(model.proto(), [this](const onnx::GraphProto& graph) {
    for (const auto& info : graph.input()) taken_.insert(info.name());
    for (const auto& info : graph.output()) taken_.insert(info.name());
    for (const auto& info : graph.value_info()) taken_.insert(info.name());
    for (const auto& tensor : graph.initializer()) taken_.insert(tensor.name());
    for (const auto& sparse : graph.sparse_initializer()) taken_.insert(sparse.values().name());
    for (const auto& node : graph.node()) {
      taken_.insert(node.name());
      taken_.insert(node.input().begin(), node.input().end());
      taken_.insert(node.output().begin(), node.output().end());
    }
  });
}

std::string NameMaker::fresh(const std::string& stem) {
  if (taken_.insert(stem).second) return stem;
  // The counter is kept per stem, or a thousand names of one stem would cost a million look-ups.
  for (std::size_t& number = next_[stem];;) {
    std::string name = stem + '_' + std::to_string(++number);
    if (taken_.insert(name).second) return name;
  }
}

}  // namespace ingot::graph
