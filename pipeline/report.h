// SPDX-License-Identifier: Apache-2.0
// What `ingot build` found, as data; one renderer for JSON, one for text. The bundle holds both of
// its own making.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/gate.h"
#include "bench/measure.h"
#include "pipeline/evaluation.h"
#include "pipeline/fingerprint.h"
#include "quant/plan.h"
#include "quant/red_line.h"

namespace ingot::pipeline {

struct StageTime {
  std::string stage;
  double seconds = 0;
};

/// A node that could compute in int8 and does not, or a weight that is stored wider than int8.
struct Kept {
  enum class Kind { kNode, kWeight } kind = Kind::kNode;
  std::string name, op_type;  ///< op_type: of nodes
  std::string precision;      ///< "float", "float16", "float32"
  std::string reason;
};
/// All of them, nodes first, in the order of the plan.
std::vector<Kept> kept_of(const quant::Plan& plan);

struct PackedBundle {
  std::string path, id;
  std::size_t file_count = 0;
  std::uint64_t total_bytes = 0;
};

struct Report {
  std::string name, version;
  std::string scheme, runtime_version;
  Fingerprint made_from;
  std::uint64_t original_bytes = 0, converted_bytes = 0, quantized_bytes = 0;  ///< 0: not made
  std::size_t calibration_samples = 0;
  std::size_t nodes = 0, candidates = 0,
              quantized_nodes = 0;  ///< of the converted model; candidates: could be int8
  std::string plan_sha256;
  std::vector<Kept> kept;
  std::vector<quant::Judged> red_line;     ///< quantize's own, on calibration data
  std::optional<Evaluation> evaluation;    ///< stage verify
  std::optional<bench::Comparison> bench;  ///< original against quantized
  std::vector<bench::GateRow> gate;
  std::vector<StageTime> stages;  ///< those that ran, in order
  bool accepted = false;
  std::string verdict;                 ///< one sentence
  std::optional<PackedBundle> bundle;  ///< after packing
};

/// {"schema":"ingot.build","schema_version":1, …}: every row; times in seconds, sizes in bytes.
std::string report_json(const Report& report);
/// For people: tables, at most 10 differing lines of text, reasons in groups.
std::string report_text(const Report& report);

/// The closing line on a bundle; report_text ends with it.
std::string bundle_text(const PackedBundle& bundle);
/// `report` (a document of report_json without a bundle) with the bundle it lies in.
std::string with_bundle(const std::string& report, const PackedBundle& bundle);

}  // namespace ingot::pipeline
