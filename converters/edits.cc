// SPDX-License-Identifier: Apache-2.0
// Edits of one graph, made in one go.
#include "converters/edits.h"

namespace ingot::converters {
namespace {

/// Takes the names that `graph` defines itself out of `renames` as long as it lives.
class Hidden {
 public:
  Hidden(const onnx::GraphProto& graph, Renames& renames) : renames_(renames) {
    for (const auto& input : graph.input()) hide(input.name());
    for (const auto& tensor : graph.initializer()) hide(tensor.name());
    for (const auto& sparse : graph.sparse_initializer()) hide(sparse.values().name());
    for (const auto& node : graph.node()) {
      for (const std::string& name : node.output()) hide(name);
    }
  }
  Hidden(const Hidden&) = delete;
  Hidden& operator=(const Hidden&) = delete;
  ~Hidden() {
    for (auto& entry : hidden_) renames_.insert(std::move(entry));
  }

 private:
  void hide(const std::string& name) {
    auto entry = renames_.extract(name);
    if (!entry.empty()) hidden_.push_back(std::move(entry));
  }

  Renames& renames_;
  std::vector<Renames::node_type> hidden_;
};

/// The end of a chain of replacements, which becomes the answer for everything on the way.
const std::string& resolve(Renames& renames, const std::string& name) {
  const std::string* end = &name;
  for (auto next = renames.find(*end); next != renames.end(); next = renames.find(*end)) {
    end = &next->second;
  }
  for (auto at = renames.find(name); at != renames.end() && &at->second != end;) {
    const std::string step = at->second;
    at->second = *end;
    at = renames.find(step);
  }
  return *end;
}

}  // namespace

void rename_reads(onnx::GraphProto& graph, Renames& renames) {
  const auto rename_inside = [&renames](onnx::GraphProto& inner) {
    const Hidden hidden(inner, renames);
    rename_reads(inner, renames);
  };
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    for (std::string& name : *node.mutable_input()) {
      const auto found = renames.find(name);
      if (found != renames.end()) name = found->second;
    }
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) rename_inside(*attribute.mutable_g());
      for (onnx::GraphProto& inner : *attribute.mutable_graphs()) rename_inside(inner);
    }
  }
}

void Edits::remove(const onnx::NodeProto& node) {
  doomed_.insert(&node);
  touch(node);
}

void Edits::rename_output(onnx::NodeProto& node, int slot, std::string name) {
  outputs_.push_back({&node, slot, std::move(name)});
  touch(node);
}

void Edits::set_input(onnx::NodeProto& node, int slot, std::string name) {
  inputs_.push_back({&node, slot, std::move(name)});
  touch(node);
}

void Edits::replace(onnx::NodeProto& node, onnx::NodeProto with) {
  nodes_.emplace_back(&node, std::move(with));
  touch(node);
}

void Edits::replace_uses(std::string from, std::string to) {
  replacements_.insert_or_assign(std::move(from), std::move(to));
}

void Edits::apply(onnx::GraphProto& graph) {
  for (auto& [node, with] : nodes_) *node = std::move(with);
  for (Slot& edit : inputs_) {
    while (edit.node->input_size() <= edit.slot) edit.node->add_input();
    edit.node->set_input(edit.slot, std::move(edit.name));
  }
  for (Slot& edit : outputs_) edit.node->set_output(edit.slot, std::move(edit.name));
  if (!replacements_.empty()) {
    for (auto& [from, to] : replacements_) to = std::string(resolve(replacements_, to));
    rename_reads(graph, replacements_);
  }
  if (!doomed_.empty()) graph::erase_nodes(graph, doomed_);
  *this = Edits();
}

}  // namespace ingot::converters
