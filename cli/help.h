// SPDX-License-Identifier: Apache-2.0
// Help of the program itself; a command's own help comes from its options.
#pragma once

#include <span>
#include <string>

#include "cli/command.h"

namespace ingot::cli {

/// Commands by group, examples and exit codes.
std::string program_help(std::span<const Command> table);
/// Usage and the names of the commands: the answer to no arguments.
std::string program_usage(std::span<const Command> table);
/// The line on exit codes that ends every help.
std::string exit_codes_help();

}  // namespace ingot::cli
