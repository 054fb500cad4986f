// SPDX-License-Identifier: Apache-2.0
#include "cli/budget_options.h"

#include <CLI/CLI.hpp>
#include <string>

#include "base/text.h"
#include "cli/arguments.h"

namespace ingot::cli {
namespace {

void add_count(CLI::App& app, const char* name, std::uint64_t& value, const char* help) {
  app.add_option(name, value, help)
      ->type_name("N")
      ->check(whole_number("a number", 1, kMaxCount))
      ->capture_default_str()
      ->group(kBudgetGroup);
}

void add_bytes(CLI::App& app, const char* name, std::uint64_t& value, const char* help) {
  app.add_option_function<std::string>(
         name, [&value](const std::string& text) { value = parse_size_bytes(text); }, help)
      ->type_name("BYTES")
      ->group(kBudgetGroup);
}

}  // namespace

void add_budget_options(CLI::App& app, converters::Budgets& budgets) {
  add_count(app, "--max-nested-graphs", budgets.nested_graphs, "graphs inside one another");
  add_count(app, "--max-nodes", budgets.nodes, "nodes of all graphs and functions");
  add_bytes(app, "--max-name-bytes", budgets.name_bytes,
            "of a node's, tensor's or graph's name (default: 64KiB)");
  add_count(app, "--max-dimensions", budgets.dimensions, "of a tensor");
  app.add_option("--max-inlined-nodes", budgets.inlined_nodes,
                 "nodes with all functions written out (default: 4 times the file's, at least "
                 "100000, at most 1000000)")
      ->type_name("N")
      ->check(whole_number("a number of nodes", 1, kMaxCount))
      ->group(kBudgetGroup);
  add_bytes(app, "--max-dense-bytes", budgets.dense_bytes,
            "of a sparse tensor made dense (default: 4 times what is stored, at least 1MiB)");
}

}  // namespace ingot::cli
