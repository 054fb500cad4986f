// SPDX-License-Identifier: Apache-2.0
// Usage errors: the cause first, the nearest name, the help to look at; exit code 2.
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <array>

#include "tests/cli/session.h"

namespace ingot::cli {
namespace {

Run declare_make(CLI::App& app) {
  struct Options {
    std::string model, output, scheme;
    std::vector<std::string> data;
    int samples = 0;
  };
  const auto options = std::make_shared<Options>();
  app.add_option("MODEL", options->model, "a model")->required();
  app.add_option("-o,--output", options->output, "where to")->required();
  app.add_option("--scheme", options->scheme, "how");
  app.add_option("--data", options->data, "samples");
  app.add_option("--samples", options->samples, "how many");
  return [options](Io& io) {
    io.out << options->model << ' ' << options->output << ' ' << options->data.size() << '\n';
    return 0;
  };
}

Run declare_box(CLI::App& app) {
  app.require_subcommand(1);
  const auto folder = std::make_shared<std::string>();
  for (const char* name : {"pack", "verify"}) {
    CLI::App* subcommand = app.add_subcommand(name, "one of two");
    subcommand->add_option("DIR", *folder, "a folder")->required();
    subcommand->footer(std::string("Examples:\n  ingot box ") + name + " d");
  }
  return [folder, &app](Io& io) {
    io.out << app.get_subcommands().front()->get_name() << ' ' << *folder << ' ' << io.json << '\n';
    return 0;
  };
}

const std::array kTable{Command{"make", "makes", "Make", declare_make},
                        Command{"box", "a command of commands", "Ship", declare_box}};

/// The message of a usage error, without "error: " and the hint.
std::string usage(const std::vector<std::string>& words, const std::string& help) {
  const test::Result result = test::run(words, kTable);
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_EQ(result.out, "");
  const std::string hint = "\n  hint: see '" + help + "'\n";
  EXPECT_TRUE(result.err.starts_with("error: ")) << result.err;
  EXPECT_TRUE(result.err.ends_with(hint)) << result.err;
  if (result.err.size() < 7 + hint.size()) return result.err;
  return result.err.substr(7, result.err.size() - 7 - hint.size());
}

std::string make(std::vector<std::string> words) {
  words.insert(words.begin(), "make");
  return usage(words, "ingot make --help");
}

TEST(Usage, NamesTheNearestCommand) {
  EXPECT_EQ(usage({"mkae"}, "ingot --help"), "unknown command 'mkae'; did you mean 'make'?");
  EXPECT_EQ(usage({"zzzzzz"}, "ingot --help"), "unknown command 'zzzzzz'");
  EXPECT_EQ(usage({"--vresion"}, "ingot --help"),
            "unknown option '--vresion'; did you mean '--version'?");
}

TEST(Usage, NamesTheNearestOptionEvenWhenTheRealOneIsNowMissing) {
  EXPECT_EQ(make({"m", "--outptu", "o"}), "unknown option '--outptu'; did you mean '--output'?");
  EXPECT_EQ(make({"m", "-o", "o", "--shceme=int8"}),
            "unknown option '--shceme'; did you mean '--scheme'?");
  EXPECT_EQ(make({"m", "-o", "o", "--treads", "2"}),
            "unknown option '--treads'; did you mean '--threads'?");
  EXPECT_EQ(make({"m", "-o", "o", "-x"}), "unknown option '-x'");
}

TEST(Usage, NamesWhatIsMissing) {
  EXPECT_EQ(make({"-o", "o"}), "missing MODEL");
  EXPECT_EQ(make({"m"}), "missing --output");
}

TEST(Usage, NamesWhatIsTooMuch) {
  EXPECT_EQ(make({"m", "-o", "o", "n"}), "unexpected argument 'n'");
  EXPECT_EQ(make({"m", "-o", "o", "--", "-n"}), "unexpected argument '-n'");
}

TEST(Usage, NamesAValueThatDoesNotFit) {
  EXPECT_EQ(make({"m", "-o", "o", "--samples", "many"}), "'many' is not a value for --samples");
  EXPECT_EQ(make({"m", "-o", "o", "--threads", "-1"}),
            "--threads: '-1' is not a number of threads from 0 to 1024");
  EXPECT_EQ(make({"m", "-o", "o", "--color", "red"}),
            "--color: 'red' is not auto, always or never");
}

TEST(Usage, RefusesEmptyValues) {
  EXPECT_EQ(make({"", "-o", "o"}), "MODEL is empty");
  EXPECT_EQ(make({"m", "-o", ""}), "--output is empty");
  EXPECT_EQ(make({"m", "-o", "o", "--runtime", ""}), "--runtime is empty");
  EXPECT_EQ(usage({"box", "pack", ""}, "ingot box pack --help"), "DIR is empty");
}

TEST(Usage, NamesCountsAndTimesThatAreNone) {
  const auto first_line = [](const std::vector<std::string>& words) {
    const test::Result result = test::run(words);
    EXPECT_EQ(result.code, 2);
    return result.err.substr(0, result.err.find('\n'));
  };
  const std::vector<std::string> convert{"convert", "m", "-o", "o", "--check-seconds"};
  for (const std::string text : {"nan", "inf", "0", "-1", "1e999", "5s"}) {
    auto words = convert;
    words.push_back(text);
    EXPECT_EQ(first_line(words),
              "error: --check-seconds: '" + text + "' is not a number of seconds above 0");
  }
  EXPECT_EQ(first_line({"quantize", "m", "-o", "o", "--samples", "-1"}),
            "error: --samples: '-1' is not a number of samples from 0 to 1000000000");
  EXPECT_EQ(first_line({"verify", "m", "n", "--data", "d", "--samples", "99999999999999999999"}),
            "error: --samples: '99999999999999999999' is not a number of samples from 0 to "
            "1000000000");
  EXPECT_EQ(first_line({"quantize", "m", "-o", "o", "--evaluations", "0"}),
            "error: --evaluations: '0' is not a number of evaluations from 1 to 1000000000");
  EXPECT_EQ(first_line({"inspect", "m", "--largest", "-1"}),
            "error: --largest: '-1' is not a number of tensors from 0 to 1000000000");
}

TEST(Usage, RefusesOneFileForTwoOutputs) {
  const auto message = [](const std::string& report) {
    const test::Result result =
        test::run({"quantize", "m", "-o", "./o", "--data", "d", "--report", report});
    EXPECT_EQ(result.code, 2);
    return result.err;
  };
  EXPECT_EQ(message("o"), "error: 'o' is named for two outputs\n");
  EXPECT_EQ(message("o.data"), "error: 'o.data' is named for two outputs\n");
}

TEST(Usage, NamesAnOptionWithoutItsValue) {
  EXPECT_EQ(make({"m", "-o"}), "--output: 1 required TEXT missing");
}

TEST(Arguments, TakeSharedOptionsBeforeTheCommandToo) {
  const test::Result result =
      test::run({"--json", "make", "m", "-o", "o", "--data", "a", "b"}, kTable);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, "m o 2\n");
}

TEST(Arguments, AfterTwoDashesAreNeverOptions) {
  EXPECT_EQ(test::run({"make", "-o", "o", "--", "-m"}, kTable).out, "-m o 0\n");
  EXPECT_EQ(test::run({"make", "m", "-o", "o", "--"}, kTable).out, "m o 0\n");
}

TEST(Subcommand, TakesSharedOptionsAfterIt) {
  const test::Result result = test::run({"box", "pack", "d", "--json"}, kTable);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, "pack d 1\n");
}

TEST(Subcommand, NamesTheNearestAndWhatIsMissing) {
  EXPECT_EQ(usage({"box", "pakc", "d"}, "ingot box --help"),
            "unknown command 'pakc'; did you mean 'pack'?");
  EXPECT_EQ(usage({"box", "-q"}, "ingot box --help"), "missing a command: one of pack, verify");
  EXPECT_EQ(usage({"box", "pack", "-q"}, "ingot box pack --help"), "missing DIR");
  EXPECT_EQ(usage({"box", "pack", "d", "--froce"}, "ingot box pack --help"),
            "unknown option '--froce'; did you mean '--force'?");
  EXPECT_EQ(usage({"box", "pack", "d", "e"}, "ingot box pack --help"), "unexpected argument 'e'");
}

TEST(Subcommand, LendsItsExamplesToItsCommand) {
  const test::Result result = test::run({"box", "--help"}, kTable);
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(
      result.out.find("\nExamples:\n  ingot box pack d\n  ingot box verify d\n\nExit codes:\n"),
      std::string::npos)
      << result.out;
}

TEST(Subcommand, HasItsOwnHelp) {
  const test::Result result = test::run({"box", "pack", "--help"}, kTable);
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("Usage: ingot box pack [OPTIONS] DIR\n"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("\nExamples:\n  ingot box pack d\n\nExit codes:\n"), std::string::npos)
      << result.out;
}

}  // namespace
}  // namespace ingot::cli
