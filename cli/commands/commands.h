// SPDX-License-Identifier: Apache-2.0
// The declare function of every command; each is defined in the file of its name beside this one.
#pragma once

#include "cli/command.h"

namespace ingot::cli {

Run declare_bench(CLI::App& app);
Run declare_build(CLI::App& app);
Run declare_bundle(CLI::App& app);
Run declare_check_child(CLI::App& app);
Run declare_convert(CLI::App& app);
Run declare_inspect(CLI::App& app);
Run declare_quantize(CLI::App& app);
Run declare_verify(CLI::App& app);

}  // namespace ingot::cli
