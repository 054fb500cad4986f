// SPDX-License-Identifier: Apache-2.0
// Writing a model over the weights of the model it was made from.
#pragma once

#include <filesystem>

#include "graph/model.h"

namespace ingot::graph {

/// Throws kUsage when writing to `output` (and "<output>.data") would overwrite a file that holds
/// weights of `model`, unless `output` is the very file that `model` was loaded from: then both are
/// replaced. Model::save asks this; whoever writes elsewhere first and renames asks it early.
void refuse_lost_weights(const Model& model, const std::filesystem::path& output);

}  // namespace ingot::graph
