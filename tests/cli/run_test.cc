// SPDX-License-Identifier: Apache-2.0
// Every row of the table of exit codes, with commands that fail on purpose.
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <array>
#include <new>
#include <stdexcept>
#include <system_error>

#include "base/error.h"
#include "cli/output_stream.h"
#include "tests/cli/session.h"

namespace ingot::cli {
namespace {

using test::Result;
using test::run;

/// `test do WHAT`: ends in the way WHAT names.
int do_what(const std::string& what, Io& io) {
  if (what == "no") return 1;
  if (what == "usage") throw Error(Code::kUsage, "'a' and 'b' contradict each other");
  if (what == "input") {
    Error error(Code::kInput, "tensor 'w' has 3 bytes; wanted 4", "export it again");
    error.add_context("while reading 'm.onnx'");
    throw error;
  }
  if (what == "unsupported") throw Error(Code::kUnsupported, "operator 'Foo' is not known");
  if (what == "environment") throw Error(Code::kEnvironment, "'o': no space left on device");
  if (what == "engine") throw Error(Code::kEngine, "the runtime failed");
  if (what == "interrupted") throw Error(Code::kInterrupted, "interrupted");
  if (what == "bug") throw Error(Code::kInternal, "check failed");
  if (what == "memory") throw std::bad_alloc();
  if (what == "system") throw std::system_error(ENOSPC, std::generic_category(), "writing");
  if (what == "surprise") throw std::out_of_range("vector");
  if (what == "odd") throw 7;
  if (what == "pipe") throw BrokenPipe{};
  if (what == "warn") io.reporter->warn("few samples");
  io.out << "done\n";
  return 0;
}

Run declare_do(CLI::App& app) {
  const auto what = std::make_shared<std::string>();
  app.add_option("WHAT", *what, "how to end")->type_name("")->required();
  app.footer("Examples:\n  ingot do no");
  return [what](Io& io) { return do_what(*what, io); };
}

Run declare_show(CLI::App& app) {
  app.add_flag("--verbose");
  return [](Io& io) {
    io.out << io.runtime.string() << ' ' << io.threads << ' ' << io.force << ' ' << io.json << '\n';
    return 0;
  };
}

Run declare_hidden(CLI::App&) {
  return [](Io&) { return 0; };
}

const std::array kTable{Command{"do", "ends as told", "Make", declare_do, kUsesNone},
                        Command{"show", "the shared options", "Look", declare_show},
                        Command{"hidden", "for ourselves", "", declare_hidden, kUsesNone}};

Result run_do(const std::string& what) { return run({"do", what}, kTable); }

TEST(ExitCode, IsZeroForYesAndOneForNo) {
  EXPECT_EQ(run_do("yes").code, 0);
  EXPECT_EQ(run_do("yes").out, "done\n");
  EXPECT_EQ(run_do("yes").err, "");
  EXPECT_EQ(run_do("no").code, 1);
}

TEST(ExitCode, FollowsTheErrorsCode) {
  const std::array<std::pair<const char*, int>, 7> rows{{{"usage", 2},
                                                         {"input", 3},
                                                         {"unsupported", 4},
                                                         {"environment", 5},
                                                         {"engine", 6},
                                                         {"bug", 70},
                                                         {"interrupted", 130}}};
  for (const auto& [what, code] : rows) {
    EXPECT_EQ(run_do(what).code, code) << what;
    EXPECT_EQ(run_do(what).out, "") << what;
  }
}

TEST(ExitCode, IsZeroWhenTheReaderWentAway) {
  EXPECT_EQ(run_do("pipe").code, 0);
  EXPECT_EQ(run_do("pipe").err, "");
}

TEST(ErrorMessage, HasContextAndHintOnTheirOwnLines) {
  EXPECT_EQ(run_do("input").err,
            "error: tensor 'w' has 3 bytes; wanted 4\n"
            "  while reading 'm.onnx'\n"
            "  hint: export it again\n");
  EXPECT_EQ(run_do("engine").err, "error: the runtime failed\n");
}

TEST(ErrorMessage, OfOurOwnBugAsksForAReport) {
  const std::string report =
      "  hint: this is a bug of ingot: please report it with the command line and the model\n";
  EXPECT_EQ(run_do("bug").err, "error: check failed\n" + report);
  EXPECT_EQ(run_do("surprise").err, "error: unexpected failure: vector\n" + report);
  EXPECT_EQ(run_do("surprise").code, 70);
  EXPECT_EQ(run_do("odd").err, "error: unexpected failure of an unknown kind\n" + report);
  EXPECT_EQ(run_do("odd").code, 70);
}

TEST(ErrorMessage, OfTheSystemIsTheEnvironments) {
  EXPECT_EQ(run_do("memory").err, "error: out of memory\n");
  EXPECT_EQ(run_do("memory").code, 5);
  EXPECT_EQ(run_do("system").err, "error: writing: No space left on device\n");
  EXPECT_EQ(run_do("system").code, 5);
}

TEST(ErrorMessage, IsOneDocumentUnderJson) {
  const Result result = run({"do", "input", "--json"}, kTable);
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            "{\"error\":{\"code\":\"input\",\"message\":\"tensor 'w' has 3 bytes; wanted 4\","
            "\"context\":[\"while reading 'm.onnx'\"],\"hint\":\"export it again\"}}\n");
}

TEST(ErrorMessage, IsJsonForAUsageErrorToo) {
  EXPECT_EQ(run({"--json", "dow"}, kTable).err,
            "{\"error\":{\"code\":\"usage\",\"message\":\"unknown command 'dow'; did you mean "
            "'do' or 'show'?\",\"context\":[],\"hint\":\"see 'ingot --help'\"}}\n");
}

TEST(ErrorMessage, SaysUnderDebugWhereItWasThrown) {
  const std::string text = run({"do", "engine", "--debug"}, kTable).err;
  EXPECT_NE(text.find("\n  at "), std::string::npos) << text;
  EXPECT_NE(text.find("run_test.cc:"), std::string::npos) << text;
}

TEST(ErrorMessage, IsColoredWhenAskedFor) {
  EXPECT_EQ(run({"do", "engine", "--color", "always"}, kTable).err,
            "\033[31merror:\033[0m the runtime failed\n");
  EXPECT_EQ(run({"do", "engine", "--color", "never"}, kTable).err, "error: the runtime failed\n");
}

TEST(Color, FollowsTerminalAndEnvironment) {
  struct Row {
    bool terminal;
    const char *no_color, *term;
    bool colored;
  };
  const Row rows[] = {{true, nullptr, "xterm", true},
                      {false, nullptr, "xterm", false},
                      {true, "1", "xterm", false},
                      {true, "", "xterm", true},
                      {true, nullptr, "dumb", false}};
  for (const Row& row : rows) {
    std::ostringstream out, err;
    Io io{.out = out,
          .err = err,
          .err_is_terminal = row.terminal,
          .environment = [&](const char* name) -> const char* {
            return std::string_view(name) == "NO_COLOR" ? row.no_color
                   : std::string_view(name) == "TERM"   ? row.term
                                                        : nullptr;
          }};
    run_cli({"do", "engine"}, io, kTable);
    EXPECT_EQ(err.str().find('\033') != std::string::npos, row.colored);
  }
}

TEST(Warnings, AreAnErrorWhenAskedFor) {
  const Result plain = run_do("warn");
  EXPECT_EQ(plain.code, 0);
  EXPECT_EQ(plain.err, "warning: few samples\n");
  const Result strict = run({"do", "warn", "--warnings-as-errors"}, kTable);
  EXPECT_EQ(strict.code, 1);
  EXPECT_EQ(strict.out, "done\n");
  EXPECT_EQ(run({"do", "yes", "--warnings-as-errors"}, kTable).code, 0);
}

TEST(NoArguments, ShowTheShortHelpAndFail) {
  const Result program = run({}, kTable);
  EXPECT_EQ(program.code, 2);
  EXPECT_EQ(program.out, "");
  EXPECT_EQ(program.err,
            "Usage: ingot COMMAND [OPTIONS]\nCommands: do show\nSee 'ingot --help'.\n");
  const Result command = run({"do"}, kTable);
  EXPECT_EQ(command.code, 2);
  EXPECT_EQ(command.out, "");
  EXPECT_EQ(command.err, "ends as told\nUsage: ingot do [OPTIONS] WHAT\nSee 'ingot do --help'.\n");
  EXPECT_EQ(run({"-q"}, kTable).code, 2);
}

TEST(Help, OfTheProgramGoesToStandardOutput) {
  for (const char* word : {"--help", "-h", "help"}) {
    const Result result = run({word}, kTable);
    EXPECT_EQ(result.code, 0) << word;
    EXPECT_EQ(result.err, "") << word;
    EXPECT_NE(result.out.find("\nMake:\n  do         ends as told\n\nLook:\n"), std::string::npos)
        << result.out;
    EXPECT_NE(result.out.find("\nExamples:\n"), std::string::npos);
    EXPECT_NE(result.out.find("\nExit codes:\n"), std::string::npos);
    EXPECT_EQ(result.out.find("hidden"), std::string::npos);
  }
}

TEST(Help, OfACommandIsTheSameByEveryWay) {
  const Result result = run({"do", "--help"}, kTable);
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("Usage: ingot do [OPTIONS] WHAT\n"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("\nExamples:\n  ingot do no\n\nExit codes:\n"), std::string::npos)
      << result.out;
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"help", "do"}, {"--help", "do"}, {"do", "-h"}, {"do", "input", "--help"}}) {
    EXPECT_EQ(run(words, kTable).out, result.out) << words[0];
  }
}

TEST(Version, IsOneLine) {
  const Result result = run({"--version"}, kTable);
  EXPECT_EQ(result.code, 0);
  EXPECT_TRUE(result.out.starts_with("ingot 0.")) << result.out;
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1);
}

TEST(SharedOptions, ReachTheCommandAndAreForgottenAfterIt) {
  std::ostringstream out, err;
  Io io{.out = out, .err = err};
  EXPECT_EQ(
      run_cli({"show", "--runtime", "a.so", "--threads", "3", "--force", "--json"}, io, kTable), 0);
  EXPECT_EQ(run_cli({"show", "--verbose"}, io, kTable), 0);
  EXPECT_EQ(out.str(), "a.so 3 1 1\n 0 0 0\n");
  EXPECT_EQ(io.reporter, nullptr);
}

TEST(SharedOptions, AreRefusedByACommandWithoutAUseForThem) {
  EXPECT_EQ(run({"do", "yes", "--threads", "3"}, kTable).code, 2);
  EXPECT_EQ(run({"do", "yes", "--threads", "3"}, kTable).err,
            "error: unknown option '--threads'\n  hint: see 'ingot do --help'\n");
}

}  // namespace
}  // namespace ingot::cli
