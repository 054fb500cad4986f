// SPDX-License-Identifier: Apache-2.0
// Operators whose result is drawn anew in every run: two models that hold one cannot be compared by
// their outputs.
#pragma once

#include <string>
#include <vector>

#include "graph/model.h"

namespace ingot::verify {

/// Every node of `model` (subgraphs and local functions included) that draws random numbers, as
/// graph::describe writes it: RandomNormal(Like), RandomUniform(Like), Multinomial, Bernoulli, and
/// Dropout in training mode. In file order.
std::vector<std::string> random_operators(const graph::Model& model);

}  // namespace ingot::verify
