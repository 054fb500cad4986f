// SPDX-License-Identifier: Apache-2.0
// run_cli: finds the command, runs it, and turns whatever comes out of it into one message and one
// exit code.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <new>
#include <ostream>
#include <system_error>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/help.h"
#include "cli/output_stream.h"
#include "cli/version.h"

namespace ingot::cli {
namespace {

constexpr const char* kReport =
    "this is a bug of ingot: please report it with the command line and the model";

bool has(const std::vector<std::string>& words, std::string_view word) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::find(words.begin(), end, word) != end;
}

bool use_color(const std::string& choice, const Io& io) {
  if (choice != "auto") return choice == "always";
  const auto variable = [&](const char* name) {
    const char* value = io.environment ? io.environment(name) : nullptr;
    return std::string_view(value != nullptr ? value : "");
  };
  return io.err_is_terminal && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

void print_error(const Error& error, const Io& io, bool color, bool debug) {
  const std::string hint =
      error.code() == Code::kInternal && error.hint().empty() ? kReport : error.hint();
  if (io.json) {
    OrderedJson fields{{"code", code_name(error.code())},
                       {"message", error.message()},
                       {"context", error.context()},
                       {"hint", hint}};
    // Names from a model may hold bytes that are no UTF-8.
    io.err << OrderedJson{{"error", std::move(fields)}}.dump(-1, ' ', false,
                                                             OrderedJson::error_handler_t::replace)
           << std::endl;
    return;
  }
  io.err << (color ? "\033[31merror:\033[0m " : "error: ") << error.message() << '\n';
  for (const std::string& context : error.context()) io.err << "  " << context << '\n';
  if (!hint.empty()) io.err << "  hint: " << hint << '\n';
  if (debug)
    io.err << fmt::format("  at {}:{} ({})\n", error.where().file_name(), error.where().line(),
                          error.where().function_name());
  io.err << std::flush;
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
  } catch (...) {
    return Error(Code::kInternal, "unexpected failure of an unknown kind");
  }
}

const Command& find_command(const std::string& name, std::span<const Command> table) {
  std::vector<std::string> names;
  for (const Command& command : table) {
    if (name == command.name) return command;
    if (!command.is_hidden()) names.emplace_back(command.name);
  }
  throw Error(Code::kUsage, fmt::format("unknown command '{}'{}", name, did_you_mean(name, names)),
              "see 'ingot --help'");
}

int run_command(const Command& command, const std::vector<std::string>& arguments, Io& io,
                Shared& shared) {
  CLI::App app(command.summary, fmt::format("ingot {}", command.name));
  prepare(app);
  const Run run = command.declare(app);
  add_shared_options(app, command.uses, io, shared);
  finish_help(app);
  if (arguments.empty()) {
    const std::string help = app.help();
    const std::size_t usage = help.find("Usage:");
    io.err << fmt::format("{}\n{}\nSee 'ingot {} --help'.\n", command.summary,
                          help.substr(usage, help.find('\n', usage) - usage), command.name);
    return exit_code(Code::kUsage);
  }
  const std::string help = parse_arguments(app, arguments);
  if (!help.empty()) {
    io.out << help;
    return 0;
  }
  ConsoleReporter reporter(io.err, {io.err_is_terminal, use_color(shared.color, io), shared.quiet});
  io.reporter = &reporter;
  const int verdict = run(io);
  io.out.flush();
  reporter.summarize();
  return verdict == 0 && shared.warnings_as_errors && reporter.warning_count() > 0 ? 1 : verdict;
}

/// Options and nothing else: one that we do not know, or no arguments worth the name.
int no_command(const std::vector<std::string>& options, Io& io, std::span<const Command> table) {
  const std::vector<std::string> known{
      "--help", "--version", "--json", "--quiet", "--debug", "--color", "--warnings-as-errors"};
  for (const std::string& option : options) {
    if (option == "-q" || std::find(known.begin(), known.end(), option) != known.end()) continue;
    throw Error(Code::kUsage,
                fmt::format("unknown option '{}'{}", option, did_you_mean(option, known)),
                "see 'ingot --help'");
  }
  io.err << program_usage(table);
  return exit_code(Code::kUsage);
}

int dispatch(const std::vector<std::string>& words, Io& io, Shared& shared,
             std::span<const Command> table) {
  // `ingot --json inspect …` is `ingot inspect --json …`.
  const auto first = std::find_if(words.begin(), words.end(),
                                  [](const std::string& word) { return !word.starts_with('-'); });
  const std::vector<std::string> before(words.begin(), first);
  if (has(before, "--version")) {
    print_version(io);
    return 0;
  }
  if (first == words.end() || *first == "help") {
    if (first == words.end() && !has(before, "--help") && !has(before, "-h"))
      return no_command(before, io, table);
    if (first != words.end() && first + 1 != words.end())
      return run_command(find_command(*(first + 1), table), {"--help"}, io, shared);
    io.out << program_help(table);
    return 0;
  }
  const Command& command = find_command(*first, table);
  std::vector<std::string> arguments(before);
  arguments.insert(arguments.end(), first + 1, words.end());
  return run_command(command, arguments, io, shared);
}

}  // namespace

int run_cli(const std::vector<std::string>& arguments, Io& io, std::span<const Command> table) {
  io.runtime.clear();
  io.threads = 0;
  io.force = false;
  // Known before parsing, since a parse error obeys them too.
  io.json = has(arguments, "--json");
  Shared shared;
  shared.debug = has(arguments, "--debug");
  int code = 0;
  try {
    code = dispatch(arguments, io, shared, table);
    io.out.flush();
  } catch (const BrokenPipe&) {
    code = 0;
  } catch (...) {
    const Error error = current_error();
    print_error(error, io, use_color(shared.color, io), shared.debug);
    code = exit_code(error.code());
  }
  io.reporter = nullptr;
  return code;
}

}  // namespace ingot::cli
