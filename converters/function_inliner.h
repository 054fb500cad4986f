// SPDX-License-Identifier: Apache-2.0
// Writing calls of local functions out, so that passes and quantization see the nodes in them.
#pragma once

#include <cstddef>

#include "converters/functions.h"
#include "graph/model.h"

namespace ingot::converters {

/// Puts the bodies of the model's functions in the place of their calls, in the main graph and all
/// nested ones, and removes the functions and the imports that only they needed; imports that
/// bodies need are added. Inner tensors and nodes get names "<call>/<name>" that nothing else has.
/// Attribute references take the call's value, else the function's default, else vanish; absent
/// arguments stay absent. A large Constant of a body becomes one initializer of the main graph,
/// however often it is called. The model is valid and within its budgets (see validate.h). Returns
/// the number of calls written out.
std::size_t inline_functions(graph::Model& model);

}  // namespace ingot::converters
