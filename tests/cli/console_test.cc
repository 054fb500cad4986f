// SPDX-License-Identifier: Apache-2.0
#include "cli/console.h"

#include <gtest/gtest.h>

#include <sstream>

namespace ingot::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// A reporter whose clock stands still until told otherwise.
struct Console {
  explicit Console(ConsoleOptions options) : reporter(err, with_clock(std::move(options))) {}
  ConsoleOptions with_clock(ConsoleOptions options) {
    options.clock = [this] { return now; };
    return options;
  }
  /// What was written since the last call.
  std::string text() {
    std::string written = err.str();
    err.str("");
    return written;
  }

  steady_clock::time_point now{std::chrono::hours(1)};
  std::ostringstream err;
  ConsoleReporter reporter;
};

TEST(ConsoleReporter, WritesInfosAndWarningsAsLines) {
  Console console({});
  console.reporter.info("read 'm.onnx'");
  console.reporter.warn("few samples");
  EXPECT_EQ(console.text(), "read 'm.onnx'\nwarning: few samples\n");
}

TEST(ConsoleReporter, QuietKeepsWarningsOnly) {
  Console console({.quiet = true});
  console.reporter.info("read 'm.onnx'");
  console.reporter.progress("calibrating", 0, 10);
  console.now += std::chrono::minutes(1);
  console.reporter.progress("calibrating", 5, 10);
  console.reporter.warn("few samples");
  EXPECT_EQ(console.text(), "warning: few samples\n");
}

TEST(ConsoleReporter, ShowsAWarningOnceAndCountsIt) {
  Console console({});
  console.reporter.warn("a");
  console.reporter.warn("b");
  console.reporter.warn("a");
  EXPECT_EQ(console.text(), "warning: a\nwarning: b\n");
  EXPECT_EQ(console.reporter.warning_count(), 2u);
  console.reporter.summarize();
  EXPECT_EQ(console.text(), "3 warnings:\n  a (2 times)\n  b\n");
}

TEST(ConsoleReporter, DoesNotRepeatTheOnlyWarningRightBelowItself) {
  Console console({});
  console.reporter.summarize();
  console.reporter.warn("a");
  console.reporter.summarize();
  EXPECT_EQ(console.text(), "warning: a\n");
  console.reporter.info("wrote 'out.onnx'");
  console.reporter.summarize();
  EXPECT_EQ(console.text(), "wrote 'out.onnx'\n1 warning:\n  a\n");
}

TEST(ConsoleReporter, ColorsTheWordWarningOnly) {
  Console console({.color = true});
  console.reporter.warn("a");
  EXPECT_EQ(console.text(), "\033[33mwarning:\033[0m a\n");
}

TEST(ConsoleReporter, RedrawsOneLineOnATerminalAtMostTenTimesASecond) {
  Console console({.terminal = true});
  console.reporter.progress("calibrating", 0, 10);
  EXPECT_EQ(console.text(), "\r\033[Kcalibrating 0/10");
  console.now += milliseconds(99);
  console.reporter.progress("calibrating", 1, 10);
  EXPECT_EQ(console.text(), "");
  console.now += milliseconds(1);
  console.reporter.progress("calibrating", 2, 10);
  EXPECT_EQ(console.text(), "\r\033[Kcalibrating 2/10");
  console.reporter.progress("calibrating", 10, 10);
  EXPECT_EQ(console.text(), "\r\033[K") << "a finished job leaves no line";
}

TEST(ConsoleReporter, ClearsTheProgressLineBeforeAMessage) {
  Console console({.terminal = true});
  console.reporter.progress("calibrating", 0, 10);
  console.text();
  console.reporter.info("hello");
  EXPECT_EQ(console.text(), "\r\033[Khello\n");
  console.reporter.info("again");
  EXPECT_EQ(console.text(), "again\n");
}

TEST(ConsoleReporter, ClearsTheProgressLineWhenItEnds) {
  std::ostringstream err;
  {
    ConsoleReporter reporter(err, {.terminal = true});
    reporter.progress("calibrating", 0, 10);
  }
  EXPECT_EQ(err.str(), "\r\033[Kcalibrating 0/10\r\033[K");
}

TEST(ConsoleReporter, WritesALineEveryTenSecondsWithoutATerminal) {
  Console console({});
  console.reporter.progress("calibrating", 0, 100);
  console.now += milliseconds(9999);
  console.reporter.progress("calibrating", 1, 100);
  EXPECT_EQ(console.text(), "") << "a short job says nothing";
  console.now += milliseconds(1);
  console.reporter.progress("calibrating", 2, 100);
  EXPECT_EQ(console.text(), "calibrating: 2 of 100\n");
  console.now += milliseconds(9999);
  console.reporter.progress("calibrating", 3, 100);
  EXPECT_EQ(console.text(), "");
  console.reporter.progress("comparing", 0, 5);
  console.now += milliseconds(9999);
  console.reporter.progress("comparing", 1, 5);
  EXPECT_EQ(console.text(), "") << "the next job has its own ten seconds";
}

}  // namespace
}  // namespace ingot::cli
