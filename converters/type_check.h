// SPDX-License-Identifier: Apache-2.0
// Element types and shapes against the operators' own rules.
#pragma once

#include <vector>

#include "converters/validate.h"

namespace ingot::converters {

/// Adds what the runtime would refuse when it loads `model`: element types that an operator does
/// not take, parameters and shapes that its inference function rejects, outputs that are declared
/// with another element type than their node writes. Judged are nodes whose inputs have known
/// types, on what the operators alone say, since what a file declares about inner values may be
/// stale. The structure of the model is valid. Linear in its nodes with the functions written out.
void check_types(const graph::Model& model, std::vector<Finding>& findings);

}  // namespace ingot::converters
