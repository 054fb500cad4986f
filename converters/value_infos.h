// SPDX-License-Identifier: Apache-2.0
// What a file says about its inner values, held against what its operators compute.
#pragma once

#include <cstddef>

#include "graph/model.h"

namespace ingot::converters {

/// Removes descriptions (value_info) of values that no node writes and second ones of one value,
/// and puts those right that contradict the operators: the runtime refuses a wrong element type and
/// other tools believe a wrong shape. Inputs and outputs of the model stay. Returns how many were
/// wrong.
std::size_t repair_value_infos(graph::Model& model);

}  // namespace ingot::converters
