// SPDX-License-Identifier: Apache-2.0
// The table of opset changes: for every operator ONNX defines and every step between two of its
// versions, what becomes of a node on the way up and on the way down. `ingot convert --list` shows
// it, gaps included.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::converters {

class NodeChange;

enum class StepKind : std::uint8_t {
  kSame,       ///< the node stays as it is, unless it uses what the older version lacks
  kConverted,  ///< rewritten; single nodes may be refused
  kNot,        ///< refused
};

/// What a step does in one direction.
struct StepWay {
  StepKind kind = StepKind::kSame;
  void (*rewrite)(NodeChange& change) = nullptr;  ///< of kConverted
  const char* note = "";                          ///< what is done, or why not
};

/// One step of one operator between versions that follow each other. `from` 0: the operator does
/// not exist before `to`.
struct OpsetStep {
  std::string domain, op;  ///< domain "" = ai.onnx
  int from, to;
  StepWay up, down;
};

/// "same", "converted", "no".
const char* step_kind_name(StepKind kind);

/// Every step, by domain, operator and version.
std::span<const OpsetStep> opset_steps();
/// The steps of one operator of the default domain, by version; empty for one that ONNX lacks.
std::span<const OpsetStep> steps_of(std::string_view op);

/// The lowest opset that is written: ONNX Runtime promises to run 7 and above.
inline constexpr int kLowestOpset = 7;

/// A row of the tables the list is made from: the operators of `ops` (space between) share it.
struct StepRow {
  std::string_view ops;
  int from, to;
  StepWay up, down;
};
/// Steps where neither direction needs a rewrite; `up` and `down` are kSame.
std::span<const StepRow> unchanged_steps();
/// All other steps.
std::span<const StepRow> changed_steps();

}  // namespace ingot::converters
