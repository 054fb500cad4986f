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
  std::string what;  ///< "12 of 30 nodes static"
  std::vector<Judged> judged;
  bool reaches_goal = false;
};

struct SearchInput {
  Plan plain;                            ///< everything eligible static
  std::vector<std::string> worst_first;  ///< its static nodes, the one to give up first in front
  std::vector<std::string> storage_worst_first;  ///< its int8-stored weights, largest error first
  int evaluations = 30;                          ///< whole-model evaluations at most
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

/// Gives up static nodes worst first, then int8 storage worst first, by bisection for the shortest
/// such prefix that reaches the goal; then tries to take single nodes back, the one with most
/// multiply-adds first. Deterministic: only judged values decide.
SearchResult search(const SearchInput& input);

}  // namespace ingot::quant
