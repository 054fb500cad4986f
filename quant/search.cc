// SPDX-License-Identifier: Apache-2.0
#include "quant/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"

namespace ingot::quant {
namespace {

class Search {
 public:
  explicit Search(const SearchInput& input) : input_(input) {}

  SearchResult run() {
    const std::size_t all = input_.steps.size();
    // Rung r takes the first r steps. Invariant: rung `high` reaches the goal, rung `low` does not.
    std::size_t low = 0, high = all;
    if (try_plan(rung(0), 0)) return finish();
    if (all == 0 || !try_plan(rung(all), all)) return finish();
    while (high - low > 1 && left() > 0) {
      const std::size_t middle = low + (high - low) / 2;
      (try_plan(rung(middle), middle) ? high : low) = middle;
    }
    take_back(high);
    return finish();
  }

 private:
  int left() const { return input_.evaluations - static_cast<int>(result_.trials.size()); }

  Plan rung(std::size_t count) const {
    Plan plan = input_.plain;
    for (std::size_t i = 0; i < count; ++i) take(plan, input_.steps[i]);
    return plan;
  }

  /// Single nodes, largest gain first: each goes back to its plain form if the goal still holds.
  void take_back(std::size_t taken) {
    std::vector<std::pair<double, std::string>> candidates;
    for (std::size_t i = 0; i < taken; ++i) {
      const std::string& key = input_.steps[i].node;
      const auto known = [&](const auto& one) { return one.second == key; };
      if (key.empty() || std::any_of(candidates.begin(), candidates.end(), known)) continue;
      candidates.emplace_back(input_.plain.find_node(key)->multiply_adds.value_or(0), key);
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [share, key] : candidates) {
      if (left() <= 0) return;
      Plan plan = result_.plan;
      *plan.find_node(key) = *input_.plain.find_node(key);
      try_plan(std::move(plan), taken);
    }
  }

  /// Evaluates; keeps the plan when it reaches the goal, or when nothing has reached it and this
  /// one came nearest.
  bool try_plan(Plan plan, std::size_t steps) {
    if (left() <= 0) return false;
    Trial trial;
    const auto quantized = [](const NodePlan& node) { return node.form != Form::kFloat; };
    trial.what =
        fmt::format("{} of {} nodes quantized, {} of {} steps taken",
                    std::count_if(plan.nodes.begin(), plan.nodes.end(), quantized),
                    std::count_if(input_.plain.nodes.begin(), input_.plain.nodes.end(), quantized),
                    steps, input_.steps.size());
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

void take(Plan& plan, const Step& step) {
  if (!step.node.empty()) {
    NodePlan* node = plan.find_node(step.node);
    INGOT_CHECK(node != nullptr);
    node->form = step.form;
    node->reason = step.reason;
    return;
  }
  WeightPlan* weight = plan.find_weight(step.weight);
  INGOT_CHECK(weight != nullptr && weight->storage == Storage::kInt8);
  weight->storage = step.storage;
  weight->reason = step.reason;
  weight->error_db.reset();
}

SearchResult search(const SearchInput& input) { return Search(input).run(); }

}  // namespace ingot::quant
