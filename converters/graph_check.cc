// SPDX-License-Identifier: Apache-2.0
#include "converters/graph_check.h"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "converters/node_order.h"
#include "converters/shown_name.h"
#include "converters/sparse_tensor.h"
#include "graph/captures.h"
#include "graph/graph_index.h"
#include "graph/type_text.h"

namespace ingot::converters {
namespace {

/// How many of the fields that can hold an attribute's value are filled.
int filled_fields(const onnx::AttributeProto& attribute) {
  return int{attribute.has_f()} + int{attribute.has_i()} + int{attribute.has_s()} +
         int{attribute.has_t()} + int{attribute.has_g()} + int{attribute.has_tp()} +
         int{attribute.has_sparse_tensor()} + int{attribute.floats_size() > 0} +
         int{attribute.ints_size() > 0} + int{attribute.strings_size() > 0} +
         int{attribute.tensors_size() > 0} + int{attribute.graphs_size() > 0} +
         int{attribute.type_protos_size() > 0} + int{attribute.sparse_tensors_size() > 0};
}

/// True when sizes that both know differ.
bool contradicts(const onnx::TensorShapeProto& declared, const onnx::TensorProto& tensor) {
  if (declared.dim_size() != tensor.dims_size()) return true;
  for (int i = 0; i < tensor.dims_size(); ++i) {
    const auto& dim = declared.dim(i);
    if (dim.has_dim_value() && dim.dim_value() >= 0 && dim.dim_value() != tensor.dims(i))
      return true;
  }
  return false;
}

onnx::TypeProto type_of(const onnx::TensorProto& tensor) {
  onnx::TypeProto type;
  type.mutable_tensor_type()->set_elem_type(tensor.data_type());
  auto& shape = *type.mutable_tensor_type()->mutable_shape();
  for (const std::int64_t dim : tensor.dims()) shape.add_dim()->set_dim_value(dim);
  return type;
}

}  // namespace

void GraphCheck::check_main(const onnx::GraphProto& graph, const Opsets& opsets) {
  opsets_ = &opsets;
  Names weights;
  for (const auto& tensor : graph.initializer()) weights.insert(tensor.name());
  for (const auto& input : graph.input()) {
    if (weights.contains(input.name())) continue;
    const auto& type = input.type();
    const bool known = type.value_case() != onnx::TypeProto::VALUE_NOT_SET &&
                       (!type.has_tensor_type() || type.tensor_type().elem_type() != 0);
    if (!known) report(fmt::format("input '{}' has no type", shown(input.name())));
  }
  if (graph.output().empty()) report("the model has no output");
  check_defaults(graph);
  check_graph(graph);
}

void GraphCheck::check_function(const onnx::FunctionProto& function, const Opsets& opsets) {
  opsets_ = &opsets;
  in_function_ = true;
  const std::string owner = function_label(function);
  Names own;
  for (const std::string& input : function.input()) {
    if (input.empty()) report(fmt::format("{} has an input without a name", owner));
    if (!own.insert(input).second)
      report(fmt::format("{} has two inputs '{}'", owner, shown(input)));
  }
  const std::size_t before = findings_.size();
  check_nodes(function.node(), own);
  for (const std::string& output : function.output()) {
    if (own.contains(output)) continue;
    report(fmt::format("output '{}' of {} is written by nobody", shown(output), owner));
  }
  if (findings_.size() == before) {
    onnx::GraphProto body;
    for (const std::string& input : function.input()) body.add_input()->set_name(input);
    *body.mutable_node() = function.node();
    check_order(body);
  }
  in_function_ = false;
}

void GraphCheck::check_graph(const onnx::GraphProto& graph) {
  ++depth_;
  check_name(graph.name(), "graph");
  const std::size_t before = findings_.size();
  Names own = check_inputs(graph);
  check_initializers(graph, own);
  check_nodes(graph.node(), own);
  check_outputs(graph, own);
  for (const auto& info : graph.value_info())
    check_type(info.type(), fmt::format("value '{}'", shown(info.name())));
  if (findings_.size() == before) check_order(graph);
  --depth_;
}

void GraphCheck::check_name(const std::string& name, const char* kind) {
  if (!is_utf8(name)) report(fmt::format("the name of {} '{}' is not UTF-8", kind, shown(name)));
  if (name.size() <= budgets_.name_bytes) return;
  report(fmt::format("the name of {} '{}' has {} bytes, at most {} are allowed (--max-name-bytes)",
                     kind, shown(name), name.size(), budgets_.name_bytes));
}

void GraphCheck::check_type(const onnx::TypeProto& type, const std::string& owner) {
  if (!type.has_tensor_type()) return;
  const auto count = static_cast<std::uint64_t>(type.tensor_type().shape().dim_size());
  if (count <= budgets_.dimensions) return;
  report(fmt::format("{} has {} dimensions, at most {} are allowed (--max-dimensions)", owner,
                     count, budgets_.dimensions));
}

GraphCheck::Names GraphCheck::check_inputs(const onnx::GraphProto& graph) {
  Names names;
  for (const auto& input : graph.input()) {
    check_name(input.name(), "tensor");
    check_type(input.type(), fmt::format("input '{}'", shown(input.name())));
    if (input.name().empty())
      report(fmt::format("graph '{}' has an input without a name", shown(graph.name())));
    if (names.insert(input.name()).second) continue;
    report(fmt::format("graph '{}' has two inputs '{}'", shown(graph.name()), shown(input.name())));
  }
  return names;
}

void GraphCheck::check_initializers(const onnx::GraphProto& graph, Names& own) {
  const Names inputs = own;
  const bool is_nested = depth_ > 1 || in_function_;
  Names seen;
  const auto add = [&](const std::string& name) {
    check_name(name, "tensor");
    if (name.empty())
      report(fmt::format("graph '{}' has an initializer without a name", shown(graph.name())));
    if (!seen.insert(name).second)
      report(fmt::format("there are two initializers '{}'", shown(name)));
    if (is_nested && model_.proto().ir_version() >= 4 && inputs.contains(name)) {
      report(fmt::format("'{}' is an input and an initializer of graph '{}', which lies in a node",
                         shown(name), shown(graph.name())));
    }
    own.insert(name);
  };
  for (const auto& tensor : graph.initializer()) add(tensor.name());
  for (const auto& sparse : graph.sparse_initializer()) {
    add(sparse.values().name());
    if (auto fault = sparse_fault(model_, sparse, budgets_)) report(std::move(*fault));
  }
}

/// Inputs of the main graph with a default: its type must be the declared one.
void GraphCheck::check_defaults(const onnx::GraphProto& graph) {
  std::unordered_map<std::string_view, const onnx::TypeProto*> declared;
  for (const auto& input : graph.input()) {
    if (input.type().has_tensor_type()) declared.emplace(input.name(), &input.type());
  }
  for (const auto& tensor : graph.initializer()) {
    const auto found = declared.find(tensor.name());
    if (found == declared.end()) continue;
    const auto& type = found->second->tensor_type();
    const bool fits = type.elem_type() == tensor.data_type() &&
                      (!type.has_shape() || !contradicts(type.shape(), tensor));
    if (fits) continue;
    report(fmt::format("input '{}' is declared {}, its initializer is {}", shown(tensor.name()),
                       graph::type_text(*found->second), graph::type_text(type_of(tensor))));
  }
}

/// `own` grows by what the nodes write. All writers are known before readers are judged: order is
/// another question.
template <class Nodes>
void GraphCheck::check_nodes(const Nodes& nodes, Names& own) {
  const Names before = own;
  for (const onnx::NodeProto& node : nodes) {
    check_name(node.name(), "node");
    check_name(node.op_type(), "operator");
    for (const std::string& name : node.output()) check_written(node, name, own);
  }
  std::vector<std::string> entered, shown_before;
  for (const std::string& name : own) {
    if (scope_.insert(name).second) entered.push_back(name);
  }
  for (const std::string& name : before) {
    if (visible_.insert(name).second) shown_before.push_back(name);
  }
  for (const onnx::NodeProto& node : nodes) {
    for (const std::string& name : node.input()) {
      if (name.empty() || scope_.contains(name)) continue;
      report(fmt::format("{} reads '{}', which nobody writes", shown_node(node), shown(name)));
    }
    operators_.check(node, *opsets_);
    check_attributes(node);
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) check_graph(attribute.g());
      for (const auto& inner : attribute.graphs()) check_graph(inner);
    }
    for (const std::string& name : node.output()) {
      if (visible_.insert(name).second) shown_before.push_back(name);
    }
  }
  for (const std::string& name : shown_before) visible_.erase(name);
  for (const std::string& name : entered) scope_.erase(name);
}

void GraphCheck::check_attributes(const onnx::NodeProto& node) {
  std::unordered_set<std::string_view> seen;
  const bool has_schema = is_standard_domain(canonical_domain(node.domain()));
  for (const auto& attribute : node.attribute()) {
    const std::string owner =
        fmt::format("attribute '{}' of {}", shown(attribute.name()), shown_node(node));
    // Of ONNX's own operators the schema says this.
    if (!seen.insert(attribute.name()).second && !has_schema)
      report(fmt::format("{} is there twice", owner));
    const std::string& reference = attribute.ref_attr_name();
    if (!reference.empty() && !in_function_) {
      report(fmt::format("{} refers to '{}', an attribute of a function; it lies in none", owner,
                         shown(reference)));
    }
    if (filled_fields(attribute) > 1) report(fmt::format("{} has more than one value", owner));
    if (attribute.has_sparse_tensor()) {
      if (auto fault = sparse_fault(model_, attribute.sparse_tensor(), budgets_))
        report(fmt::format("{}: {}", shown_node(node), *fault));
    }
  }
}

void GraphCheck::check_written(const onnx::NodeProto& node, const std::string& name, Names& own) {
  if (name.empty()) return;
  check_name(name, "tensor");
  // A name that appears around this graph later only is another tensor's.
  if (visible_.contains(name)) {
    report(
        fmt::format("{} writes '{}', a name of a graph around it", shown_node(node), shown(name)));
  } else if (!own.insert(name).second) {
    report(fmt::format("{} writes '{}', which exists already", shown_node(node), shown(name)));
  }
}

void GraphCheck::check_outputs(const onnx::GraphProto& graph, const Names& own) {
  for (const auto& output : graph.output()) {
    check_type(output.type(), fmt::format("output '{}'", shown(output.name())));
    if (output.name().empty()) {
      report(fmt::format("graph '{}' has an output without a name", shown(graph.name())));
      continue;
    }
    if (own.contains(output.name())) continue;
    const bool is_outer = scope_.contains(output.name());
    report(fmt::format("output '{}' of graph '{}' is {}", shown(output.name()), shown(graph.name()),
                       is_outer ? "a tensor of a graph around it; an Identity between is wanted"
                                : "written by nobody"));
  }
}

/// Finds cycles where the nodes are not sorted anyway.
void GraphCheck::check_order(const onnx::GraphProto& graph) {
  if (is_sorted(graph)) return;
  onnx::GraphProto copy = graph;
  Names outer = scope_;
  for (const auto& node : graph.node()) {
    for (const std::string_view name : graph::captures_of(node)) outer.emplace(name);
  }
  try {
    graph::sort_nodes(copy, outer);
  } catch (const Error& error) {
    report(error.message());
  }
}

}  // namespace ingot::converters
