// SPDX-License-Identifier: Apache-2.0
// All reasons why a node stays float, as one table: the only place that decides eligibility.
#pragma once

#include <span>
#include <string>

#include "quant/scopes.h"

namespace ingot::quant {

/// The weight of a node as rows of features: an initializer, maybe behind a Transpose.
struct WeightSource {
  std::string name;              ///< the initializer
  const Scope* owner = nullptr;  ///< the graph that holds it
  bool transposed =
      false;  ///< rows are output features: Gemm with transB, or MatMul behind a Transpose
  const onnx::NodeProto* transpose = nullptr;  ///< that Transpose
};
/// What input `slot` of `node` reads; no owner when it is not a weight.
WeightSource weight_source(const Scope& scope, const onnx::NodeProto& node, int slot = 1);

/// What a rule looks at.
struct RuleInput {
  const onnx::NodeProto& node;
  const Scope& scope;  ///< the graph of the node
  const Scopes& scopes;
  std::int64_t opset;
};

struct Rule {
  const char* op_types;  ///< space-separated
  /// The reason why `input.node` stays float; empty = the rule has no objection.
  std::string (*objection)(const RuleInput& input);
};

/// In the order they are asked; the first objection is the reason on record.
std::span<const Rule> rules();

/// The first objection to quantizing `input.node` in any form, "" when there is none. Nodes
/// of types without rules: why not, too.
std::string first_objection(const RuleInput& input);

/// Fewer input or output features than this: quantizing costs more than the kernel gains.
inline constexpr std::int64_t kFewestFeatures = 16;

}  // namespace ingot::quant
