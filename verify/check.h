// SPDX-License-Identifier: Apache-2.0
// The check in the runtime: original and result are run in child processes with limits of time and
// memory, and compared. Whatever the runtime does there (crash, hang, eat memory) is an outcome
// with a reason, never ours.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "metrics/limits.h"
#include "runtime/session.h"
#include "verify/comparison.h"

namespace ingot::verify {

enum class CheckOutcome {
  kSame,        ///< compared, inside the limits
  kDiffers,     ///< compared, outside
  kNotChecked,  ///< nothing is known about the result: too large, or the original does not load,
                ///< run, end in time or repeat itself
  kBroken,      ///< the original runs, the result does not load, run or end in time
};

struct CheckOptions {
  std::filesystem::path executable;  ///< a program that passes `__check-child REQUEST` to
                                     ///< check_child: the ingot binary
  std::filesystem::path runtime;     ///< the ONNX Runtime library, as found
  std::vector<std::filesystem::path>
      data;                     ///< samples as --data names them; empty = generated inputs
  std::size_t max_samples = 0;  ///< only the first N; 0 = all
  int threads = 1;              ///< intra-op threads of the sessions; 0 = all
  double seconds = 5;  ///< for the original to load and run (with data: load and first sample, then
                       ///< each sample anew)
  std::uint64_t max_bytes = std::uint64_t{512} << 20;  ///< a larger original is not checked
  std::uint64_t model_bytes =
      0;  ///< bytes of the original with its weights; 0 = the size of the file named
  std::vector<metrics::Limit> limits;  ///< empty = default_tolerance()
  std::uint64_t seed = 1;              ///< of generated inputs
  /// How far the runtime optimises both. A model in the ORT format keeps what it was written with:
  /// the original must run alike, or a quantised model's roundings differ.
  runtime::Optimization optimization = runtime::Optimization::kAll;
};

struct CheckResult {
  CheckOutcome outcome = CheckOutcome::kNotChecked;
  std::string reason;  ///< kNotChecked and kBroken: one clause, lower case; names nodes and outputs
                       ///< in quotes
  std::vector<std::string> violations;  ///< kDiffers: why, one sentence each
  std::vector<OutputRow> rows;          ///< kSame and kDiffers
  std::vector<std::string> notes;       ///< e.g. outputs that are not tensors and were left out
  bool generated = false;               ///< the inputs were generated
  std::size_t samples = 0;              ///< how many were run
  double original_seconds = 0, result_seconds = 0;  ///< wall clock of each child, load included
};

/// Compares `result` with `original` on the same samples. Throws kInput for bad samples,
/// kInterrupted, kEnvironment when no child can be started; everything else is an outcome. The
/// numbers depend on the samples and the runtime only, not on the limits of time (unless those
/// cut).
CheckResult check_in_runtime(const std::filesystem::path& original,
                             const std::filesystem::path& result, const CheckOptions& options);

/// "same", "differs", "not checked", "broken".
std::string_view outcome_name(CheckOutcome outcome);

/// The child's side: does what the request file says and writes its answer file; a sign of life per
/// sample goes to `progress`. Returns the exit code of the process.
int check_child(const std::filesystem::path& request, std::ostream& progress);

}  // namespace ingot::verify
