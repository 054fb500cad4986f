// SPDX-License-Identifier: Apache-2.0
// Executes a precision plan on a model: writes the integer forms and the storage forms. No decision
// is taken here.
//
// Forms of nodes: quant/forms/. Forms of weights that float kernels read:
//   int8      Cast(int8 → float32) · Mul(scale per channel): folded when the runtime loads the
//   model float16   Cast(float16 → float32), folded too
#pragma once

#include <span>
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

/// A site of the main graph to be measured in a form.
struct ProbeRequest {
  std::string node;  ///< the site's key
  Form form = Form::kStatic;
};

/// One request's pair of tensors in a probe model.
struct Probe {
  ProbeRequest request;
  std::string signal;  ///< scalar float: sum of squares of the float output
  std::string noise;   ///< scalar float: sum of squares of (float output − quantized output)
};

/// Adds beside every site asked for a twin in that form on the same float input, and two scalar
/// outputs that measure its error; the model's own outputs are dropped. One run of the result
/// measures all requests at once without keeping any activation.
std::vector<Probe> add_probes(graph::Model& model, const Sites& sites,
                              std::span<const ProbeRequest> requests,
                              const std::map<std::string, Range>& ranges);

}  // namespace ingot::quant
