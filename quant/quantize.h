// SPDX-License-Identifier: Apache-2.0
// `ingot quantize`: one model in, a smaller one out that has been held against the original, or
// nothing and the reason.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/reporter.h"
#include "converters/budgets.h"
#include "metrics/limits.h"
#include "quant/calibration.h"
#include "quant/plain_plan.h"
#include "quant/plan.h"
#include "quant/search.h"
#include "verify/check.h"

namespace ingot::quant {

struct Options {
  std::filesystem::path input, output;
  std::string scheme = "int8";
  std::filesystem::path runtime;            ///< the ONNX Runtime library, as found
  std::filesystem::path executable;         ///< the ingot binary, for the check in the runtime
  std::vector<std::filesystem::path> data;  ///< as --data names it
  std::size_t max_samples = 0;              ///< 0 = all
  CalibrationMethod calibration = CalibrationMethod::kMse;
  std::vector<Keep> keep;
  std::vector<metrics::Limit> minimums;  ///< --min; empty = the default red line
  bool search = true;
  int evaluations = 30;
  bool accept_loss = false;  ///< write below the red line, too
  bool allow_constant_data = false;
  bool check = true;           ///< false: no comparison at the end, and that is said
  bool require_check = false;  ///< "not checked" is a refusal
  double check_seconds = 5;
  std::uint64_t check_max_bytes = std::uint64_t{512} << 20;
  int threads = 0;
  Overwrite overwrite = Overwrite::kNo;
  std::optional<std::uint64_t> external_bytes;  ///< as convert's --external-data
  converters::Budgets budgets;                  ///< against files that ask for too much
};

struct Report {
  std::string input, output, scheme, runtime_version;
  std::uint64_t bytes_before = 0, bytes_after = 0;  ///< files with their external data
  Plan plan;
  std::vector<Trial> trials;  ///< of the search; empty when there was none
  bool searched = false, reached_goal = false;
  std::optional<verify::CheckResult> check;  ///< the closing comparison; empty with --no-check
  std::vector<Judged> judged;                ///< its rows against the red line
  bool written = false;
  std::string verdict;  ///< one sentence

  /// Exit code 0 or 1.
  bool accepted() const { return written; }
  /// For people: sizes, forms and reasons in short, the comparison, the verdict.
  std::string text() const;
  /// {"schema":"ingot.quantize","schema_version":1, …} with every node and weight.
  std::string json() const;
};

/// Reads, cleans (converters::clean), calibrates, plans, emits, compares, searches where that is
/// bad, and writes `output` only when the red line holds (or accept_loss). Same input, same bytes
/// for any number of threads on one kind of CPU. Throws kUsage, kInput, kUnsupported, kEngine.
Report quantize(const Options& options, Reporter& reporter);

}  // namespace ingot::quant
