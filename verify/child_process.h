// SPDX-License-Identifier: Apache-2.0
// A child process that may crash or hang: run under deadlines, always reaped.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ingot::verify {

/// How long the child may be silent. A sign of life is any byte on its standard output.
struct Deadlines {
  double first_seconds =
      5;  ///< from the start to the first sign, or to the end when `renewed` is false
  double next_seconds = 5;  ///< from one sign to the next
  bool renewed = false;     ///< false: signs of life give no more time
};

struct ChildEnd {
  enum class How { kExited, kKilledBySignal, kTimedOut } how = How::kExited;
  int status = 0;              ///< exit code, or the signal's number
  double seconds = 0;          ///< wall clock, start to end
  double first_seconds = 0;    ///< start to the first sign of life (to the end when there was none)
  double longest_seconds = 0;  ///< the longest time between two signs
};

/// Starts `executable` with `arguments` (without its own name), standard input and error at
/// /dev/null, waits and kills it at a deadline. Throws kEnvironment when it cannot be started,
/// kInterrupted (the child is killed first).
ChildEnd run_child(const std::filesystem::path& executable,
                   const std::vector<std::string>& arguments, const Deadlines& deadlines);

/// "signal 11 (Segmentation fault)", "exit code 3".
std::string describe(const ChildEnd& end);

}  // namespace ingot::verify
