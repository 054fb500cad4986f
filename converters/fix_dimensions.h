// SPDX-License-Identifier: Apache-2.0
// Named dimensions of a model given a size, so that what depends on them can be computed ahead of
// time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "graph/model.h"

namespace ingot::converters {

struct FixedDimension {
  std::string name;  ///< as the model's inputs give it: "batch"
  std::int64_t size = 0;
};

/// Reads "NAME=N"; N is at least 1. Throws kUsage.
FixedDimension parse_fixed_dimension(std::string_view text);

/// Gives each of the dimensions its size wherever the model declares it, subgraphs included. Throws
/// kUsage for a name that no input has, with the nearest names, and for one that is fixed twice.
void fix_dimensions(graph::Model& model, std::span<const FixedDimension> fixed);

}  // namespace ingot::converters
