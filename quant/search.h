// SPDX-License-Identifier: Apache-2.0
// Looks for the plan that keeps most in integers while the red line holds with room to spare.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/reporter.h"
#include "quant/plan.h"
#include "quant/red_line.h"

namespace ingot::quant {

/// One whole-model evaluation.
struct Trial {
  std::string what;  ///< "12 of 30 nodes quantized, 4 of 40 steps taken"
  std::vector<Judged> judged;
  bool reaches_goal = false;
};

/// One concession: a node takes a more exact form, or a weight a more exact storage.
struct Step {
  std::string node, weight;  ///< one of them
  Form form = Form::kFloat;
  Storage storage = Storage::kFloat16;
  std::string reason;
};

struct SearchInput {
  Plan plain;  ///< where the search starts
  std::vector<Step>
      steps;             ///< the one to take first in front; the steps of one node in their order
  int evaluations = 30;  ///< whole-model evaluations at most
  /// Emits the plan, runs it and judges it.
  std::function<std::vector<Judged>(const Plan&)> evaluate;
  Reporter* reporter = nullptr;
};

struct SearchResult {
  Plan plan;                   ///< the best found
  std::vector<Judged> judged;  ///< its values
  bool reached_goal =
      false;  ///< false: no plan within the evaluations reached the goal; `plan` came nearest
  std::vector<Trial> trials;  ///< in the order made
};

/// Takes the shortest prefix of the steps that reaches the goal, found by bisection; then tries to
/// take single nodes back to their plain form, the one with most multiply-adds first.
/// Deterministic: only judged values decide.
SearchResult search(const SearchInput& input);

/// Applies one step to `plan`.
void take(Plan& plan, const Step& step);

}  // namespace ingot::quant
