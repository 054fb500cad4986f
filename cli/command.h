// SPDX-License-Identifier: Apache-2.0
// What every subcommand is: one row of the table in commands.cc and one file in commands/.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "base/reporter.h"

namespace CLI {
class App;
}

namespace ingot::cli {

/// Everything a command may touch of the outside. Tests make their own.
struct Io {
  std::ostream& out;  ///< the result only
  std::ostream& err;  ///< everything else
  bool err_is_terminal = false;
  std::function<const char*(const char*)> environment{};  ///< getenv; may be empty: no variable set
  std::filesystem::path executable{};  ///< this binary; ingot-run and ../lib are beside it
  // Set by run_cli from the options every command has, before the command runs:
  Reporter* reporter = nullptr;
  bool json = false;
  std::filesystem::path runtime{};  ///< --runtime, may be empty
  int threads = 0;                  ///< --threads; 0 = all
  bool force = false;               ///< --force: overwrite existing output
};

/// Runs with the parsed options; returns 0 (verdict yes) or 1 (verdict no); throws Error otherwise.
using Run = std::function<int(Io&)>;

/// The shared options a command has a use for; the others it refuses as unknown. All have -q,
/// --json, --color, --debug and --warnings-as-errors.
enum Uses : unsigned {
  kUsesNone = 0,
  kUsesRuntime = 1,
  kUsesThreads = 2,
  kUsesForce = 4,
  kUsesAll = 7
};

struct Command {
  const char* name;
  const char* summary;
  const char* group;
  /// Adds options and, as the footer, "Examples:" to `app`; the returned function reads the bound
  /// options. The options must outlive this call (a shared_ptr captured by the returned function).
  Run (*declare)(CLI::App& app);
  unsigned uses = kUsesAll;

  /// A command without a group is what ingot calls itself with; it is in no help.
  bool is_hidden() const { return *group == '\0'; }
};

/// All commands in display order.
std::span<const Command> commands();

/// Parses `arguments` (without the program name) and runs the command of `table` they name. Every
/// Error becomes one message on err (JSON under --json) and its exit code. Never throws.
int run_cli(const std::vector<std::string>& arguments, Io& io,
            std::span<const Command> table = commands());

}  // namespace ingot::cli
