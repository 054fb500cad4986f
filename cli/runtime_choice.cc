// SPDX-License-Identifier: Apache-2.0
#include "cli/runtime_choice.h"

namespace ingot::cli {

std::filesystem::path choose_runtime(const Io& io) {
  const char* variable = io.environment ? io.environment("INGOT_RUNTIME") : nullptr;
  return runtime::find_library(io.runtime, variable, io.executable.parent_path());
}

std::shared_ptr<const runtime::Library> open_runtime(const Io& io) {
  return runtime::Library::open(choose_runtime(io));
}

}  // namespace ingot::cli
