// SPDX-License-Identifier: Apache-2.0
// From rows to a verdict.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "metrics/limits.h"
#include "verify/comparison.h"

namespace ingot::verify {

/// verify's default: max_rel <= 1e-3, that is max|a-b| <= 1e-3 * max|a| per float output.
std::vector<metrics::Limit> default_tolerance();

/// Whether `row` is comparable and its metric holds the limit; a metric the row does not have
/// counts as held.
bool meets(const OutputRow& row, const metrics::Limit& limit);

/// Why `row` is outside `limits`, one sentence each, naming the output in quotes; empty = inside.
/// Findings and NaN/Inf in one only always count; outputs that are not float must be exactly equal.
std::vector<std::string> violations(const OutputRow& row, std::span<const metrics::Limit> limits);
/// All rows' violations in order.
std::vector<std::string> violations(std::span<const OutputRow> rows,
                                    std::span<const metrics::Limit> limits);

/// Throws kUsage when a limit's metric is found in no row (an option without effect).
void require_measured(std::span<const OutputRow> rows, std::span<const metrics::Limit> limits);

}  // namespace ingot::verify
