// SPDX-License-Identifier: Apache-2.0
#include "quant/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "quant/scheme_int8.h"

namespace ingot::quant {
namespace {

constexpr const char* kNodeReason =
    "among the most sensitive nodes: static, the model misses the goal of its red line";
constexpr const char* kStorageReason =
    "among the weights with the largest int8 error: stored so, the model misses the goal of its "
    "red line";

class Search {
 public:
  explicit Search(const SearchInput& input) : input_(input) {}

  SearchResult run() {
    const std::size_t rungs = input_.worst_first.size() + input_.storage_worst_first.size();
    // Rung r gives up the first r entries of both lists in a row. Invariant: rung `high` reaches
    // the goal, rung `low` does not.
    std::size_t low = 0, high = rungs;
    if (try_plan(rung(0))) return finish();
    if (rungs == 0 || !try_plan(rung(rungs))) return finish();
    while (high - low > 1 && left() > 0) {
      const std::size_t middle = low + (high - low) / 2;
      (try_plan(rung(middle)) ? high : low) = middle;
    }
    take_back(std::min(high, input_.worst_first.size()));
    return finish();
  }

 private:
  int left() const { return input_.evaluations - static_cast<int>(result_.trials.size()); }

  Plan rung(std::size_t count) const {
    Plan plan = input_.plain;
    for (std::size_t i = 0; i < count; ++i) {
      if (i < input_.worst_first.size()) {
        make_float(plan, input_.worst_first[i], kNodeReason);
      } else {
        store_as_float16(plan, input_.storage_worst_first[i - input_.worst_first.size()],
                         kStorageReason);
      }
    }
    return plan;
  }

  /// Single nodes given up in the end, largest gain first: each is kept static if the goal still
  /// holds.
  void take_back(std::size_t given_up) {
    std::vector<std::pair<double, std::string>> candidates;
    for (std::size_t i = 0; i < given_up; ++i) {
      const NodePlan* node = input_.plain.find_node(input_.worst_first[i]);
      candidates.emplace_back(node->multiply_adds.value_or(0), node->node);
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [share, key] : candidates) {
      if (left() <= 0) return;
      Plan plan = result_.plan;
      *plan.find_node(key) = *input_.plain.find_node(key);
      try_plan(std::move(plan));
    }
  }

  /// Evaluates; keeps the plan when it reaches the goal, or when nothing has reached it and this
  /// one came nearest.
  bool try_plan(Plan plan) {
    if (left() <= 0) return false;
    Trial trial;
    const auto is_static = [](const NodePlan& node) { return node.form == Form::kStatic; };
    trial.what = fmt::format("{} of {} nodes static",
                             std::count_if(plan.nodes.begin(), plan.nodes.end(), is_static),
                             input_.worst_first.size());
    if (input_.reporter != nullptr) {
      input_.reporter->progress("searching", result_.trials.size(),
                                static_cast<std::size_t>(input_.evaluations));
    }
    trial.judged = input_.evaluate(plan);
    trial.reaches_goal = reaches_goal(trial.judged);
    const double slack_now = least_slack(trial.judged);
    if (trial.reaches_goal || (!result_.reached_goal && slack_now > best_slack_)) {
      result_.plan = std::move(plan);
      result_.judged = trial.judged;
      result_.reached_goal = trial.reaches_goal;
      best_slack_ = slack_now;
    }
    const bool reached = trial.reaches_goal;
    result_.trials.push_back(std::move(trial));
    return reached;
  }

  SearchResult finish() {
    if (result_.trials.empty()) result_.plan = input_.plain;
    return std::move(result_);
  }

  const SearchInput& input_;
  SearchResult result_;
  double best_slack_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

SearchResult search(const SearchInput& input) { return Search(input).run(); }

}  // namespace ingot::quant
