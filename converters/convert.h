// SPDX-License-Identifier: Apache-2.0
// `ingot convert`: an export read, validated, cleaned, held against the original in the runtime,
// and written; or nothing and the reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/reporter.h"
#include "converters/budgets.h"
#include "converters/fix_dimensions.h"
#include "converters/opset/change_opset.h"
#include "converters/pipeline.h"
#include "verify/check.h"

namespace ingot::converters {

/// What is written. The ORT format is the runtime's own, optimised and loaded without the ONNX
/// reader; no other tool reads it.
enum class Format { kOnnx, kOrt };
/// By the ending of `output`: ".ort", or ONNX.
Format format_of(const std::filesystem::path& output);

struct ConvertOptions {
  std::filesystem::path input, output;
  PassOptions passes;
  Format format = Format::kOnnx;  ///< kOrt: needs `runtime` and `executable` also without check
  Budgets budgets;                ///< against files that ask for too much
  std::vector<FixedDimension> fixed_dimensions;  ///< of the result; see fix_dimensions.h
  /// The opset of the default domain; unset: kept where the runtime runs it.
  std::optional<std::int64_t> opset;
  /// Tensors of at least this many bytes go to "<output>.data"; unset: graph::SaveOptions decides.
  std::optional<std::uint64_t> external_bytes;
  Overwrite overwrite = Overwrite::kNo;

  bool check = true;           ///< false: no comparison, and that is said
  bool require_check = false;  ///< "not checked" is a refusal
  double check_seconds = 5;
  std::uint64_t check_max_bytes = std::uint64_t{512} << 20;
  std::vector<std::filesystem::path>
      data;  ///< for the check, as --data names it; empty: inputs are generated
  std::filesystem::path runtime;     ///< the ONNX Runtime library, as found; unused without check
  std::filesystem::path executable;  ///< the ingot binary, for the check's children
  int threads = 0;                   ///< of the check
};

struct ConvertReport {
  std::string input, output;
  Format format = Format::kOnnx;
  OpsetChange opset;
  CleanReport cleaning;
  std::uint64_t bytes_before = 0,
                bytes_after =
                    0;  ///< files with their external data; after: 0 when nothing was written
  std::vector<std::string> foreign_operators;  ///< kept as they are
  std::vector<std::string> oddities;           ///< kept or put right; see validate.h
  std::optional<verify::CheckResult> check;    ///< empty without check
  bool written = false;
  std::string verdict;  ///< one sentence

  /// For people. `explain`: every change, and every candidate left alone, with the reason.
  std::string text(bool explain) const;
  /// {"schema":"ingot.convert","schema_version":1, …} with every change.
  std::string json() const;
};

/// Writes `output` whole or not at all. A result that differs from the original, does not run where
/// the original does, or is not checked although require_check is set, is an answer: written is
/// false. Names, types and order of inputs and outputs are those of the original; the opset is
/// choose_opset's. Same input, same bytes. Throws kUsage when an output exists, for an ending that
/// does not fit the format and for `external_bytes` with kOrt; kInput and kUnsupported for models
/// (see validate.h, choose_opset.h, verify/ort_format.h) and where the runtime runs the original,
/// but not the result at another opset; kEngine and kEnvironment.
ConvertReport convert(const ConvertOptions& options, Reporter& reporter);

}  // namespace ingot::converters
