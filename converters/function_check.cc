// SPDX-License-Identifier: Apache-2.0
#include "converters/function_check.h"

#include <fmt/format.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/text.h"
#include "converters/shown_name.h"
#include "graph/graph_index.h"

namespace ingot::converters {
namespace {

bool same_parameters(const std::vector<onnx::OpSchema::FormalParameter>& a,
                     const std::vector<onnx::OpSchema::FormalParameter>& b) {
  return std::ranges::equal(a, b, [](const auto& left, const auto& right) {
    return left.GetName() == right.GetName() && left.GetOption() == right.GetOption();
  });
}

bool same_attributes(const onnx::OpSchema& a, const onnx::OpSchema& b) {
  return std::ranges::equal(
      a.attributes(), b.attributes(), [](const auto& left, const auto& right) {
        return left.first == right.first && left.second.type == right.second.type &&
               left.second.required == right.second.required &&
               left.second.default_value.SerializeAsString() ==
                   right.second.default_value.SerializeAsString();
      });
}

/// Versions of one operator that differ in the types they take at most. GroupNormalization kept its
/// signature when the shape of its scale changed.
bool means_the_same(const onnx::OpSchema& a, const onnx::OpSchema& b) {
  if (a.SinceVersion() == b.SinceVersion()) return true;
  return a.Name() != "GroupNormalization" && same_parameters(a.inputs(), b.inputs()) &&
         same_parameters(a.outputs(), b.outputs()) && same_attributes(a, b);
}

class FunctionCheck {
 public:
  FunctionCheck(const onnx::ModelProto& model, const FunctionTable& functions, Validation& result)
      : model_(model), functions_(functions), result_(result) {}

  void check_names() {
    for (int i = 0; i < functions_.size(); ++i) {
      const auto& function = functions_.at(i);
      if (function.name().empty()) report(fmt::format("function {} has no name", i + 1));
      std::set<std::string> attributes;
      const auto add = [&](const std::string& name) {
        if (attributes.insert(name).second) return;
        report(
            fmt::format("{} declares attribute '{}' twice", function_label(function), shown(name)));
      };
      for (const std::string& name : function.attribute()) add(name);
      for (const auto& attribute : function.attribute_proto()) add(attribute.name());
    }
    for (const int i : functions_.doubled()) {
      report(fmt::format("there are two of {} in domain '{}'", function_label(functions_.at(i)),
                         shown(functions_.at(i).domain())));
    }
    for (const int i : functions_.hidden()) {
      result_.oddities.push_back(
          fmt::format("{} is never called: ONNX has an operator of that name",
                      function_label(functions_.at(i))));
    }
  }

  /// Written out, the nodes of `function` get the model's opsets.
  void check_meaning(const onnx::FunctionProto& function, const Opsets& opsets) {
    std::set<std::string> reported;
    const auto visit = [&](const auto& self, const auto& nodes) -> void {
      for (const onnx::NodeProto& node : nodes) {
        compare(function, node, opsets, reported);
        for (const auto& attribute : node.attribute()) {
          if (attribute.has_g()) self(self, attribute.g().node());
          for (const auto& graph : attribute.graphs()) self(self, graph.node());
        }
      }
    };
    visit(visit, function.node());
  }

  void check_calls(const Budgets& budgets, std::uint64_t file_nodes) {
    const CallGraph calls(functions_);
    if (!calls.circle.empty()) {
      std::string text = "function ";
      for (const int i : calls.circle)
        text += fmt::format("'{}' calls ", shown(functions_.at(i).name()));
      report(fmt::format("{}'{}': a circle", text, shown(functions_.at(calls.circle[0]).name())));
      return;
    }
    const InlinedSize whole = inlined_sizes(model_, functions_, calls).back();
    const std::uint64_t nodes = inlined_limit(budgets, file_nodes);
    if (whole.nodes > nodes) {
      report(
          fmt::format("with its functions written out the model has {} nodes, at most {} are "
                      "allowed (--max-inlined-nodes)",
                      whole.nodes, nodes));
    }
    // The main graph itself is the first level.
    const auto depth = static_cast<std::uint64_t>(whole.depth) + 1;
    if (depth > budgets.nested_graphs) {
      report(
          fmt::format("with its functions written out its graphs lie {} deep in one another, at "
                      "most {} are allowed (--max-nested-graphs)",
                      depth, budgets.nested_graphs));
    }
    check_bytes(budgets, whole.bytes);
  }

 private:
  void report(std::string message) {
    result_.findings.push_back({Code::kInput, std::move(message)});
  }

  void compare(const onnx::FunctionProto& function, const onnx::NodeProto& node,
               const Opsets& opsets, std::set<std::string>& reported) {
    const std::string domain = canonical_domain(node.domain());
    const auto own = opsets.find(domain);
    const std::int64_t model = graph::opset_version(model_, domain);
    if (own == opsets.end() || model == 0 || model == own->second) return;
    if (functions_.find(node) >= 0) return;
    const auto* inner =
        onnx::OpSchemaRegistry::Schema(node.op_type(), static_cast<int>(own->second), domain);
    const auto* outer =
        onnx::OpSchemaRegistry::Schema(node.op_type(), static_cast<int>(model), domain);
    if (inner == nullptr || (outer != nullptr && means_the_same(*inner, *outer))) return;
    if (!reported.insert(node.op_type()).second) return;
    result_.findings.push_back(
        {Code::kUnsupported,
         fmt::format("{} imports opset {} of domain '{}', the model {}: {} is not the same in both",
                     function_label(function), own->second, shown_domain(domain), model,
                     shown_node(node))});
  }

  void check_bytes(const Budgets& budgets, std::uint64_t bytes) {
    constexpr std::uint64_t kUsual = std::uint64_t{64} << 20;
    const std::uint64_t limit = budgets.dense_bytes > 0 ? budgets.dense_bytes : kUsual;
    if (bytes <= limit) return;
    report(
        fmt::format("with its functions written out their weights take {}, at most {} is "
                    "allowed (--max-dense-bytes)",
                    format_bytes(bytes), format_bytes(limit)));
  }

  const onnx::ModelProto& model_;
  const FunctionTable& functions_;
  Validation& result_;
};

}  // namespace

void check_functions(const onnx::ModelProto& model, const FunctionTable& functions,
                     const Budgets& budgets, std::uint64_t file_nodes, GraphCheck& graphs,
                     Validation& result) {
  if (functions.size() == 0) return;
  FunctionCheck check(model, functions, result);
  check.check_names();
  for (const auto& function : model.functions()) {
    const Opsets opsets =
        read_opsets(function.opset_import(), function_label(function), result.findings);
    graphs.check_function(function, opsets);
    check.check_meaning(function, opsets);
  }
  check.check_calls(budgets, file_nodes);
}

}  // namespace ingot::converters
