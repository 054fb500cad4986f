// SPDX-License-Identifier: Apache-2.0
#include "converters/type_check.h"

#include <fmt/format.h>
#include <onnx/defs/data_type_utils.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/reporter.h"
#include "converters/function_inliner.h"
#include "converters/node_order.h"
#include "converters/operators.h"
#include "converters/passes/passes.h"
#include "converters/shown_name.h"
#include "graph/type_inference.h"
#include "graph/type_text.h"

namespace ingot::converters {
namespace {

using onnx::TypeProto;

/// "tensor(float)"; nullptr for types without a name there.
const std::string* schema_text(const TypeProto& type) {
  try {
    return onnx::Utils::DataTypeUtils::ToType(type);
  } catch (const std::exception&) {
    return nullptr;
  }
}

/// The type without its shape.
std::string element_text(TypeProto type) {
  if (type.has_tensor_type()) type.mutable_tensor_type()->clear_shape();
  return graph::type_text(type);
}

const onnx::OpSchema::FormalParameter* formal_input(const onnx::OpSchema& schema, int slot) {
  const auto& inputs = schema.inputs();
  if (inputs.empty()) return nullptr;
  return &inputs[std::min(static_cast<std::size_t>(slot), inputs.size() - 1)];
}

class TypeChecker {
 public:
  /// `from_functions`: the model's functions were written out, so its nodes are new.
  TypeChecker(const graph::Model& model, bool from_functions, std::vector<Finding>& findings)
      : model_(model),
        from_functions_(from_functions),
        types_(
            graph::infer_graph_types(model, {.use_declarations = false, .follow_shapes = false})),
        findings_(findings) {
    for (const auto& fault : types_.faults()) faults_.emplace(fault.node, &fault.message);
    for (const auto& import : model.proto().opset_import()) {
      opsets_.emplace(canonical_domain(import.domain()), static_cast<int>(import.version()));
    }
  }

  void run() {
    graph::for_each_graph(model_.proto(), [this](const onnx::GraphProto& graph) {
      for (const onnx::NodeProto& node : graph.node()) check_node(graph, node);
      check_outputs(graph);
    });
  }

 private:
  void report(std::string message) { findings_.push_back({Code::kInput, std::move(message)}); }

  /// One finding per node: an element type that does not fit explains what inference says.
  void check_node(const onnx::GraphProto& graph, const onnx::NodeProto& node) {
    const onnx::OpSchema* schema = from_functions_ ? schema_of(node) : nullptr;
    if (schema != nullptr) {
      // What a call leaves out or hands in shows only where the function is written out.
      try {
        schema->Verify(node);
      } catch (const std::exception& fault) {
        return report(fmt::format("{}: {}", shown_node(node), one_line(fault.what())));
      }
    }
    if (check_elements(graph, node)) return;
    const auto fault = faults_.find(&node);
    if (fault != faults_.end()) report(fmt::format("{}: {}", shown_node(node), *fault->second));
  }

  /// What the schema allows for each input and binds together; true when something was found.
  bool check_elements(const onnx::GraphProto& graph, const onnx::NodeProto& node) {
    const onnx::OpSchema* schema = schema_of(node);
    if (schema == nullptr) return false;
    std::map<std::string, std::pair<std::string, const TypeProto*>> bound;
    for (int slot = 0; slot < node.input_size(); ++slot) {
      const auto* formal = formal_input(*schema, slot);
      const std::string& name = node.input(slot);
      const TypeProto* known = name.empty() ? nullptr : types_.find(graph, name);
      if (formal == nullptr || known == nullptr) continue;
      const std::string* text = schema_text(*known);
      if (text == nullptr) continue;
      if (!formal->GetTypes().contains(text)) {
        report(fmt::format("{}: input '{}' is {}, which '{}' does not take", shown_node(node),
                           shown(name), element_text(*known), node.op_type()));
        return true;
      }
      if (formal->GetOption() == onnx::OpSchema::Variadic && !formal->GetIsHomogeneous()) continue;
      const auto [first, is_new] = bound.try_emplace(formal->GetTypeStr(), name, known);
      if (is_new || schema_text(*first->second.second) == text) continue;
      report(fmt::format("{}: input '{}' is {} and input '{}' is {}, one type is wanted",
                         shown_node(node), shown(first->second.first),
                         element_text(*first->second.second), shown(name), element_text(*known)));
      return true;
    }
    return false;
  }

  /// The runtime holds the declared element type of an output against what its node writes.
  void check_outputs(const onnx::GraphProto& graph) {
    for (const auto& output : graph.output()) {
      const TypeProto* seen = types_.find(graph, output.name());
      if (seen == nullptr || output.type().value_case() == TypeProto::VALUE_NOT_SET) continue;
      const std::string *is = schema_text(*seen), *wanted = schema_text(output.type());
      if (is == nullptr || wanted == nullptr || is == wanted) continue;
      report(fmt::format("output '{}' of graph '{}' is declared {}, and is {}",
                         shown(output.name()), shown(graph.name()), element_text(output.type()),
                         element_text(*seen)));
    }
  }

  const onnx::OpSchema* schema_of(const onnx::NodeProto& node) const {
    const std::string domain = canonical_domain(node.domain());
    const auto opset = opsets_.find(domain);
    if (opset == opsets_.end()) return nullptr;
    return onnx::OpSchemaRegistry::Schema(node.op_type(), opset->second, domain);
  }

  const graph::Model& model_;
  bool from_functions_;
  graph::GraphTypes types_;
  std::vector<Finding>& findings_;
  std::unordered_map<const onnx::NodeProto*, const std::string*> faults_;
  std::unordered_map<std::string, int> opsets_;
};

bool is_ready(const graph::Model& model) {
  bool sorted = model.proto().functions().empty();
  graph::for_each_graph(model.proto(), [&](const onnx::GraphProto& graph) {
    if (sorted && !is_sorted(graph)) sorted = false;
  });
  return sorted;
}

}  // namespace

void check_types(const graph::Model& model, std::vector<Finding>& findings) {
  if (is_ready(model)) {
    TypeChecker(model, false, findings).run();
    return;
  }
  graph::Model ready = model.clone();
  const bool has_functions = inline_functions(ready) > 0;
  RecordingReporter quiet;
  ProvenTypes types(ready);
  PassContext context(ready, quiet, types);
  sort_graphs(context);
  TypeChecker(ready, has_functions, findings).run();
}

}  // namespace ingot::converters
