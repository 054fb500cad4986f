// SPDX-License-Identifier: Apache-2.0
// The few numbers that stand for many times.
#pragma once

#include <span>

namespace ingot::bench {

/// The value below which the share `share` in [0, 1] of `values` lies, by linear interpolation
/// between the two nearest ranks (R. Hyndman, Y. Fan, "Sample Quantiles in Statistical Packages",
/// 1996, definition 7; numpy's default): at position share * (n - 1) of the sorted values. `values`
/// need not be sorted and must not be empty (kInternal).
double quantile(std::span<const double> values, double share);
/// quantile(values, 0.5).
double median(std::span<const double> values);
/// The median of numerator[i] / denominator[i]: for measurements taken in pairs, one right after
/// the other, so that what slows the machine down slows both. Same length, not empty, no
/// denominator zero (kInternal).
double median_of_ratios(std::span<const double> numerator, std::span<const double> denominator);

}  // namespace ingot::bench
