// SPDX-License-Identifier: Apache-2.0
// In child processes: the flag of a signal that has come cannot be taken back.
#include "base/interrupt.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>

#include "base/error.h"

namespace ingot {
namespace {

/// Exits with the code of what check_interrupt throws, 0 when it throws nothing.
[[noreturn]] void exit_with_check() {
  try {
    check_interrupt();
  } catch (const Error& error) {
    std::fputs(error.what(), stderr);
    std::exit(exit_code(error.code()));
  }
  std::exit(0);
}

TEST(InterruptDeathTest, NothingIsThrownBeforeASignal) { EXPECT_NO_THROW(check_interrupt()); }

TEST(InterruptDeathTest, SignalMakesTheNextCheckThrow) {
  for (const int signal : {SIGINT, SIGTERM}) {
    EXPECT_EXIT(
        {
          install_interrupt_handlers();
          raise(signal);
          exit_with_check();
        },
        testing::ExitedWithCode(130), "interrupted");
  }
}

TEST(InterruptDeathTest, SecondSignalEndsTheProcess) {
  EXPECT_EXIT(
      {
        install_interrupt_handlers();
        raise(SIGINT);
        raise(SIGINT);
        std::exit(0);
      },
      testing::ExitedWithCode(130), "");
}

TEST(InterruptDeathTest, BrokenPipeIsNoLongerDeadly) {
  EXPECT_EXIT(
      {
        install_interrupt_handlers();
        raise(SIGPIPE);
        raise(SIGXFSZ);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace ingot
