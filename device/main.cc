// SPDX-License-Identifier: Apache-2.0
// ingot-run: the device side. The result is collected and written at the end, so that a closed or
// full stdout is noticed.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sstream>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/mapped_guard.h"
#include "device/commands.h"

namespace {

/// 0, or the reason why not all of `text` was written.
int write_out(const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t put = write(STDOUT_FILENO, text.data() + done, text.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    done += static_cast<std::size_t>(put);
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  ingot::install_interrupt_handlers();
  ingot::install_mapped_guard();
  std::signal(SIGPIPE, SIG_IGN);
  // ONNX Runtime 1.32 and later would write to the home folder and report to its makers. Whoever
  // wants that sets it to 0.
  ::setenv("ORT_DISABLE_TELEMETRY", "1", 0);
  std::ostringstream out;
  ingot::device::Io io{out, std::cerr};
  const int code = ingot::device::run_device({words + 1, words + count}, io);
  const int reason = write_out(out.str());
  if (reason == 0 || reason == EPIPE) return code;  // whoever reads may stop when they have enough
  std::cerr << "error: cannot write to standard output: " << std::strerror(reason) << std::endl;
  return code == 0 ? ingot::exit_code(ingot::Code::kEnvironment) : code;
}
