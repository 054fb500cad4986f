// SPDX-License-Identifier: Apache-2.0
// Reading, writing and describing single nodes.
#include <fmt/format.h>

#include <utility>

#include "graph/graph_index.h"

namespace ingot::graph {
namespace {

/// The attribute `name`, added when missing, empty and of type `type`.
onnx::AttributeProto& fresh_attribute(onnx::NodeProto& node, const std::string& name,
                                      onnx::AttributeProto::AttributeType type) {
  onnx::AttributeProto* found = nullptr;
  for (auto& attribute : *node.mutable_attribute()) {
    if (attribute.name() == name) found = &attribute;
  }
  if (found == nullptr) found = node.add_attribute();
  found->Clear();
  found->set_name(name);
  found->set_type(type);
  return *found;
}

}  // namespace

std::string describe(const onnx::NodeProto& node) {
  if (!node.name().empty()) return fmt::format("{} '{}'", node.op_type(), node.name());
  const std::string key = node_key(node);
  return key.empty() ? fmt::format("{} without name and outputs", node.op_type())
                     : fmt::format("{} writing '{}'", node.op_type(), key);
}

std::string node_key(const onnx::NodeProto& node) {
  if (!node.name().empty()) return node.name();
  for (const std::string& output : node.output()) {
    if (!output.empty()) return output;
  }
  return {};
}

const onnx::AttributeProto* find_attribute(const onnx::NodeProto& node, std::string_view name) {
  for (const auto& attribute : node.attribute()) {
    if (attribute.name() == name) return &attribute;
  }
  return nullptr;
}

std::int64_t int_attribute(const onnx::NodeProto& node, std::string_view name,
                           std::int64_t otherwise) {
  const auto* attribute = find_attribute(node, name);
  return attribute != nullptr && attribute->type() == onnx::AttributeProto::INT ? attribute->i()
                                                                                : otherwise;
}

float float_attribute(const onnx::NodeProto& node, std::string_view name, float otherwise) {
  const auto* attribute = find_attribute(node, name);
  return attribute != nullptr && attribute->type() == onnx::AttributeProto::FLOAT ? attribute->f()
                                                                                  : otherwise;
}

std::string string_attribute(const onnx::NodeProto& node, std::string_view name,
                             std::string otherwise) {
  const auto* attribute = find_attribute(node, name);
  return attribute != nullptr && attribute->type() == onnx::AttributeProto::STRING
             ? attribute->s()
             : std::move(otherwise);
}

std::vector<std::int64_t> ints_attribute(const onnx::NodeProto& node, std::string_view name) {
  const auto* attribute = find_attribute(node, name);
  if (attribute == nullptr) return {};
  return {attribute->ints().begin(), attribute->ints().end()};
}

void set_attribute(onnx::NodeProto& node, const std::string& name, std::int64_t value) {
  fresh_attribute(node, name, onnx::AttributeProto::INT).set_i(value);
}

void set_attribute(onnx::NodeProto& node, const std::string& name, float value) {
  fresh_attribute(node, name, onnx::AttributeProto::FLOAT).set_f(value);
}

void set_attribute(onnx::NodeProto& node, const std::string& name,
                   const std::vector<std::int64_t>& values) {
  fresh_attribute(node, name, onnx::AttributeProto::INTS)
      .mutable_ints()
      ->Assign(values.begin(), values.end());
}

void set_attribute(onnx::NodeProto& node, const std::string& name, const std::string& value) {
  fresh_attribute(node, name, onnx::AttributeProto::STRING).set_s(value);
}

onnx::NodeProto& add_node(onnx::GraphProto& graph, const std::string& op_type,
                          const std::string& name, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs, const std::string& domain) {
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type(op_type);
  node.set_name(name);
  for (const std::string& input : inputs) node.add_input(input);
  for (const std::string& output : outputs) node.add_output(output);
  if (!domain.empty()) node.set_domain(domain);
  return node;
}

}  // namespace ingot::graph
