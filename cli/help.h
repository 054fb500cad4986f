// SPDX-License-Identifier: Apache-2.0
// Help of the program itself; a command's own help comes from its options.
#pragma once

#include <string>

namespace ingot::cli {

/// Commands by group, examples and exit codes.
std::string program_help();
/// Usage and the names of the commands: the answer to no arguments.
std::string program_usage();
/// The line on exit codes that ends every help.
std::string exit_codes_help();

}  // namespace ingot::cli
