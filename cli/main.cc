// SPDX-License-Identifier: Apache-2.0
// The process: signals, streams, environment; everything else is run_cli.
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "base/interrupt.h"
#include "base/mapped_guard.h"
#include "cli/command.h"
#include "cli/output_stream.h"

int main(int argc, char** argv) {
  ingot::install_interrupt_handlers();
  ingot::install_mapped_guard();
  // ONNX Runtime 1.32 and later would write to the home folder and report to its makers. Whoever
  // wants that sets it to 0.
  ::setenv("ORT_DISABLE_TELEMETRY", "1", 0);
  ingot::cli::OutputStream out(STDOUT_FILENO, "standard output");
  std::error_code ignored;
  ingot::cli::Io io{
      .out = out,
      .err = std::cerr,
      .err_is_terminal = isatty(STDERR_FILENO) == 1,
      .environment = [](const char* name) -> const char* { return std::getenv(name); },
      .executable = std::filesystem::read_symlink("/proc/self/exe", ignored)};
  return ingot::cli::run_cli({argv + (argc > 0 ? 1 : 0), argv + argc}, io);
}
