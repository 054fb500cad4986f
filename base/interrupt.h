// SPDX-License-Identifier: Apache-2.0
// SIGINT and SIGTERM set a flag; long loops ask for it, so that destructors remove what is
// half-written.
#pragma once

namespace ingot {

/// Installs the handlers (once, from main). A second signal ends the process at once.
void install_interrupt_handlers();
/// Throws Error(kInterrupted) when a signal has arrived.
void check_interrupt();

}  // namespace ingot
