// SPDX-License-Identifier: Apache-2.0
// The original float model, the converted one and the quantized one on the evaluation samples:
// every metric, and the text read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/reporter.h"
#include "pipeline/reading.h"
#include "verify/comparison.h"

namespace ingot::pipeline {

struct EvaluationOptions {
  std::filesystem::path original, converted, quantized;
  std::filesystem::path runtime;
  std::filesystem::path data;
  int threads = 0;  ///< intra-op; 0 = all
};

struct Evaluation {
  std::size_t samples = 0;
  std::string data_sha256;
  std::vector<verify::OutputRow> converted,
      quantized;                  ///< each against the original; empty when `complaint` says why
  std::vector<Reading> readings;  ///< one per output declared ctc
  std::string complaint;          ///< why nothing can be compared; empty = it was
};

/// Every sample is read once and run in all three models. Throws kInput for bad samples, kEngine
/// when the runtime fails on a model, kUnsupported for outputs that are not tensors.
Evaluation evaluate(const EvaluationOptions& options, Reporter& reporter);

}  // namespace ingot::pipeline
