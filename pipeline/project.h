// SPDX-License-Identifier: Apache-2.0
// The project file of `ingot build` (docs/formats/project.md): what is built from what, and the
// limits it has to hold.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "metrics/limits.h"
#include "quant/calibration.h"
#include "quant/plain_plan.h"

namespace ingot::pipeline {

/// A file that goes into the bundle as it is.
struct ExtraFile {
  std::filesystem::path source;
  std::string name;  ///< its path in the bundle
};

/// ingot.toml as a plain struct; paths are resolved against the file's folder.
struct Project {
  std::filesystem::path file;
  // [model]
  std::filesystem::path source;
  std::string name, version;
  std::string license;  ///< SPDX expression; empty = not given
  // [data]
  std::filesystem::path calibration, evaluation;
  // [quantize]
  std::string scheme = "int8";
  std::vector<quant::Keep> keep;
  std::vector<metrics::Limit> minimums;  ///< of the red line; empty = quantize's default
  bool search = true;
  int evaluations = 30;
  std::size_t samples = 0;  ///< calibration samples, the first N; 0 = all
  quant::CalibrationMethod ranges = quant::CalibrationMethod::kMse;
  // [limits]
  std::vector<metrics::Limit> limits;  ///< in the order of the table of metrics
  // [bundle]
  std::filesystem::path output;
  std::filesystem::path runtime;  ///< the ONNX Runtime library; empty = the one ingot uses
  std::vector<ExtraFile> files;
};

/// Reads and validates all of it, before anything runs: unknown keys (with the nearest known one),
/// types, ranges, metrics, the scheme, patterns' syntax, and that every file it names is there.
/// Throws kInput naming file, line, key, the value seen and the value wanted.
Project read_project(const std::filesystem::path& file);

}  // namespace ingot::pipeline
