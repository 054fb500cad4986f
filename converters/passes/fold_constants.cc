// SPDX-License-Identifier: Apache-2.0
// Weights behind Slice, Concat, Transpose and the like become plain initializers. Nodes that share
// weights are judged together: they are folded when what they read disappears with them, or the
// file grows by little.
#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/text.h"
#include "converters/edits.h"
#include "converters/evaluate.h"
#include "converters/passes/passes.h"

namespace ingot::converters {
namespace {

/// Bounds, so that a small file can make neither a large one nor a long run (docs: budgets).
constexpr std::size_t kMaxGrowthBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxResultBytes = std::size_t{256} << 20;
constexpr std::size_t kMaxHeldBytes = std::size_t{512} << 20;

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
  Tensor value;
  std::size_t group;
};

class Folder {
 public:
  Folder(PassContext& context, onnx::GraphProto& graph)
      : context_(context),
        graph_(graph),
        index_(context.model, graph),
        opset_(graph::opset_version(context.model.proto())) {}

  void run() {
    for (const onnx::NodeProto& node : graph_.node()) try_fold(node);
    if (folded_.empty()) return;
    const std::map<std::size_t, bool> chosen = choose(growth_by_group());
    std::unordered_set<const onnx::NodeProto*> doomed;
    std::vector<Folded*> results;
    for (Folded& entry : folded_) {
      if (!chosen.at(groups_.find(entry.group))) {
        context_.left(graph::describe(*entry.node),
                      "folding it and what shares its weights would add too much to the file; " +
                          format_bytes(kMaxGrowthBytes) + " in all is allowed");
        continue;
      }
      doomed.insert(entry.node);
      if (is_read_outside(entry)) results.push_back(&entry);
      context_.changed(graph::describe(*entry.node), "computed ahead of time from constants");
    }
    store(doomed, results);
  }

 private:
  void try_fold(const onnx::NodeProto& node) {
    if (!is_evaluable(node) || node.output_size() != 1 || held_bytes_ > kMaxHeldBytes) return;
    // The runtime wants what a graph returns to be written by a node.
    if (index_.is_graph_output(node.output(0))) return;
    std::vector<TensorView> inputs;
    std::size_t input_bytes = 0;
    for (const std::string& name : node.input()) {
      const auto value = value_of(name);
      if (!value) return;
      inputs.push_back(*value);
      input_bytes += value->bytes.size();
    }
    const std::size_t limit = std::max(4 * input_bytes, std::size_t{1} << 20);
    auto result = evaluate(node, inputs, opset_, std::min(limit, kMaxResultBytes));
    if (!result) return;
    held_bytes_ += result->bytes.size();
    const std::size_t group = groups_.add();
    for (const std::string& name : node.input()) join(group, name);
    by_output_.emplace(node.output(0), folded_.size());
    folded_.push_back({&node, std::move(*result), group});
  }

  /// A constant, an earlier result, or, for an absent input, a view of no type.
  std::optional<TensorView> value_of(const std::string& name) const {
    if (name.empty()) return TensorView{};
    const auto found = by_output_.find(name);
    if (found != by_output_.end()) return folded_[found->second].value.view();
    return index_.initializer(name) == nullptr ? std::nullopt : index_.constant(name);
  }

  /// Puts `group` together with the others that read `name`. Small parameters (axes, starts) are
  /// shared by unrelated nodes.
  void join(std::size_t group, const std::string& name) {
    const auto found = by_output_.find(name);
    if (found != by_output_.end()) {
      groups_.join(group, folded_[found->second].group);
      return;
    }
    const auto value = value_of(name);
    if (value->bytes.size() < graph::kInlineBytes) return;
    const auto [source, is_new] = sources_.emplace(name, group);
    if (!is_new) groups_.join(group, source->second);
  }

  bool is_folded(const onnx::NodeProto* node) const {
    return node->output_size() == 1 && by_output_.contains(node->output(0));
  }

  bool is_read_outside(const Folded& entry) const {
    const std::string& name = entry.node->output(0);
    return index_.used_below(name) ||
           std::ranges::any_of(index_.uses(name),
                               [this](const graph::Use& use) { return !is_folded(use.node); });
  }

  /// Bytes of results that stay less bytes of weights that nobody reads afterwards.
  std::map<std::size_t, std::int64_t> growth_by_group() {
    std::map<std::size_t, std::int64_t> growth;
    for (const Folded& entry : folded_) {
      std::int64_t& bytes = growth[groups_.find(entry.group)];
      if (is_read_outside(entry)) bytes += static_cast<std::int64_t>(entry.value.bytes.size());
    }
    for (const auto& [name, group] : sources_) {
      const bool vanishes =
          !index_.is_graph_output(name) && !index_.used_below(name) &&
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

  void store(const std::unordered_set<const onnx::NodeProto*>& doomed,
             const std::vector<Folded*>& results) {
    std::vector<std::string> names;
    for (const Folded* entry : results) names.push_back(entry->node->output(0));
    graph::erase_nodes(graph_, doomed);
    for (std::size_t i = 0; i < results.size(); ++i) {
      context_.model.add_initializer(graph_, names[i], std::move(results[i]->value));
    }
  }

  PassContext& context_;
  onnx::GraphProto& graph_;
  graph::GraphIndex index_;
  std::int64_t opset_;
  Groups groups_;
  std::vector<Folded> folded_;
  std::unordered_map<std::string, std::size_t> by_output_, sources_;
  std::size_t held_bytes_ = 0;
};

}  // namespace

void fold_constants(PassContext& context) {
  graph::for_each_graph(context.model.proto(),
                        [&](onnx::GraphProto& graph) { Folder(context, graph).run(); });
}

}  // namespace ingot::converters
