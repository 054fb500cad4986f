// SPDX-License-Identifier: Apache-2.0
// What this binary is.
#pragma once

#include "cli/command.h"

namespace ingot::cli {

/// "0.1.0".
const char* version();
/// `--version`: one line, or under --json one document with the runtime it would use and how it was
/// built.
void print_version(Io& io);

}  // namespace ingot::cli
