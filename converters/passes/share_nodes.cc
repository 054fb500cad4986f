// SPDX-License-Identifier: Apache-2.0
// Of two nodes that compute the same from the same inputs, the second goes and its readers read the
// first. In order, so that what follows from equal nodes is found equal in the same sweep.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "converters/edits.h"
#include "converters/passes/passes.h"

namespace ingot::converters {
namespace {

/// Operators that give something else each time, and DequantizeLinear: the runtime fuses it into
/// the one node that reads it.
constexpr std::array<std::string_view, 9> kNeverShared = {
    "Bernoulli",    "DequantizeLinear", "Dropout",       "Identity",         "Multinomial",
    "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"};

bool is_shareable(const onnx::NodeProto& node) {
  if (!is_standard(node) || has_subgraph(node) || node.output_size() == 0) return false;
  return std::ranges::find(kNeverShared, node.op_type()) == kNeverShared.end();
}

/// Appends a field so that no two lists of fields give one text.
void append(std::string& text, std::string_view field) {
  text += std::to_string(field.size());
  text += ':';
  text += field;
}

/// Operator, attributes in the order of their names, byte for byte.
void append_attributes(std::string& key, const onnx::NodeProto& node) {
  std::vector<const onnx::AttributeProto*> attributes;
  for (const auto& attribute : node.attribute()) attributes.push_back(&attribute);
  std::ranges::sort(attributes, {}, [](const auto* attribute) { return attribute->name(); });
  for (const auto* attribute : attributes) {
    if (attribute->doc_string().empty()) {
      append(key, attribute->SerializeAsString());
    } else {
      onnx::AttributeProto bare = *attribute;
      bare.clear_doc_string();
      append(key, bare.SerializeAsString());
    }
  }
}

class Sharer {
 public:
  Sharer(PassContext& context, onnx::GraphProto& graph)
      : context_(context), graph_(graph), index_(context.model, graph) {}

  void run() {
    for (const onnx::NodeProto& node : graph_.node()) {
      if (!is_shareable(node)) continue;
      const auto [first, is_new] = seen_.emplace(key_of(node), &node);
      if (!is_new) share(*first->second, node);
    }
    edits_.apply(graph_);
  }

 private:
  std::string key_of(const onnx::NodeProto& node) const {
    std::string key;
    append(key, node.op_type());
    append(key, node.overload());
    key += std::to_string(node.input_size()) + '>';
    for (const std::string& name : node.input()) {
      const auto shared = shared_.find(name);
      append(key, shared == shared_.end() ? name : shared->second);
    }
    key += std::to_string(node.output_size()) + '>';
    // Which outputs are asked for can change what an operator does.
    for (const std::string& name : node.output()) key += name.empty() ? '0' : '1';
    append_attributes(key, node);
    return key;
  }

  void share(const onnx::NodeProto& first, const onnx::NodeProto& second) {
    const bool is_output = std::ranges::any_of(
        second.output(), [this](const std::string& name) { return index_.is_graph_output(name); });
    if (is_output) return;
    context_.changed(graph::describe(second),
                     fmt::format("computes what {} does", graph::describe(first)));
    for (int i = 0; i < second.output_size(); ++i) {
      if (second.output(i).empty()) continue;
      shared_.emplace(second.output(i), first.output(i));
      edits_.replace_uses(second.output(i), first.output(i));
    }
    edits_.remove(second);
  }

  PassContext& context_;
  onnx::GraphProto& graph_;
  graph::GraphIndex index_;
  Edits edits_;
  std::unordered_map<std::string, const onnx::NodeProto*> seen_;
  std::unordered_map<std::string, std::string>
      shared_;  ///< output of a node that goes → what stays
};

}  // namespace

void share_nodes(PassContext& context) {
  graph::for_each_graph(context.model.proto(),
                        [&](onnx::GraphProto& graph) { Sharer(context, graph).run(); });
}

}  // namespace ingot::converters
