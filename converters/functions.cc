// SPDX-License-Identifier: Apache-2.0
#include "converters/functions.h"

#include <fmt/format.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <limits>

#include "converters/shown_name.h"
#include "graph/graph_index.h"
#include "graph/tensor_store.h"

namespace ingot::converters {
namespace {

/// Calls `visit(node, depth)` for `nodes` and those of the graphs in them.
template <class Nodes, class Visit>
void for_each_node(const Nodes& nodes, int depth, const Visit& visit) {
  for (const onnx::NodeProto& node : nodes) {
    visit(node, depth);
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) for_each_node(attribute.g().node(), depth + 1, visit);
      for (const auto& graph : attribute.graphs()) for_each_node(graph.node(), depth + 1, visit);
    }
  }
}

std::uint64_t add(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b
             ? std::numeric_limits<std::uint64_t>::max()
             : a + b;
}

/// Depth first with a stack of its own: the chain may be long.
class Search {
 public:
  explicit Search(const std::vector<std::vector<int>>& calls)
      : calls_(calls), states_(calls.size(), State::kNew), next_(calls.size(), 0) {}

  /// False at a circle, which is then in `path`.
  bool visit(int root, std::vector<int>& done) {
    if (state(root) != State::kNew) return true;
    path = {root};
    while (!path.empty()) {
      const auto at = static_cast<std::size_t>(path.back());
      states_[at] = State::kOpen;
      if (next_[at] == calls_[at].size()) {
        states_[at] = State::kDone;
        done.push_back(path.back());
        path.pop_back();
        continue;
      }
      const int callee = calls_[at][next_[at]++];
      if (state(callee) == State::kOpen) {
        path.erase(path.begin(), std::ranges::find(path, callee));
        return false;
      }
      if (state(callee) == State::kNew) path.push_back(callee);
    }
    return true;
  }

  std::vector<int> path;

 private:
  enum class State : std::uint8_t { kNew, kOpen, kDone };
  State state(int index) const { return states_[static_cast<std::size_t>(index)]; }

  const std::vector<std::vector<int>>& calls_;
  std::vector<State> states_;
  std::vector<std::size_t> next_;
};

/// Bytes outside the protobuf that a copy of `node` refers to, but for a Constant's: the inliner
/// makes that one weight.
std::uint64_t copied_bytes(const onnx::NodeProto& node) {
  const auto outside = [](const onnx::TensorProto& tensor) -> std::uint64_t {
    if (!graph::store_number(tensor)) return 0;
    std::uint64_t count = 1;
    for (const std::int64_t dim : tensor.dims()) count *= static_cast<std::uint64_t>(dim);
    return count * 8;
  };
  std::uint64_t bytes = 0;
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) {
      for (const auto& tensor : attribute.g().initializer()) bytes = add(bytes, outside(tensor));
    }
    if (attribute.has_t() && node.op_type() != "Constant")
      bytes = add(bytes, outside(attribute.t()));
  }
  return bytes;
}

/// The runtime prefers its own operator to a function of that name.
bool is_known_operator(const onnx::FunctionProto& function) {
  return onnx::OpSchemaRegistry::Schema(function.name(), canonical_domain(function.domain())) !=
         nullptr;
}

}  // namespace

std::string canonical_domain(const std::string& domain) {
  return domain == "ai.onnx" ? std::string() : domain;
}

FunctionTable::FunctionTable(const onnx::ModelProto& model) : model_(&model) {
  for (int i = 0; i < model.functions_size(); ++i) {
    const auto& function = model.functions(i);
    if (is_known_operator(function)) {
      hidden_.push_back(i);
      continue;
    }
    const auto key =
        std::tuple(canonical_domain(function.domain()), function.name(), function.overload());
    if (!by_key_.emplace(key, i).second) doubled_.push_back(i);
  }
}

int FunctionTable::find(const onnx::NodeProto& node) const {
  if (by_key_.empty()) return -1;
  const auto found =
      by_key_.find({canonical_domain(node.domain()), node.op_type(), node.overload()});
  return found == by_key_.end() ? -1 : found->second;
}

bool FunctionTable::has_overloads_of(const onnx::NodeProto& node) const {
  const auto found =
      by_key_.lower_bound({canonical_domain(node.domain()), node.op_type(), std::string()});
  return found != by_key_.end() && std::get<0>(found->first) == canonical_domain(node.domain()) &&
         std::get<1>(found->first) == node.op_type();
}

CallGraph::CallGraph(const FunctionTable& functions) {
  std::vector<std::vector<int>> calls(static_cast<std::size_t>(functions.size()));
  for (int i = 0; i < functions.size(); ++i) {
    for_each_node(functions.at(i).node(), 0, [&](const onnx::NodeProto& node, int) {
      const int callee = functions.find(node);
      if (callee >= 0) calls[static_cast<std::size_t>(i)].push_back(callee);
    });
  }
  Search search(calls);
  for (int root = 0; root < functions.size(); ++root) {
    if (search.visit(root, bottom_up)) continue;
    circle = search.path;
    bottom_up.clear();
    return;
  }
}

std::vector<InlinedSize> inlined_sizes(const onnx::ModelProto& model,
                                       const FunctionTable& functions, const CallGraph& calls) {
  std::vector<InlinedSize> sizes(static_cast<std::size_t>(functions.size()) + 1);
  const auto measure = [&](const auto& nodes, InlinedSize& size) {
    for_each_node(nodes, 0, [&](const onnx::NodeProto& node, int depth) {
      const int callee = functions.find(node);
      const InlinedSize one{1, copied_bytes(node), 0};
      const InlinedSize& part = callee < 0 ? one : sizes[static_cast<std::size_t>(callee)];
      size.nodes = add(size.nodes, part.nodes);
      size.bytes = add(size.bytes, part.bytes);
      size.depth = std::max(size.depth, depth + part.depth);
    });
  };
  for (const int index : calls.bottom_up) {
    measure(functions.at(index).node(), sizes[static_cast<std::size_t>(index)]);
  }
  measure(model.graph().node(), sizes.back());
  return sizes;
}

std::string function_label(const onnx::FunctionProto& function) {
  std::string label = fmt::format("function '{}'", shown(function.name()));
  if (!function.overload().empty())
    label += fmt::format(" overload '{}'", shown(function.overload()));
  return label;
}

}  // namespace ingot::converters
