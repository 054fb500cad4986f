// SPDX-License-Identifier: Apache-2.0
// From the words after a command's name to its options: the shared options, and usage errors a
// person can act on.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace ingot::cli {

/// The shared options that run_cli itself acts on.
struct Shared {
  bool quiet = false;
  bool debug = false;
  bool warnings_as_errors = false;
  std::string color = "auto";
};

/// How `app` and the subcommands it will get parse; before anything is declared.
void prepare(CLI::App& app);
/// Gives `app` the options every command has, those `uses` names. Bound to `io`
/// and `shared`.
void add_shared_options(CLI::App& app, unsigned uses, Io& io, Shared& shared);
/// Ends the help of `app` and its subcommands with the exit codes; after all options are declared.
void finish_help(CLI::App& app);
/// Parses; returns the text of help when that was asked for, else "". Throws kUsage for anything
/// `app` does not know or miss.
std::string parse_arguments(CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace ingot::cli
