// SPDX-License-Identifier: Apache-2.0
#include "base/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include "base/error.h"

namespace ingot {
namespace {

volatile sig_atomic_t interrupted = 0;

extern "C" void on_signal(int) {
  if (interrupted != 0) _exit(exit_code(Code::kInterrupted));
  interrupted = 1;
}

}  // namespace

void install_interrupt_handlers() {
  struct sigaction action{};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  // No SA_RESTART: a blocking read or wait returns EINTR, so that the loop around it can ask.
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A write that fails must come back as an error code, not as the end of the process.
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
  sigaction(SIGXFSZ, &action, nullptr);
}

void check_interrupt() {
  if (interrupted != 0) throw Error(Code::kInterrupted, "interrupted");
}

}  // namespace ingot
