// SPDX-License-Identifier: Apache-2.0
#include "bench/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/error.h"

namespace ingot::bench {

double quantile(std::span<const double> values, double share) {
  INGOT_CHECK(!values.empty());
  INGOT_CHECK(share >= 0 && share <= 1);
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = position - static_cast<double>(below);
  return sorted[below] + part * (sorted[above] - sorted[below]);
}

double median(std::span<const double> values) { return quantile(values, 0.5); }

double median_of_ratios(std::span<const double> numerator, std::span<const double> denominator) {
  INGOT_CHECK(numerator.size() == denominator.size());
  std::vector<double> ratios;
  for (std::size_t i = 0; i < numerator.size(); ++i) {
    INGOT_CHECK(denominator[i] != 0);
    ratios.push_back(numerator[i] / denominator[i]);
  }
  return median(ratios);
}

}  // namespace ingot::bench
