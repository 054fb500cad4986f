// SPDX-License-Identifier: Apache-2.0
// The structure of graphs, tensors and functions; what a node itself must look like is in
// operators.cc.
#include "converters/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "converters/function_calls.h"
#include "converters/node_order.h"
#include "converters/operators.h"
#include "converters/sparse_tensor.h"
#include "graph/captures.h"

namespace ingot::converters {
namespace {

/// The runtime opens no more.
constexpr int kMaxDepth = 30;
constexpr std::size_t kMaxListed = 20;

using Names = std::unordered_set<std::string>;

/// `name` for a message: bytes that are no UTF-8 as \xNN.
std::string shown(const std::string& name) {
  if (is_utf8(name)) return name;
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 0x80 ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return text;
}

class Validator {
 public:
  explicit Validator(const graph::Model& model)
      : model_(model), types_(model), operators_(model.proto(), result_) {}

  Validation run() {
    check_version();
    opsets_ = read_opsets(model_.proto().opset_import(), "the model", result_.findings);
    if (!model_.proto().has_graph()) report("the model has no graph");
    check_tensors();
    for (const auto& function : model_.proto().functions()) check_function(function);
    check_function_calls(model_.proto(), result_.findings);
    check_graph(model_.graph(), opsets_, 1);
    return std::move(result_);
  }

 private:
  void report(std::string message) {
    result_.findings.push_back({Code::kInput, std::move(message)});
  }

  void check_version() {
    const auto seen = model_.proto().ir_version();
    const auto newest = static_cast<std::int64_t>(onnx::Version::IR_VERSION);
    if (seen < 1) report(fmt::format("the model has IR version {}, at least 1 is wanted", seen));
    if (seen <= newest) return;
    result_.findings.push_back(
        {Code::kUnsupported,
         fmt::format("the model has IR version {}, the newest known is {}", seen, newest)});
  }

  void check_tensors() {
    graph::for_each_tensor(model_.proto(), [this](const onnx::TensorProto& tensor) {
      try {
        (void)model_.view(tensor);
      } catch (const Error& error) {
        report(error.message());
      }
    });
  }

  void check_function(const onnx::FunctionProto& function) {
    const std::string owner = fmt::format("function '{}'", shown(function.name()));
    const Opsets opsets = read_opsets(function.opset_import(), owner, result_.findings);
    const Names outside = std::exchange(scope_, {});
    Names own(function.input().begin(), function.input().end());
    check_nodes(function.node(), opsets, own, 1);
    for (const std::string& output : function.output()) {
      if (!own.contains(output)) {
        report(fmt::format("output '{}' of {} is written by nobody", shown(output), owner));
      }
    }
    scope_ = outside;
  }

  void check_graph(const onnx::GraphProto& graph, const Opsets& opsets, int depth) {
    if (depth > kMaxDepth) {
      report(fmt::format("graph '{}' lies {} graphs deep, at most {} are allowed",
                         shown(graph.name()), depth, kMaxDepth));
      return;
    }
    const std::size_t before = result_.findings.size();
    Names own = check_inputs(graph);
    check_initializers(graph, own);
    check_nodes(graph.node(), opsets, own, depth);
    check_outputs(graph, own);
    if (result_.findings.size() == before) check_order(graph);
  }

  Names check_inputs(const onnx::GraphProto& graph) {
    Names names;
    for (const auto& input : graph.input()) {
      if (input.name().empty())
        report(fmt::format("graph '{}' has an input without a name", shown(graph.name())));
      if (names.insert(input.name()).second) continue;
      report(
          fmt::format("graph '{}' has two inputs '{}'", shown(graph.name()), shown(input.name())));
    }
    return names;
  }

  void check_initializers(const onnx::GraphProto& graph, Names& own) {
    Names seen;
    const auto add = [&](const std::string& name) {
      if (name.empty())
        report(fmt::format("graph '{}' has an initializer without a name", shown(graph.name())));
      if (!seen.insert(name).second)
        report(fmt::format("there are two initializers '{}'", shown(name)));
      own.insert(name);
    };
    for (const auto& tensor : graph.initializer()) add(tensor.name());
    for (const auto& sparse : graph.sparse_initializer()) {
      add(sparse.values().name());
      if (auto fault = sparse_fault(model_, sparse)) report(std::move(*fault));
    }
  }

  /// `own` grows by what the nodes write. All writers are known before readers are judged: order is
  /// another question.
  template <class Nodes>
  void check_nodes(const Nodes& nodes, const Opsets& opsets, Names& own, int depth) {
    for (const onnx::NodeProto& node : nodes) {
      if (!is_utf8(node.name()))
        report(fmt::format("the name of node '{}' is not UTF-8", shown(node.name())));
      for (const std::string& name : node.output()) check_written(node, name, own);
    }
    std::vector<std::string> entered;
    for (const std::string& name : own) {
      if (scope_.insert(name).second) entered.push_back(name);
    }
    for (const onnx::NodeProto& node : nodes) {
      for (const std::string& name : node.input()) {
        if (name.empty() || scope_.contains(name)) continue;
        report(
            fmt::format("{} reads '{}', which nobody writes", graph::describe(node), shown(name)));
      }
      operators_.check(node, opsets, depth == 1 && &opsets == &opsets_ ? &types_ : nullptr);
      for (const auto& attribute : node.attribute()) {
        if (attribute.has_g()) check_graph(attribute.g(), opsets, depth + 1);
        for (const auto& inner : attribute.graphs()) check_graph(inner, opsets, depth + 1);
      }
    }
    for (const std::string& name : entered) scope_.erase(name);
  }

  void check_written(const onnx::NodeProto& node, const std::string& name, Names& own) {
    if (name.empty()) return;
    if (!is_utf8(name)) report(fmt::format("the name of tensor '{}' is not UTF-8", shown(name)));
    if (scope_.contains(name)) {
      report(fmt::format("{} writes '{}', a name of a graph around it", graph::describe(node),
                         shown(name)));
    } else if (!own.insert(name).second) {
      report(
          fmt::format("{} writes '{}', which exists already", graph::describe(node), shown(name)));
    }
  }

  void check_outputs(const onnx::GraphProto& graph, const Names& own) {
    for (const auto& output : graph.output()) {
      if (own.contains(output.name())) continue;
      const bool is_outer = scope_.contains(output.name());
      report(fmt::format("output '{}' of graph '{}' is {}", shown(output.name()),
                         shown(graph.name()),
                         is_outer ? "a tensor of a graph around it; an Identity between is wanted"
                                  : "written by nobody"));
    }
  }

  /// Finds cycles where the nodes are not sorted anyway.
  void check_order(const onnx::GraphProto& graph) {
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

  const graph::Model& model_;
  Validation result_;
  TensorTypes types_;
  OperatorCheck operators_;
  Opsets opsets_;
  Names scope_;  ///< what the graphs around the one at hand define
};

}  // namespace

Validation validate(const graph::Model& model) { return Validator(model).run(); }

void require_valid(const Validation& validation, std::string_view source) {
  const auto& findings = validation.findings;
  if (findings.empty()) return;
  const bool unsupported = std::ranges::all_of(
      findings, [](const Finding& finding) { return finding.code == Code::kUnsupported; });
  const Code code = unsupported ? Code::kUnsupported : Code::kInput;
  if (findings.size() == 1) throw Error(code, fmt::format("'{}': {}", source, findings[0].message));
  std::string text = fmt::format("'{}' has {} faults", source, findings.size());
  for (std::size_t i = 0; i < std::min(findings.size(), kMaxListed); ++i) {
    text += fmt::format("{} ({}) {}", i == 0 ? ":" : ";", i + 1, findings[i].message);
  }
  if (findings.size() > kMaxListed)
    text += fmt::format("; and {} more", findings.size() - kMaxListed);
  throw Error(code, text);
}

}  // namespace ingot::converters
