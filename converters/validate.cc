// SPDX-License-Identifier: Apache-2.0
// The order of the checks, and what concerns the model as a whole.
#include "converters/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "converters/function_check.h"
#include "converters/graph_check.h"
#include "converters/operators.h"
#include "converters/shown_name.h"
#include "converters/type_check.h"
#include "graph/graph_index.h"

namespace ingot::converters {
namespace {

constexpr std::size_t kMaxListed = 20;

/// Nodes of all graphs and functions, and how deep graphs lie in one another.
struct Extent {
  std::uint64_t nodes = 0, depth = 0;

  template <class Nodes>
  void add(const Nodes& nodes_of_graph, std::uint64_t at) {
    depth = std::max(depth, at);
    nodes += static_cast<std::uint64_t>(nodes_of_graph.size());
    for (const onnx::NodeProto& node : nodes_of_graph) {
      for (const auto& attribute : node.attribute()) {
        if (attribute.has_g()) add(attribute.g().node(), at + 1);
        for (const auto& graph : attribute.graphs()) add(graph.node(), at + 1);
      }
    }
  }
};

class Validator {
 public:
  Validator(const graph::Model& model, const Budgets& budgets)
      : model_(model), proto_(model.proto()), budgets_(budgets) {}

  Validation run() {
    if (!check_extent()) return std::move(result_);
    check_version();
    const Opsets opsets = read_opsets(proto_.opset_import(), "the model", result_.findings);
    check_tensors();
    const FunctionTable functions(proto_);
    OperatorCheck operators(functions, result_);
    GraphCheck graphs(model_, budgets_, operators, result_.findings);
    check_functions(proto_, functions, budgets_, extent_.nodes, graphs, result_);
    graphs.check_main(proto_.graph(), opsets);
    note_oddities();
    if (result_.findings.empty()) check_types(model_, result_.findings);
    return std::move(result_);
  }

 private:
  void report(std::string message) {
    result_.findings.push_back({Code::kInput, std::move(message)});
  }

  bool check_extent() {
    extent_.add(proto_.graph().node(), 1);
    for (const auto& function : proto_.functions()) extent_.add(function.node(), 1);
    if (extent_.nodes > budgets_.nodes) {
      report(fmt::format("the model has {} nodes, at most {} are allowed (--max-nodes)",
                         extent_.nodes, budgets_.nodes));
    }
    if (extent_.depth > budgets_.nested_graphs) {
      report(
          fmt::format("its graphs lie {} deep in one another, at most {} are allowed "
                      "(--max-nested-graphs)",
                      extent_.depth, budgets_.nested_graphs));
    }
    return result_.findings.empty();
  }

  void check_version() {
    const auto seen = proto_.ir_version();
    const auto newest = static_cast<std::int64_t>(onnx::Version::IR_VERSION);
    if (seen < 1) report(fmt::format("the model has IR version {}, at least 1 is wanted", seen));
    if (seen <= newest) return;
    result_.findings.push_back(
        {Code::kUnsupported,
         fmt::format("the model has IR version {}, the newest known is {}", seen, newest)});
  }

  void check_tensors() {
    graph::for_each_tensor(proto_, [this](const onnx::TensorProto& tensor) {
      const auto rank = static_cast<std::uint64_t>(tensor.dims_size());
      if (rank > budgets_.dimensions) {
        report(
            fmt::format("tensor '{}' has {} dimensions, at most {} are allowed "
                        "(--max-dimensions)",
                        shown(tensor.name()), rank, budgets_.dimensions));
      }
      try {
        (void)model_.view(tensor);
      } catch (const Error& error) {
        report(error.message());
      }
    });
  }

  void note_oddities() {
    if (proto_.training_info_size() > 0) {
      result_.oddities.push_back(
          fmt::format("it carries {} sets of training information, kept as they are",
                      proto_.training_info_size()));
    }
    std::vector<std::string> keys;
    for (const auto& entry : proto_.metadata_props()) {
      if (std::ranges::find(keys, entry.key()) != keys.end()) {
        result_.oddities.push_back(
            fmt::format("metadata key '{}' is there twice, kept as it is", shown(entry.key())));
      }
      keys.push_back(entry.key());
    }
  }

  const graph::Model& model_;
  const onnx::ModelProto& proto_;
  const Budgets& budgets_;
  Extent extent_;
  Validation result_;
};

}  // namespace

Validation validate(const graph::Model& model, const Budgets& budgets) {
  return Validator(model, budgets).run();
}

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
