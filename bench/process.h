// SPDX-License-Identifier: Apache-2.0
// A program started fresh, waited for, and what it wrote.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ingot::bench {

struct ProcessEnd {
  int exit_status = 0;  ///< its exit code, or 128 + the number of the signal that ended it
  std::string output;   ///< all of its standard output
  std::string errors;   ///< the first 64 KiB of its standard error
};

/// Runs `executable` with `arguments` (without its own name), standard input at /dev/null. Throws
/// kEnvironment when it cannot be started; kInterrupted after a signal, when the child has been
/// ended and reaped.
ProcessEnd run_process(const std::filesystem::path& executable,
                       const std::vector<std::string>& arguments);

}  // namespace ingot::bench
