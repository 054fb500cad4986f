// SPDX-License-Identifier: Apache-2.0
// The commands of ingot-run. A new one: a file with its options and its function, and a row in
// commands.cc.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/arguments.h"

namespace ingot::device {

/// What a command may touch of the outside.
struct Io {
  std::ostream& out;  ///< the result only
  std::ostream& err;  ///< everything else
  bool json = false;  ///< set from --json before a command runs
};

struct Command {
  std::string_view name;
  std::string_view usage;  ///< "DIR --input FILE..."
  std::string_view summary;
  std::span<const Option> options;
  std::string_view examples;  ///< whole lines
  /// Returns the exit code 0, 1, or 3 where a bundle was refused; throws Error otherwise.
  int (*run)(const Arguments& arguments, Io& io);
};

/// All commands in display order.
std::span<const Command> commands();

extern const Command kCheckCommand, kRunCommand, kBenchCommand;

/// Runs `words` (without the program name); every Error becomes a message on err (JSON under
/// --json) and its exit code.
int run_device(const std::vector<std::string>& words, Io& io);

}  // namespace ingot::device
