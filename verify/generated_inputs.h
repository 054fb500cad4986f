// SPDX-License-Identifier: Apache-2.0
// Inputs made up from a model's declarations, for checks that compare two forms of one model. Never
// for calibration.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/tensor.h"
#include "graph/model.h"
#include "runtime/session.h"

namespace ingot::verify {

/// An input that has to be fed. `dimension_names[i]`: the name the model gives a free dimension
/// ("batch", "past + 1"); may be empty.
struct InputDescription {
  std::string name;
  DType dtype = DType::kUndefined;
  Shape shape;
  std::vector<std::string> dimension_names;
};

/// Required inputs of a session. `model` (may be null) supplies the names of free dimensions, which
/// the runtime does not keep. Throws kUnsupported for an input that is not a tensor or has a type
/// nothing can be generated for.
std::vector<InputDescription> describe_inputs(const std::vector<runtime::ValueInfo>& inputs,
                                              const graph::Model* model);

/// How many different attempts generate_inputs knows. The first ones suit most models; later ones
/// are for models that refuse those (other sizes of free dimensions, integers that are safe as
/// indices or counts).
int attempt_count();

/// The inputs of attempt number `attempt` in [0, attempt_count()). Free dimensions of one name get
/// one size, those without a name go by position (axis 0 = batch; axes 2 and up of rank 4 and 5 =
/// multiples of 32; others = sequence). Floats: normal, uniform in [0, 1], or wide normal, by
/// attempt; integers: small ids; masks: ones, then a tail of zeros. The same for the same seed on
/// every machine.
std::map<std::string, Tensor> generate_inputs(const std::vector<InputDescription>& inputs,
                                              int attempt, std::uint64_t seed);

}  // namespace ingot::verify
