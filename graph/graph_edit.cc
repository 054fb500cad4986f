// SPDX-License-Identifier: Apache-2.0
// Edits that passes share: renaming uses, removing, sorting, operator set versions.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/error.h"
#include "graph/captures.h"
#include "graph/graph_index.h"

namespace ingot::graph {
namespace {

/// Takes the elements out of a repeated field, owned by the caller until put_back; pointers to them
/// stay valid.
template <class Message>
std::vector<Message*> take_all(google::protobuf::RepeatedPtrField<Message>& field) {
  std::vector<Message*> taken(static_cast<std::size_t>(field.size()));
  field.ExtractSubrange(0, field.size(), taken.data());
  return taken;
}

void replace_in_subgraph(onnx::GraphProto& graph, const std::string& from, const std::string& to) {
  if (defines(graph, from)) return;  // another value of the same name
  replace_uses(graph, from, to);
  for (auto& output : *graph.mutable_output()) {
    if (output.name() == from) output.set_name(to);
  }
}

}  // namespace

void replace_uses(onnx::GraphProto& graph, const std::string& from, const std::string& to) {
  for (auto& node : *graph.mutable_node()) {
    for (auto& input : *node.mutable_input()) {
      if (input == from) input = to;
    }
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) replace_in_subgraph(*attribute.mutable_g(), from, to);
      for (auto& nested : *attribute.mutable_graphs()) replace_in_subgraph(nested, from, to);
    }
  }
}

void erase_nodes(onnx::GraphProto& graph,
                 const std::unordered_set<const onnx::NodeProto*>& doomed) {
  if (doomed.empty()) return;
  for (onnx::NodeProto* node : take_all(*graph.mutable_node())) {
    if (doomed.contains(node)) {
      delete node;
    } else {
      graph.mutable_node()->AddAllocated(node);
    }
  }
}

std::size_t erase_unused_initializers(onnx::GraphProto& graph) {
  std::unordered_set<std::string_view> kept;
  for (const auto& input : graph.input()) kept.insert(input.name());
  for (const auto& output : graph.output()) kept.insert(output.name());
  for (const auto& annotation : graph.quantization_annotation()) {
    for (const auto& entry : annotation.quant_parameter_tensor_names()) kept.insert(entry.value());
  }
  for (const auto& node : graph.node()) {
    kept.insert(node.input().begin(), node.input().end());
    kept.merge(captures_of(node));
  }
  std::size_t erased = 0;
  for (onnx::TensorProto* tensor : take_all(*graph.mutable_initializer())) {
    if (kept.contains(tensor->name())) {
      graph.mutable_initializer()->AddAllocated(tensor);
    } else {
      delete tensor;
      ++erased;
    }
  }
  return erased;
}

std::int64_t opset_version(const onnx::ModelProto& model, std::string_view domain) {
  const auto canonical = [](std::string_view name) {
    return name == "ai.onnx" ? std::string_view{} : name;
  };
  for (const auto& opset : model.opset_import()) {
    if (canonical(opset.domain()) == canonical(domain)) return opset.version();
  }
  return 0;
}

void set_opset_version(onnx::ModelProto& model, const std::string& domain, std::int64_t version) {
  const bool is_default = domain.empty() || domain == "ai.onnx";
  for (auto& opset : *model.mutable_opset_import()) {
    const bool opset_is_default = opset.domain().empty() || opset.domain() == "ai.onnx";
    if (is_default ? opset_is_default : opset.domain() == domain) return opset.set_version(version);
  }
  auto& opset = *model.add_opset_import();
  opset.set_domain(is_default ? "" : domain);
  opset.set_version(version);
}

}  // namespace ingot::graph
