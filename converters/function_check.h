// SPDX-License-Identifier: Apache-2.0
// Local functions: each by itself, who calls whom, and what writing all calls out would cost.
#pragma once

#include "converters/functions.h"
#include "converters/graph_check.h"
#include "converters/validate.h"

namespace ingot::converters {

/// Adds findings about the functions of `model`: structure, two of one name, circles, opsets in
/// which an operator means something else than in the model's, and budgets. `file_nodes`: nodes of
/// all its graphs and functions.
void check_functions(const onnx::ModelProto& model, const FunctionTable& functions,
                     const Budgets& budgets, std::uint64_t file_nodes, GraphCheck& graphs,
                     Validation& result);

}  // namespace ingot::converters
