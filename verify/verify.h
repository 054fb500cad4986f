// SPDX-License-Identifier: Apache-2.0
// `ingot verify`: two models run on the same samples, every output compared, one verdict.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/reporter.h"
#include "metrics/limits.h"
#include "verify/comparison.h"

namespace ingot::verify {

struct Options {
  std::filesystem::path reference, candidate;
  std::filesystem::path runtime;            ///< the ONNX Runtime library both run in
  std::vector<std::filesystem::path> data;  ///< as --data names it
  std::size_t max_samples = 0;              ///< 0 = all
  std::vector<metrics::Limit> limits;       ///< empty = default_tolerance()
  int threads = 0;                          ///< intra-op threads; 0 = all
  Reporter* reporter = nullptr;             ///< progress and warnings; may be null
};

/// Rows and verdict. `violations` name outputs, inputs or nodes in quotes.
struct Report {
  std::string reference, candidate;  ///< as given
  std::string runtime_version;
  std::size_t samples = 0;
  std::string data_digest;
  std::vector<metrics::Limit> limits;   ///< those applied
  std::vector<OutputRow> rows;          ///< reference outputs that the candidate has too
  std::vector<std::string> violations;  ///< empty = inside
  std::vector<std::string>
      warnings;  ///< told, not judged: another order of outputs, outputs only the candidate has
  bool compared = false;  ///< false: "cannot compare" (random operators, inputs that do not fit)

  bool within() const { return compared && violations.empty(); }
  /// {"schema":"ingot.verify","schema_version":1, …}; numbers that JSON lacks are the strings
  /// "nan", "inf", "-inf".
  std::string json() const;
};

/// Throws kInput for models and samples that cannot be read, kUsage for a limit on a metric no
/// output has, kUnsupported for outputs that are not tensors, kEngine when the runtime fails on
/// either model.
Report verify(const Options& options);

}  // namespace ingot::verify
