// SPDX-License-Identifier: Apache-2.0
// What stayed at higher precision, read from the plan.
#include "pipeline/report.h"

namespace ingot::pipeline {

std::vector<Kept> kept_of(const quant::Plan& plan) {
  std::vector<Kept> kept;
  for (const quant::NodePlan& node : plan.nodes) {
    const bool is_candidate = !node.weight.empty();
    if (node.form == quant::Form::kFloat && is_candidate)
      kept.push_back(
          {Kept::Kind::kNode, node.node, node.op_type, quant::form_name(node.form), node.reason});
  }
  for (const quant::WeightPlan& weight : plan.weights) {
    if (weight.storage == quant::Storage::kFloat32 || weight.storage == quant::Storage::kFloat16)
      kept.push_back({Kept::Kind::kWeight, weight.tensor, "", quant::storage_name(weight.storage),
                      weight.reason});
  }
  return kept;
}

}  // namespace ingot::pipeline
