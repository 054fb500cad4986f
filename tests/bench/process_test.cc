// SPDX-License-Identifier: Apache-2.0
#include "bench/process.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace ingot::bench {
namespace {

TEST(Process, GivesOutputErrorsAndExitCode) {
  const ProcessEnd end = run_process("/bin/sh", {"-c", "echo out; echo err >&2; exit 3"});
  EXPECT_EQ(end.output, "out\n");
  EXPECT_EQ(end.errors, "err\n");
  EXPECT_EQ(end.exit_status, 3);
}

TEST(Process, KeepsAllOfALongOutputAndTheBeginningOfLongErrors) {
  const ProcessEnd end =
      run_process("/bin/sh", {"-c", "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2"});
  EXPECT_EQ(end.output.size(), 300000U);
  EXPECT_EQ(end.errors.size(), 65536U);
  EXPECT_EQ(end.exit_status, 0);
}

TEST(Process, KilledBySignalIs128AndItsNumber) {
  EXPECT_EQ(run_process("/bin/sh", {"-c", "kill -9 $$"}).exit_status, 137);
}

TEST(Process, ReadsNothingFromStandardInput) { EXPECT_EQ(run_process("/bin/cat", {}).output, ""); }

TEST(Process, ThatIsNotThereIsAnEnvironmentError) {
  test::expect_error(Code::kEnvironment,
                     "'/nowhere/ingot-run' cannot be started: No such file or directory",
                     [] { run_process("/nowhere/ingot-run", {}); });
}

}  // namespace
}  // namespace ingot::bench
