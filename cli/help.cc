// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <fmt/format.h>

#include <string_view>

#include "cli/command.h"
#include "cli/version.h"

namespace ingot::cli {

std::string program_help(std::span<const Command> table) {
  std::string text = fmt::format(
      "ingot {}: takes an ONNX model to a bundle that a device can trust\n\nUsage: ingot COMMAND "
      "[OPTIONS]\n",
      version());
  std::string_view group;
  for (const Command& command : table) {
    if (command.is_hidden()) continue;
    if (group != command.group) {
      group = command.group;
      text += fmt::format("\n{}:\n", group);
    }
    text += fmt::format("  {:<10} {}\n", command.name, command.summary);
  }
  text +=
      "\nOptions:\n"
      "  -h, --help     this text; after a command, the command's own\n"
      "  --version      the version; with --json also what it was built with\n"
      "\nExamples:\n"
      "  ingot inspect model.onnx\n"
      "  ingot convert export.onnx -o model.onnx\n"
      "  ingot quantize model.onnx -o model.int8.onnx --scheme int8 --data samples/\n"
      "\n";
  return text + exit_codes_help();
}

std::string program_usage(std::span<const Command> table) {
  std::string text = "Usage: ingot COMMAND [OPTIONS]\nCommands:";
  for (const Command& command : table) {
    if (!command.is_hidden()) text += fmt::format(" {}", command.name);
  }
  return text + "\nSee 'ingot --help'.\n";
}

std::string exit_codes_help() {
  return "Exit codes:\n"
         "  0 done, verdict yes   1 verdict no   2 usage   3 bad input   4 not supported\n"
         "  5 environment   6 engine failure   70 a bug of ours   130 interrupted\n";
}

}  // namespace ingot::cli
