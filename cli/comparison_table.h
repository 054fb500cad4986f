// SPDX-License-Identifier: Apache-2.0
// Comparison rows for people: one line per output.
#pragma once

#include <iosfwd>
#include <span>

#include "verify/comparison.h"

namespace ingot::cli {

/// Prints a table of all metrics of all outputs, and below it where the largest error is, which
/// values are NaN or infinite, and what could not be compared.
void print_comparison(std::span<const verify::OutputRow> rows, std::ostream& out);

}  // namespace ingot::cli
