// SPDX-License-Identifier: Apache-2.0
// From the words after a command's name to its options: the shared options, and usage errors a
// person can act on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include "cli/command.h"

namespace CLI {
class Validator;
}

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
/// Throws kUsage for an empty value, too: a variable that is not set in a script.
std::string parse_arguments(CLI::App& app, const std::vector<std::string>& arguments);

/// For ->check(): a whole number; refused as "'-3' is not a number of samples from 0 to 1000".
/// Bound to unsigned options, CLI11 itself would make a huge number of a negative one.
CLI::Validator whole_number(const std::string& what, std::int64_t least, std::int64_t most);
inline constexpr std::int64_t kMaxCount = 1'000'000'000;  ///< of samples, tensors, evaluations
/// For ->check(): a time in seconds, above 0 and finite.
CLI::Validator positive_seconds();

/// Throws kUsage when two of `outputs` (empty ones left out) are the same path.
void require_distinct(std::initializer_list<std::filesystem::path> outputs);

}  // namespace ingot::cli
