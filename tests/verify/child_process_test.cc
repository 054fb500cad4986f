// SPDX-License-Identifier: Apache-2.0
#include "verify/child_process.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace ingot::verify {
namespace {

using test::expect_error;

ChildEnd shell(const std::string& script, const Deadlines& deadlines = {}) {
  return run_child("/bin/sh", {"-c", script}, deadlines);
}

TEST(ChildProcess, ReportsTheExitCode) {
  const ChildEnd end = shell("exit 3");
  EXPECT_EQ(end.how, ChildEnd::How::kExited);
  EXPECT_EQ(end.status, 3);
  EXPECT_EQ(describe(end), "exit code 3");
}

TEST(ChildProcess, ReportsTheSignal) {
  const ChildEnd end = shell("kill -KILL $$");
  EXPECT_EQ(end.how, ChildEnd::How::kKilledBySignal);
  EXPECT_EQ(describe(end), "signal 9 (Killed)");
}

TEST(ChildProcess, IsKilledAtItsDeadline) {
  EXPECT_EQ(shell("sleep 60", {0.1, 0.1, true}).how, ChildEnd::How::kTimedOut);
  // Also one that has closed its output.
  EXPECT_EQ(shell("exec >&-; sleep 60", {0.1, 0.1, true}).how, ChildEnd::How::kTimedOut);
}

TEST(ChildProcess, SignsOfLifeGiveTimeOnlyWhereRenewed) {
  const std::string chatty = "while :; do echo; sleep 0.02; done";
  EXPECT_EQ(shell(chatty, {0.2, 60, false}).how, ChildEnd::How::kTimedOut);
  EXPECT_EQ(shell("echo; sleep 0.3; echo; exit 0", {0.2, 60, true}).how, ChildEnd::How::kExited);
}

TEST(ChildProcess, MissingExecutableIsAnErrorOfTheEnvironment) {
  expect_error(Code::kEnvironment, "'/nowhere/ingot' cannot be started: No such file or directory",
               [] { run_child("/nowhere/ingot", {}, {}); });
}

}  // namespace
}  // namespace ingot::verify
