// SPDX-License-Identifier: Apache-2.0
// The `--max-…` options of commands that read models.
#pragma once

#include "converters/budgets.h"

namespace CLI {
class App;
}

namespace ingot::cli {

/// The heading of these options in the help.
inline constexpr const char* kBudgetGroup = "Budgets against hostile files";

/// Binds one option to each budget; the defaults stand in the help.
void add_budget_options(CLI::App& app, converters::Budgets& budgets);

}  // namespace ingot::cli
