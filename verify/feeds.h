// SPDX-License-Identifier: Apache-2.0
// From samples to what a model is fed with.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "verify/signature.h"

namespace ingot::verify {

/// What a dataset has to supply for a model.
std::vector<data::InputSpec> specs_of(const Signature& signature);
/// Those of `inputs` that the model takes. Views into `inputs`.
runtime::Feeds feeds_for(const std::map<std::string, Tensor>& inputs, const Signature& signature);

}  // namespace ingot::verify
