// SPDX-License-Identifier: Apache-2.0
// `ingot build`: the stages from a project file to a bundle, with its limits as a gate.
#pragma once

#include <filesystem>
#include <string>

#include "base/files.h"
#include "base/reporter.h"
#include "pipeline/project.h"

namespace ingot::pipeline {

struct BuildOptions {
  std::filesystem::path runtime;     ///< the ONNX Runtime library that is measured and packed
  std::filesystem::path executable;  ///< the ingot binary, for the checks' children
  std::filesystem::path runner;      ///< the ingot-run binary, for measuring
  std::string ingot_version;
  int threads =
      0;  ///< of calibration and verification; 0 = all. Latency is always measured with one
  Overwrite overwrite = Overwrite::kNo;
  std::filesystem::path
      work;  ///< intermediate files stay in this folder, new or empty; empty = they are removed
  int bench_processes = 5, bench_runs = 30;
};

struct BuildResult {
  bool accepted = false;    ///< the gate holds and the bundle is there: exit code 0, else 1
  bool up_to_date = false;  ///< nothing was done: the bundle was made from the very same inputs
  std::string text, json;   ///< the report, rendered
};

/// convert, quantize, verify, bench, gate, pack, check. A stage that refuses ends the build:
/// nothing is packed, and the report says why. The bundle appears whole or not at all. An existing
/// one made from the same inputs is left alone and its report given again; any other is replaced
/// with Overwrite::kYes only. Throws kUsage for an existing output, kInput, kUnsupported,
/// kEnvironment, kEngine, kInterrupted.
BuildResult build(const Project& project, const BuildOptions& options, Reporter& reporter);

}  // namespace ingot::pipeline
