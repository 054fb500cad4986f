// SPDX-License-Identifier: Apache-2.0
// Sparse initializers, before the runtime makes them dense.
#pragma once

#include <optional>
#include <string>

#include "graph/model.h"

namespace ingot::converters {

/// What is wrong with `sparse`: dims, number or range of indices, or a dense form larger than 4 ×
/// what is stored and 1 MiB. nullopt when nothing is.
std::optional<std::string> sparse_fault(const graph::Model& model,
                                        const onnx::SparseTensorProto& sparse);

}  // namespace ingot::converters
