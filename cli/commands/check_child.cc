// SPDX-License-Identifier: Apache-2.0
// `ingot __check-child`: what ingot calls itself with for the check in the runtime; not for people.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands/commands.h"
#include "verify/check.h"

namespace ingot::cli {

Run declare_check_child(CLI::App& app) {
  const auto request = std::make_shared<std::filesystem::path>();
  app.add_option("REQUEST", *request, "what to do")->required();
  return [request](Io& io) { return verify::check_child(*request, io.out); };
}

}  // namespace ingot::cli
