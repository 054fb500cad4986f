// SPDX-License-Identifier: Apache-2.0
// One call of run_cli with its outputs caught.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "cli/command.h"

namespace ingot::test {

struct Result {
  int code = -1;
  std::string out, err;
};

/// Runs `arguments` without a terminal and without environment variables.
inline Result run(const std::vector<std::string>& arguments,
                  std::span<const cli::Command> table = cli::commands()) {
  std::ostringstream out, err;
  cli::Io io{.out = out, .err = err};
  Result result;
  result.code = cli::run_cli(arguments, io, table);
  result.out = out.str();
  result.err = err.str();
  return result;
}

}  // namespace ingot::test
