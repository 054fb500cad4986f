// SPDX-License-Identifier: Apache-2.0
// An If whose condition is a constant becomes the nodes of the branch that would run.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "converters/edits.h"
#include "converters/passes/passes.h"

namespace ingot::converters {
namespace {

/// How often each name is given to a tensor, over all graphs of a model.
using Definitions = std::unordered_map<std::string, int>;

template <class Visit>
void for_each_defined(const onnx::GraphProto& graph, Visit visit) {
  for (const auto& tensor : graph.initializer()) visit(tensor.name());
  for (const auto& node : graph.node()) {
    for (const std::string& name : node.output()) {
      if (!name.empty()) visit(name);
    }
  }
}

class Inliner {
 public:
  Inliner(PassContext& context, onnx::GraphProto& graph, Definitions& definitions)
      : context_(context), graph_(graph), definitions_(definitions) {}

  void run() {
    const std::vector<std::pair<int, onnx::GraphProto*>> chosen = choose();
    if (chosen.empty()) return;
    for (const auto& node : graph_.node()) node_names_.insert(node.name());
    google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
    auto next = chosen.begin();
    for (int i = 0; i < graph_.node_size(); ++i) {
      onnx::NodeProto& node = *graph_.mutable_node(i);
      if (next == chosen.end() || next->first != i) {
        *nodes.Add() = std::move(node);
        continue;
      }
      context_.changed(graph::describe(node),
                       fmt::format("has a constant condition: its branch '{}' took its place",
                                   next->second->name()));
      splice(node, *next->second, nodes);
      ++next;
    }
    graph_.mutable_node()->Swap(&nodes);
    context_.types.forget();
  }

 private:
  /// Positions of such nodes with the branch that runs.
  std::vector<std::pair<int, onnx::GraphProto*>> choose() {
    std::vector<std::pair<int, onnx::GraphProto*>> chosen;
    std::optional<graph::GraphIndex> index;
    for (int i = 0; i < graph_.node_size(); ++i) {
      onnx::NodeProto& node = *graph_.mutable_node(i);
      if (!is_op(&node, "If") || node.input_size() != 1) continue;
      if (!index) index.emplace(context_.model, graph_);
      const auto condition = index->constant(node.input(0));
      if (!condition || condition->dtype != DType::kBool || condition->count() != 1) continue;
      const bool runs_then = condition->bytes[0] != std::byte{0};
      onnx::GraphProto* branch = branch_of(node, runs_then ? "then_branch" : "else_branch");
      if (branch != nullptr && fits(node, *branch)) chosen.emplace_back(i, branch);
    }
    return chosen;
  }

  static onnx::GraphProto* branch_of(onnx::NodeProto& node, std::string_view name) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.name() == name && attribute.has_g()) return attribute.mutable_g();
    }
    return nullptr;
  }

  static bool fits(const onnx::NodeProto& node, const onnx::GraphProto& branch) {
    return branch.input_size() == 0 && branch.output_size() >= node.output_size() &&
           branch.sparse_initializer_size() == 0 && branch.quantization_annotation_size() == 0;
  }

  void splice(onnx::NodeProto& node, onnx::GraphProto& branch,
              google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes) {
    Renames renames = names_outside(node, branch);
    rename_reads(branch, renames);
    const auto rename = [&renames](const std::string& name) -> const std::string& {
      const auto found = renames.find(name);
      return found == renames.end() ? name : found->second;
    };
    for (auto& tensor : *branch.mutable_initializer()) {
      tensor.set_name(rename(tensor.name()));
      *graph_.add_initializer() = std::move(tensor);
    }
    for (auto& inner : *branch.mutable_node()) {
      for (std::string& name : *inner.mutable_output()) name = rename(name);
      if (!inner.name().empty() && !node_names_.insert(inner.name()).second) {
        inner.set_name(context_.names.fresh(inner.name()));
      }
      *nodes.Add() = std::move(inner);
    }
    for (int i = 0; i < node.output_size(); ++i) {
      const std::string from = rename(branch.output(i).name());
      if (node.output(i).empty() || node.output(i) == from) continue;
      onnx::NodeProto& copy = *nodes.Add();
      copy.set_op_type("Identity");
      copy.set_name(context_.names.fresh(graph::node_key(node) + "_output"));
      copy.add_input(from);
      copy.add_output(node.output(i));
    }
  }

  /// New names of what the branch defines: the If's own for what its nodes return, fresh ones where
  /// a name means something else elsewhere.
  Renames names_outside(const onnx::NodeProto& node, const onnx::GraphProto& branch) {
    Renames renames;
    std::unordered_set<std::string_view> written;
    for (const auto& inner : branch.node()) {
      written.insert(inner.output().begin(), inner.output().end());
    }
    for (int i = 0; i < node.output_size(); ++i) {
      const std::string& inner = branch.output(i).name();
      // A name that a nested graph uses for something of its own would hide it there.
      const std::string& outer = node.output(i);
      if (!outer.empty() && definitions_[outer] == 1 && written.contains(inner)) {
        renames.emplace(inner, outer);
      }
    }
    for_each_defined(branch, [&](const std::string& name) {
      if (renames.contains(name) || definitions_[name] < 2) return;
      --definitions_[name];
      const std::string fresh = context_.names.fresh(name);
      ++definitions_[fresh];
      renames.emplace(name, fresh);
    });
    return renames;
  }

  PassContext& context_;
  onnx::GraphProto& graph_;
  Definitions& definitions_;
  std::unordered_set<std::string> node_names_;
};

}  // namespace

void inline_constant_if(PassContext& context) {
  bool has_if = false;
  graph::for_each_graph(context.model.proto(), [&has_if](onnx::GraphProto& graph) {
    has_if = has_if || std::ranges::any_of(graph.node(), [](auto& n) { return is_op(&n, "If"); });
  });
  if (!has_if) return;
  Definitions definitions;
  graph::for_each_graph(context.model.proto(), [&](const onnx::GraphProto& graph) {
    for (const auto& input : graph.input()) ++definitions[input.name()];
    for_each_defined(graph, [&](const std::string& name) { ++definitions[name]; });
  });
  graph::for_each_graph(context.model.proto(), [&](onnx::GraphProto& graph) {
    Inliner(context, graph, definitions).run();
  });
}

}  // namespace ingot::converters
