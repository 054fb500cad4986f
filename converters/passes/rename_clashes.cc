// SPDX-License-Identifier: Apache-2.0
// Gives inner tensors other names where theirs would meet another tensor: names that the runtime's
// own transformers take without asking, and names of nested graphs that exist around them too.
// Names of the model's inputs and outputs are its interface and stay.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "converters/passes/passes.h"

namespace ingot::converters {
namespace {

/// What ONNX Runtime puts before a tensor's name to name a new one, in
/// core/optimizer/insert_cast_transformer.cc and core/graph/function_utils.cc.
constexpr std::array<std::string_view, 2> kTakenPrefixes{"InsertedPrecisionFreeCast_", "_inlfunc_"};

bool is_taken(std::string_view name) {
  for (const std::string_view prefix : kTakenPrefixes) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

class Renamer {
 public:
  explicit Renamer(PassContext& context) : context_(context) {
    const onnx::GraphProto& graph = context.model.graph();
    for (const auto& input : graph.input()) ports_.insert(input.name());
    for (const auto& output : graph.output()) ports_.insert(output.name());
    for (const std::string& name : ports_) {
      if (is_taken(name))
        context.left(fmt::format("'{}'", name),
                     "is a name that the runtime uses itself; inputs and outputs keep theirs");
    }
  }

  void run() { rename(context_.model.graph()); }

 private:
  /// What a name meant before a graph that defines it was entered.
  struct Before {
    std::string name;
    std::optional<std::string> rename;
    bool was_defined;
  };

  void rename(onnx::GraphProto& graph) {
    ++depth_;
    std::vector<Before> entered;
    const auto define = [&](const std::string& name) {
      if (name.empty()) return;
      const auto old = renames_.find(name);
      entered.push_back({name, old == renames_.end() ? std::nullopt : std::optional(old->second),
                         defined_.contains(name)});
      const bool clashes = (depth_ > 1 && entered.back().was_defined) || is_taken(name);
      if (old != renames_.end()) renames_.erase(old);
      if (clashes && !(depth_ == 1 && ports_.contains(name))) {
        const std::string fresh = context_.names.fresh("inner/" + name);
        context_.changed(fmt::format("'{}'", name), fmt::format("is now '{}'", fresh));
        renames_[name] = fresh;
      }
      defined_.insert(name);
    };
    if (depth_ > 1) {
      for (const auto& input : graph.input()) define(input.name());
    }
    std::unordered_set<std::string_view> inputs;
    for (const auto& input : graph.input()) inputs.insert(input.name());
    const auto define_weight = [&](const std::string& name) {
      if (!inputs.contains(name)) define(name);
    };
    for (const auto& tensor : graph.initializer()) define_weight(tensor.name());
    for (const auto& sparse : graph.sparse_initializer()) define_weight(sparse.values().name());
    for (const auto& node : graph.node()) {
      for (const std::string& name : node.output()) define(name);
    }
    if (depth_ == 1) defined_.insert(ports_.begin(), ports_.end());
    if (!renames_.empty()) apply(graph);
    for (auto& node : *graph.mutable_node()) {
      for (auto& attribute : *node.mutable_attribute()) {
        if (attribute.has_g()) rename(*attribute.mutable_g());
        for (auto& inner : *attribute.mutable_graphs()) rename(inner);
      }
    }
    for (auto before = entered.rbegin(); before != entered.rend(); ++before) {
      renames_.erase(before->name);
      if (before->rename) renames_[before->name] = *before->rename;
      if (!before->was_defined) defined_.erase(before->name);
    }
    --depth_;
  }

  void apply(onnx::GraphProto& graph) {
    const auto put = [&](std::string& name) {
      const auto found = renames_.find(name);
      if (found != renames_.end()) name = found->second;
    };
    if (depth_ > 1) {
      for (auto& input : *graph.mutable_input()) put(*input.mutable_name());
      for (auto& output : *graph.mutable_output()) put(*output.mutable_name());
    }
    for (auto& tensor : *graph.mutable_initializer()) put(*tensor.mutable_name());
    for (auto& sparse : *graph.mutable_sparse_initializer())
      put(*sparse.mutable_values()->mutable_name());
    for (auto& info : *graph.mutable_value_info()) put(*info.mutable_name());
    for (auto& annotation : *graph.mutable_quantization_annotation()) {
      put(*annotation.mutable_tensor_name());
      for (auto& entry : *annotation.mutable_quant_parameter_tensor_names())
        put(*entry.mutable_value());
    }
    for (auto& node : *graph.mutable_node()) {
      for (std::string& name : *node.mutable_input()) put(name);
      for (std::string& name : *node.mutable_output()) put(name);
    }
  }

  PassContext& context_;
  std::unordered_set<std::string> ports_, defined_;
  std::unordered_map<std::string, std::string> renames_;
  int depth_ = 0;
};

}  // namespace

void rename_clashes(PassContext& context) { Renamer(context).run(); }

}  // namespace ingot::converters
