// SPDX-License-Identifier: Apache-2.0
// Weights behind Slice, Concat, Transpose and the like become plain initializers. Nodes that share
// weights are judged together: they are folded when what they read disappears with them, or the
// file grows by little.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/text.h"
#include "converters/evaluate.h"
#include "converters/partial_ints.h"
#include "converters/passes/passes.h"

namespace ingot::converters {
namespace {

/// Bounds, so that a small file can make neither a large one nor a long run (docs: budgets).
constexpr std::size_t kMaxGrowthBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxResultBytes = std::size_t{256} << 20;
constexpr std::size_t kMaxHeldBytes = std::size_t{512} << 20;
constexpr std::size_t kAlwaysAllowed = std::size_t{1} << 20;

/// Sets of nodes that share weights.
class Groups {
 public:
  std::size_t add() {
    parents_.push_back(parents_.size());
    return parents_.size() - 1;
  }
  std::size_t find(std::size_t i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parents_[find(a)] = find(b); }

 private:
  std::vector<std::size_t> parents_;
};

struct Folded {
  const onnx::NodeProto* node;
  std::vector<Tensor> values;  ///< one per output of the node
  std::size_t group;
};

/// Names of constants of the graphs around a graph.
using OuterConstants = std::unordered_map<std::string_view, const onnx::TensorProto*>;

/// What a graph inside `graph` sees: names that `graph` defines itself hide those outside.
OuterConstants visible_constants(const onnx::GraphProto& graph, OuterConstants visible) {
  for (const auto& tensor : graph.initializer()) visible.insert_or_assign(tensor.name(), &tensor);
  for (const auto& input : graph.input()) visible.erase(input.name());
  for (const auto& node : graph.node()) {
    for (const std::string& name : node.output()) visible.erase(name);
  }
  return visible;
}

class Folder {
 public:
  Folder(PassContext& context, onnx::GraphProto& graph, const OuterConstants& outer)
      : context_(context),
        graph_(graph),
        outer_(outer),
        index_(context.model, graph),
        opset_(graph::opset_version(context.model.proto())),
        held_limit_(std::clamp(4 * static_cast<std::size_t>(context.model.weight_bytes()),
                               kAlwaysAllowed, kMaxHeldBytes)) {}

  void run() {
    for (const onnx::NodeProto& node : graph_.node()) try_fold(node);
    if (folded_.empty()) return;
    const std::map<std::size_t, bool> chosen = choose(growth_by_group());
    std::unordered_set<const onnx::NodeProto*> doomed;
    std::vector<std::pair<std::string, Tensor>> results;
    for (Folded& entry : folded_) {
      if (!chosen.at(groups_.find(entry.group))) {
        context_.left(graph::describe(*entry.node),
                      "folding it and what shares its weights would add too much to the file; " +
                          format_bytes(kMaxGrowthBytes) + " in all is allowed");
        continue;
      }
      doomed.insert(entry.node);
      for (std::size_t i = 0; i < entry.values.size(); ++i) {
        const std::string& name = entry.node->output(static_cast<int>(i));
        if (is_read_outside(name)) results.emplace_back(name, std::move(entry.values[i]));
      }
      context_.changed(graph::describe(*entry.node), "computed ahead of time from constants");
    }
    graph::erase_nodes(graph_, doomed);
    for (auto& [name, value] : results) {
      context_.model.add_initializer(graph_, name, std::move(value));
    }
  }

 private:
  void try_fold(const onnx::NodeProto& node) {
    if (!is_evaluable(node) || node.input_size() == 0) return;
    for (const std::string& name : node.output()) {
      // The runtime wants what a graph returns to be written by a node.
      if (name.empty() || index_.is_graph_output(name)) return;
    }
    std::vector<TensorView> inputs;
    std::size_t input_bytes = 0;
    for (const std::string& name : node.input()) {
      const auto value = value_of(name);
      if (!value) return try_fold_shape(node);
      inputs.push_back(*value);
      input_bytes += value->bytes.size();
    }
    const std::size_t limit = std::max(4 * input_bytes, kAlwaysAllowed);
    auto results = evaluate(node, inputs, opset_,
                            std::min({limit, kMaxResultBytes, held_limit_ - held_bytes_}));
    if (!results || results->size() != static_cast<std::size_t>(node.output_size())) return;
    const std::size_t group = keep(node, std::move(*results));
    for (const std::string& name : node.input()) join(group, name);
  }

  /// A node that reads something else than constants: what it makes of shapes may be fixed all the
  /// same.
  void try_fold_shape(const onnx::NodeProto& node) {
    if (node.output_size() != 1) return;
    std::optional<PartialInts> result;
    if (node.op_type() == "Shape" || node.op_type() == "Size") {
      result = partial_shape(node, context_.types.shape(graph_, node.input(0)));
    } else {
      result = move_partial(node, opset_, [this](const std::string& name) {
        const auto found = partial_.find(name);
        if (found != partial_.end()) return std::optional(found->second);
        const auto value = value_of(name);
        return value ? all_known(*value) : std::nullopt;
      });
    }
    if (!result) return;
    if (!result->is_complete()) {
      partial_.emplace(node.output(0), std::move(*result));
      return;
    }
    if (result->values.bytes.size() > held_limit_ - held_bytes_) return;
    std::vector<Tensor> values;
    values.push_back(std::move(result->values));
    keep(node, std::move(values));
  }

  /// Remembers the results; returns their group.
  std::size_t keep(const onnx::NodeProto& node, std::vector<Tensor> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      held_bytes_ += values[i].bytes.size();
      by_output_.emplace(node.output(static_cast<int>(i)), std::pair(folded_.size(), i));
    }
    const std::size_t group = groups_.add();
    folded_.push_back({&node, std::move(values), group});
    return group;
  }

  /// A constant, an earlier result, or, for an absent input, a view of no type.
  std::optional<TensorView> value_of(const std::string& name) const {
    if (name.empty()) return TensorView{};
    const auto found = by_output_.find(name);
    if (found != by_output_.end()) {
      return folded_[found->second.first].values[found->second.second].view();
    }
    if (index_.initializer(name) != nullptr) return index_.constant(name);
    if (index_.producer(name) != nullptr || index_.is_graph_input(name)) return std::nullopt;
    const auto outer = outer_.find(name);
    if (outer == outer_.end()) return std::nullopt;
    return context_.model.view(*outer->second);
  }

  /// Puts `group` together with the others that read `name`. Small parameters (axes, starts) are
  /// shared by unrelated nodes.
  void join(std::size_t group, const std::string& name) {
    const auto found = by_output_.find(name);
    if (found != by_output_.end()) {
      groups_.join(group, folded_[found->second.first].group);
      return;
    }
    const auto value = value_of(name);
    if (value->bytes.size() < graph::kInlineBytes) return;
    const auto [source, is_new] = sources_.emplace(name, group);
    if (!is_new) groups_.join(group, source->second);
  }

  bool is_folded(const onnx::NodeProto* node) const {
    return node->output_size() > 0 && by_output_.contains(node->output(0));
  }

  bool is_read_outside(const std::string& name) const {
    return index_.used_below(name) ||
           std::ranges::any_of(index_.uses(name),
                               [this](const graph::Use& use) { return !is_folded(use.node); });
  }

  /// Bytes of results that stay less bytes of weights that nobody reads afterwards.
  std::map<std::size_t, std::int64_t> growth_by_group() {
    std::map<std::size_t, std::int64_t> growth;
    for (const Folded& entry : folded_) {
      std::int64_t& bytes = growth[groups_.find(entry.group)];
      for (std::size_t i = 0; i < entry.values.size(); ++i) {
        if (!is_read_outside(entry.node->output(static_cast<int>(i)))) continue;
        bytes += static_cast<std::int64_t>(entry.values[i].bytes.size());
      }
    }
    for (const auto& [name, group] : sources_) {
      const bool vanishes =
          index_.initializer(name) != nullptr && !index_.is_graph_output(name) &&
          !index_.used_below(name) &&
          std::ranges::all_of(index_.uses(name), [this](auto& use) { return is_folded(use.node); });
      if (!vanishes) continue;
      growth[groups_.find(group)] -= static_cast<std::int64_t>(value_of(name)->bytes.size());
    }
    return growth;
  }

  /// Takes groups while the file grows by no more than the bound over the whole run.
  std::map<std::size_t, bool> choose(const std::map<std::size_t, std::int64_t>& growth) {
    std::map<std::size_t, bool> chosen;
    for (const auto& [group, bytes] : growth) {
      const auto grown = context_.grown_bytes + std::max<std::int64_t>(bytes, 0);
      chosen[group] = grown <= static_cast<std::int64_t>(kMaxGrowthBytes);
      if (chosen[group]) context_.grown_bytes = grown;
    }
    return chosen;
  }

  PassContext& context_;
  onnx::GraphProto& graph_;
  const OuterConstants& outer_;
  graph::GraphIndex index_;
  std::int64_t opset_;
  Groups groups_;
  std::vector<Folded> folded_;
  std::unordered_map<std::string, std::pair<std::size_t, std::size_t>> by_output_;
  std::unordered_map<std::string, std::size_t> sources_;
  std::unordered_map<std::string, PartialInts> partial_;  ///< results of which something is known
  std::size_t held_bytes_ = 0;
  std::size_t held_limit_;  ///< of all results together, so that none grows by feeding the next
};

/// Outer graphs before inner ones, which see the constants of those around them.
void fold_in(PassContext& context, onnx::GraphProto& graph, const OuterConstants& outer) {
  Folder(context, graph, outer).run();
  std::optional<OuterConstants> visible;
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (!attribute.has_g() && attribute.graphs_size() == 0) continue;
      if (!visible) visible = visible_constants(graph, outer);
      if (attribute.has_g()) fold_in(context, *attribute.mutable_g(), *visible);
      for (auto& inner : *attribute.mutable_graphs()) fold_in(context, inner, *visible);
    }
  }
}

}  // namespace

void fold_constants(PassContext& context) { fold_in(context, context.model.graph(), {}); }

}  // namespace ingot::converters
