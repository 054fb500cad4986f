// SPDX-License-Identifier: Apache-2.0
// All reasons why a node stays float, as one table: the only place that decides eligibility.
#pragma once

#include <span>
#include <string>

#include "graph/graph_index.h"

namespace ingot::quant {

/// What a rule looks at.
struct RuleInput {
  const onnx::NodeProto& node;
  const graph::GraphIndex& index;
  std::int64_t opset;
};

struct Rule {
  const char* op_types;  ///< space-separated
  /// The reason why `input.node` stays float; empty = the rule has no objection.
  std::string (*objection)(const RuleInput& input);
};

/// In the order they are asked; the first objection is the reason on record.
std::span<const Rule> rules();

/// The first objection to running `input.node` as an integer kernel, "" when there is none. Nodes
/// of types without rules: why not, too.
std::string first_objection(const RuleInput& input);

/// Fewer input or output features than this: quantizing costs more than the kernel gains.
inline constexpr std::int64_t kFewestFeatures = 16;

}  // namespace ingot::quant
