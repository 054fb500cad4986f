// SPDX-License-Identifier: Apache-2.0
// The table of commands: it feeds parsing, help, near misses and tests.
#include "cli/commands/commands.h"

#include <array>

#include "cli/command.h"

namespace ingot::cli {
namespace {

// A new command: write commands/<name>.cc with `Run declare_<name>(CLI::App&)`, declare that in
// commands/commands.h, and add one row {name, summary, group, declare_<name>, uses}. Rows of a
// group stand together: look, make, judge, ship.
const std::array kCommands{
    Command{"inspect", "what is in a model, without running it", "Look", declare_inspect,
            kUsesNone},
    Command{"convert", "read an export, clean it, check it against the original", "Make",
            declare_convert},
    Command{"quantize", "a smaller model that has been held against the original", "Make",
            declare_quantize},
    Command{"verify", "two models on the same samples, every output compared", "Judge",
            declare_verify, kUsesRuntime | kUsesThreads},
    Command{"bench", "load, latency and memory, each measured in a fresh process", "Judge",
            declare_bench, kUsesRuntime | kUsesThreads},
    Command{"bundle", "pack a model with all it needs to run; verify, inspect such a bundle",
            "Ship", declare_bundle, kUsesForce},
    Command{"build", "all of it from one project file, with its limits as a gate", "Ship",
            declare_build},
    // Without a group: not for people, and in no help.
    Command{"__check-child", "a child of the check in the runtime", "", declare_check_child,
            kUsesNone},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

}  // namespace ingot::cli
