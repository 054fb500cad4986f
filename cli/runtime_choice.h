// SPDX-License-Identifier: Apache-2.0
// Which ONNX Runtime a command uses: --runtime, INGOT_RUNTIME, the one beside the binary, the
// system's.
#pragma once

#include <memory>

#include "cli/command.h"
#include "runtime/session.h"

namespace ingot::cli {

/// The path only. Throws kEnvironment listing the places looked at.
std::filesystem::path choose_runtime(const Io& io);
/// choose_runtime(), opened.
std::shared_ptr<const runtime::Library> open_runtime(const Io& io);

}  // namespace ingot::cli
