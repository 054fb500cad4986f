// SPDX-License-Identifier: Apache-2.0
// Edits of one graph, made in one go.
#include "converters/edits.h"

namespace ingot::converters {
namespace {

using Renames = std::unordered_map<std::string, std::string>;

/// Points every read in `graph` and the graphs in it at the new name; one walk for any number of
/// names. A nested graph that defines a name itself means another tensor.
void rename_reads(onnx::GraphProto& graph, const Renames& renames);

Renames visible_in(const onnx::GraphProto& graph, Renames renames) {
  for (const auto& input : graph.input()) renames.erase(input.name());
  for (const auto& tensor : graph.initializer()) renames.erase(tensor.name());
  for (const auto& node : graph.node()) {
    for (const std::string& name : node.output()) renames.erase(name);
  }
  return renames;
}

void rename_reads(onnx::GraphProto& graph, const Renames& renames) {
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    for (std::string& name : *node.mutable_input()) {
      const auto found = renames.find(name);
      if (found != renames.end()) name = found->second;
    }
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) {
        rename_reads(*attribute.mutable_g(), visible_in(attribute.g(), renames));
      }
      for (onnx::GraphProto& inner : *attribute.mutable_graphs()) {
        rename_reads(inner, visible_in(inner, renames));
      }
    }
  }
}

}  // namespace

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
  if (!replacements_.empty()) rename_reads(graph, replacements_);
  if (!doomed_.empty()) graph::erase_nodes(graph, doomed_);
  *this = Edits();
}

}  // namespace ingot::converters
