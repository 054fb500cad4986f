// SPDX-License-Identifier: Apache-2.0
// Sparse initializers, before the runtime makes them dense.
#pragma once

#include <optional>
#include <string>

#include "converters/budgets.h"
#include "graph/model.h"

namespace ingot::converters {

/// What is wrong with `sparse`: dims, number or range of indices, one place written twice, or a
/// dense form over the budget. nullopt when nothing is.
std::optional<std::string> sparse_fault(const graph::Model& model,
                                        const onnx::SparseTensorProto& sparse,
                                        const Budgets& budgets);

}  // namespace ingot::converters
