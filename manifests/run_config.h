// SPDX-License-Identifier: Apache-2.0
// config/run.json of a bundle, schema "ingot.run/1": how the device runs the model.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ingot::manifests {

struct RunConfig {
  int intra_op_threads =
      0;  ///< 0 = all processors the process may use; more than there are is clamped on the device
  bool spinning = false;  ///< threads wait busily: lower latency on an idle machine, heat and theft
                          ///< of time otherwise
  bool prepack = true;    ///< false: less memory, slower
  std::string graph_opt = "all";  ///< "none", "basic", "extended" or "all"
  std::uint64_t hard_bytes = 0;   ///< cap on the process's data (RLIMIT_DATA); 0 = none
};

/// Canonical JSON of `config`. Throws kInput when a value is out of range.
std::string write_run_config(const RunConfig& config);
/// Throws kInput naming `source`, key, value seen and value wanted; unknown keys are errors.
RunConfig parse_run_config(std::string_view text, std::string_view source);

}  // namespace ingot::manifests
