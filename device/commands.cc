// SPDX-License-Identifier: Apache-2.0
#include "device/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>
#include <ostream>
#include <system_error>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"

namespace ingot::device {
namespace {

constexpr std::string_view kVersion = INGOT_VERSION;
constexpr std::string_view kExitCodes =
    "Exit codes: 0 yes, 1 the verdict is no, 2 usage, 3 bad input or a bundle refused, 4 "
    "unsupported, 5 environment,\n"
    "6 ONNX Runtime failed, 70 a bug of ours, 130 interrupted.\n";
constexpr std::string_view kJsonOption = "--json";

std::string help() {
  std::string text =
      "ingot-run checks, runs and measures a model bundle on a device.\n\nUsage: ingot-run COMMAND "
      "...\n\nCommands:\n";
  for (const Command& command : commands())
    text += fmt::format("  {:<7}{}\n", command.name, command.summary);
  return text + "\n'ingot-run COMMAND --help' says more; 'ingot-run --version' the version.\n\n" +
         std::string(kExitCodes);
}

std::string help(const Command& command) {
  return fmt::format("{}.\n\nUsage: ingot-run {} {}\n\nOptions:\n{}\nExamples:\n{}\n{}",
                     command.summary, command.name, command.usage, describe(command.options),
                     command.examples, kExitCodes);
}

bool has(const std::vector<std::string>& words, std::string_view word) {
  const auto end = std::ranges::find(words, "--");
  return std::find(words.begin(), end, word) != end;
}

/// What is being thrown, as an Error. Only inside a catch block.
Error current_error() {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error(Code::kEnvironment, "out of memory");
  } catch (const std::system_error& error) {
    return Error(Code::kEnvironment, error.what());
  } catch (const std::exception& error) {
    return Error(Code::kInternal, fmt::format("unexpected failure: {}", error.what()));
  }
}

int report(const Error& error, Io& io) {
  std::string hint = error.hint();
  if (hint.empty() && error.code() == Code::kInternal)
    hint = "this is a bug of ingot-run: please report it with the command line";
  if (io.json) {
    const OrderedJson json{{"error",
                            {{"code", code_name(error.code())},
                             {"message", error.message()},
                             {"context", error.context()},
                             {"hint", hint}}}};
    io.err << json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) << std::endl;
  } else {
    io.err << "error: " << error.message() << '\n';
    for (const std::string& context : error.context()) io.err << "  " << context << '\n';
    if (!hint.empty()) io.err << "  hint: " << hint << '\n';
    io.err << std::flush;
  }
  return exit_code(error.code());
}

const Command& find_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (command.name == name) return command;
    names.emplace_back(command.name);
  }
  const bool is_option = name.starts_with("-");
  throw Error(Code::kUsage,
              fmt::format("unknown {} '{}'{}", is_option ? "option" : "command", name,
                          did_you_mean(name, names)),
              "see 'ingot-run --help'");
}

int dispatch(const std::vector<std::string>& words, Io& io) {
  if (words.empty()) {
    io.err << help();
    return exit_code(Code::kUsage);
  }
  if (words[0] == "--help" || words[0] == "-h") {
    io.out << help();
    return 0;
  }
  if (words[0] == "--version") {
    io.out << "ingot-run " << kVersion << '\n';
    return 0;
  }
  const Command& command = find_command(words[0]);
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (has(rest, "--help") || has(rest, "-h")) {
    io.out << help(command);
    return 0;
  }
  try {
    return command.run(Arguments(rest, command.options), io);
  } catch (const Error& error) {
    if (error.code() != Code::kUsage || !error.hint().empty()) throw;
    throw Error(Code::kUsage, error.message(),
                fmt::format("see 'ingot-run {} --help'", command.name), error.where());
  }
}

}  // namespace

std::span<const Command> commands() {
  static const std::array<Command, 3> kCommands{kCheckCommand, kRunCommand, kBenchCommand};
  return kCommands;
}

int run_device(const std::vector<std::string>& words, Io& io) {
  io.json = has(words, kJsonOption);
  try {
    return dispatch(words, io);
  } catch (...) {
    return report(current_error(), io);
  }
}

}  // namespace ingot::device
