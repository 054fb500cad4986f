// SPDX-License-Identifier: Apache-2.0
// `ingot convert --list`: the table of opset changes.
#pragma once

#include "cli/command.h"

namespace ingot::cli {

/// One row per operator and step of its versions, for people or (io.json) as
/// {"schema":"ingot.opset_steps","schema_version":1,"steps":[…]}. Returns 0.
int print_opset_list(Io& io);

}  // namespace ingot::cli
