// SPDX-License-Identifier: Apache-2.0
// Which local function calls which.
#include "converters/function_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "converters/operators.h"

namespace ingot::converters {
namespace {

class CallGraph {
 public:
  explicit CallGraph(const onnx::ModelProto& model) : model_(model) {
    for (int i = 0; i < model.functions_size(); ++i) {
      const auto& function = model.functions(i);
      by_name_.emplace(std::pair(canonical_domain(function.domain()), function.name()), i);
    }
    calls_.resize(static_cast<std::size_t>(model.functions_size()));
    for (int i = 0; i < model.functions_size(); ++i) {
      add_calls(model.functions(i).node(), calls_[static_cast<std::size_t>(i)]);
    }
  }

  /// The functions of a circle in order of calling; empty when there is none. Depth first with a
  /// stack of its own: the chain may be long.
  std::vector<int> find_circle() const {
    enum class State : std::uint8_t { kNew, kOpen, kDone };
    std::vector<State> states(calls_.size(), State::kNew);
    std::vector<std::size_t> next(calls_.size(), 0);
    for (std::size_t root = 0; root < calls_.size(); ++root) {
      std::vector<int> path;
      if (states[root] == State::kNew) path.push_back(static_cast<int>(root));
      while (!path.empty()) {
        const auto at = static_cast<std::size_t>(path.back());
        states[at] = State::kOpen;
        if (next[at] == calls_[at].size()) {
          states[at] = State::kDone;
          path.pop_back();
          continue;
        }
        const int callee = calls_[at][next[at]++];
        const State state = states[static_cast<std::size_t>(callee)];
        if (state == State::kOpen) {
          path.erase(path.begin(), std::ranges::find(path, callee));
          return path;
        }
        if (state == State::kNew) path.push_back(callee);
      }
    }
    return {};
  }

 private:
  template <class Nodes>
  void add_calls(const Nodes& nodes, std::vector<int>& calls) {
    for (const onnx::NodeProto& node : nodes) {
      const auto found = by_name_.find({canonical_domain(node.domain()), node.op_type()});
      if (found != by_name_.end()) calls.push_back(found->second);
      for (const auto& attribute : node.attribute()) {
        if (attribute.has_g()) add_calls(attribute.g().node(), calls);
        for (const auto& graph : attribute.graphs()) add_calls(graph.node(), calls);
      }
    }
  }

  const onnx::ModelProto& model_;
  std::map<std::pair<std::string, std::string>, int> by_name_;
  std::vector<std::vector<int>> calls_;
};

}  // namespace

void check_function_calls(const onnx::ModelProto& model, std::vector<Finding>& findings) {
  const std::vector<int> circle = CallGraph(model).find_circle();
  if (circle.empty()) return;
  std::string text = "function ";
  for (const int i : circle) text += fmt::format("'{}' calls ", model.functions(i).name());
  findings.push_back(
      {Code::kInput, fmt::format("{}'{}': a circle", text, model.functions(circle[0]).name())});
}

}  // namespace ingot::converters
