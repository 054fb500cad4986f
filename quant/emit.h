// SPDX-License-Identifier: Apache-2.0
// Executes a precision plan on a model: writes the integer forms and the storage forms. No decision
// is taken here.
//
// Forms (measured choices: docs/decisions/0006-forms-the-runtime-runs-fast.md):
//   Conv, static      QuantizeLinear/DequantizeLinear around input, weight, bias and output; the
//   runtime makes a QLinearConv of it MatMul, Gemm      QuantizeLinear on the input,
//   com.microsoft.MatMulIntegerToFloat with bias storage int8      Cast(int8 → float32) · Mul(scale
//   per channel): constant-folded when the runtime loads the model storage float16   Cast(float16 →
//   float32), folded too
#pragma once

#include <string>
#include <vector>

#include "graph/model.h"
#include "quant/plan.h"
#include "quant/sites.h"

namespace ingot::quant {

/// Rewrites `model` as `plan` says. `sites`: find_sites of this very model. Fills bytes_after and
/// error_db of the plan's weights. Throws kInput when the plan asks for something the model does
/// not allow, naming node or tensor.
void emit(graph::Model& model, const Sites& sites, Plan& plan);

/// One site's pair of tensors in a probe model.
struct Probe {
  std::string node;    ///< the site
  std::string signal;  ///< scalar float: sum of squares of the float output
  std::string noise;   ///< scalar float: sum of squares of (float output − static output)
};

/// Adds beside every site a twin that runs in integers on the same float input, and two scalar
/// outputs that measure its error; the model's own outputs are dropped. One run of the result
/// measures all sites at once without keeping any activation.
std::vector<Probe> add_probes(graph::Model& model, const Sites& sites,
                              const std::map<std::string, Range>& ranges);

}  // namespace ingot::quant
