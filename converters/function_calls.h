// SPDX-License-Identifier: Apache-2.0
// Which local function calls which.
#pragma once

#include <vector>

#include "converters/validate.h"

namespace ingot::converters {

/// Adds a finding when local functions call themselves, directly or through others, naming the
/// functions of one such circle.
void check_function_calls(const onnx::ModelProto& model, std::vector<Finding>& findings);

}  // namespace ingot::converters
