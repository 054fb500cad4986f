// SPDX-License-Identifier: Apache-2.0
// Sorting nodes topologically.
#include <fmt/format.h>

#include "base/error.h"
#include "graph/captures.h"
#include "graph/graph_index.h"

namespace ingot::graph {
namespace {

class NodeSorter {
 public:
  NodeSorter(onnx::GraphProto& graph, const std::unordered_set<std::string>& outer_names)
      : graph_(graph), outer_names_(outer_names) {}

  void run() {
    collect_writers();
    collect_sources();
    order_nodes();
    auto& nodes = *graph_.mutable_node();
    std::vector<onnx::NodeProto*> taken(static_cast<std::size_t>(nodes.size()));
    nodes.ExtractSubrange(0, nodes.size(), taken.data());
    for (const int index : order_) nodes.AddAllocated(taken[static_cast<std::size_t>(index)]);
  }

 private:
  enum class State : std::uint8_t { kNew, kOpen, kDone };
  static constexpr int kNoNode = -1;

  void collect_writers() {
    for (const auto& input : graph_.input()) writer_.emplace(input.name(), kNoNode);
    for (const auto& tensor : graph_.initializer()) writer_.emplace(tensor.name(), kNoNode);
    for (const auto& sparse : graph_.sparse_initializer())
      writer_.emplace(sparse.values().name(), kNoNode);
    for (int i = 0; i < graph_.node_size(); ++i) {
      for (const std::string& output : graph_.node(i).output()) {
        if (output.empty() || writer_.emplace(output, i).second) continue;
        throw Error(Code::kInput, fmt::format("tensor '{}' is written by {} and also elsewhere",
                                              output, describe(graph_.node(i))));
      }
    }
  }

  void collect_sources() {
    sources_.resize(static_cast<std::size_t>(graph_.node_size()));
    for (int i = 0; i < graph_.node_size(); ++i) {
      const auto& node = graph_.node(i);
      for (const std::string& input : node.input()) add_source(i, input);
      for (const std::string_view name : captures_of(node)) add_source(i, name);
    }
  }

  void add_source(int reader, std::string_view name) {
    if (name.empty()) return;
    const auto found = writer_.find(name);
    if (found == writer_.end()) {
      if (outer_names_.contains(std::string(name))) return;
      throw Error(Code::kInput, fmt::format("tensor '{}', read by {}, is written by nobody", name,
                                            describe(graph_.node(reader))));
    }
    if (found->second != kNoNode)
      sources_[static_cast<std::size_t>(reader)].push_back(found->second);
  }

  /// Depth first in the old order; an explicit stack, since chains can be 100 000 nodes long.
  void order_nodes() {
    state_.assign(sources_.size(), State::kNew);
    std::vector<std::size_t> next_source(sources_.size(), 0);
    std::vector<int> stack;
    for (int root = 0; root < graph_.node_size(); ++root) {
      open(root, stack);
      while (!stack.empty()) {
        const auto current = static_cast<std::size_t>(stack.back());
        if (next_source[current] < sources_[current].size()) {
          open(sources_[current][next_source[current]++], stack);
          continue;
        }
        state_[current] = State::kDone;
        order_.push_back(stack.back());
        stack.pop_back();
      }
    }
  }

  void open(int index, std::vector<int>& stack) {
    State& state = state_[static_cast<std::size_t>(index)];
    if (state == State::kOpen)
      throw Error(Code::kInput, fmt::format("{} is part of a cycle", describe(graph_.node(index))));
    if (state == State::kDone) return;
    state = State::kOpen;
    stack.push_back(index);
  }

  onnx::GraphProto& graph_;
  const std::unordered_set<std::string>& outer_names_;
  std::unordered_map<std::string_view, int> writer_;
  std::vector<std::vector<int>> sources_;
  std::vector<State> state_;
  std::vector<int> order_;
};

}  // namespace

void sort_nodes(onnx::GraphProto& graph, const std::unordered_set<std::string>& outer_names) {
  NodeSorter(graph, outer_names).run();
}

}  // namespace ingot::graph
