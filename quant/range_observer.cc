// SPDX-License-Identifier: Apache-2.0
#include "quant/range_observer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ingot::quant {
namespace {

constexpr int kBins = 2 * RangeObserver::kBinsPerSide;
constexpr int kLog2BinsPerSide = 11;
static_assert(1 << kLog2BinsPerSide == RangeObserver::kBinsPerSide);
// Below this width every subnormal lands in the bins next to zero: finer would gain nothing.
constexpr int kSmallestExponent = -140;

/// The smallest e with magnitude < kBinsPerSide · 2^e.
int exponent_for(float magnitude) {
  if (magnitude == 0) return kSmallestExponent;
  return std::max(std::ilogb(magnitude) + 1 - kLog2BinsPerSide, kSmallestExponent);
}

}  // namespace

void RangeObserver::add(std::span<const float> values) {
  float low = std::numeric_limits<float>::infinity(), high = -low;
  std::uint64_t finite = 0;
  for (const float v : values) {
    if (!std::isfinite(v)) continue;
    low = std::min(low, v);
    high = std::max(high, v);
    ++finite;
  }
  not_finite_ += values.size() - finite;
  if (finite == 0) return;
  min_ = count_ == 0 ? low : std::min(min_, low);
  max_ = count_ == 0 ? high : std::max(max_, high);
  count_ += finite;
  grow_to(exponent_for(std::max(std::abs(low), std::abs(high))));
  const double per_width = std::ldexp(1.0, -exponent_);
  for (const float v : values) {
    if (!std::isfinite(v)) continue;
    if (v == 0) {
      ++zeros_;
      continue;
    }
    const int bin = static_cast<int>(std::floor(static_cast<double>(v) * per_width)) + kBinsPerSide;
    ++bins_[static_cast<std::size_t>(std::clamp(bin, 0, kBins - 1))];
  }
}

void RangeObserver::merge(const RangeObserver& other) {
  not_finite_ += other.not_finite_;
  if (other.count_ == 0) return;
  min_ = count_ == 0 ? other.min_ : std::min(min_, other.min_);
  max_ = count_ == 0 ? other.max_ : std::max(max_, other.max_);
  count_ += other.count_;
  zeros_ += other.zeros_;
  RangeObserver grown = other;
  grown.grow_to(exponent_);
  grow_to(grown.exponent_);
  for (std::size_t i = 0; i < bins_.size(); ++i) bins_[i] += grown.bins_[i];
}

void RangeObserver::grow_to(int exponent) {
  if (bins_.empty()) {
    bins_.assign(kBins, 0);
    exponent_ = std::max(exponent, kSmallestExponent);
    return;
  }
  if (exponent <= exponent_) return;
  // floor(k / 2^steps) merges neighbours exactly; a value lands where it would have landed in wide
  // bins from the start.
  const int steps = std::min(exponent - exponent_, kLog2BinsPerSide + 1);
  std::vector<std::uint64_t> merged(kBins, 0);
  for (int i = 0; i < kBins; ++i) {
    const int bin = ((i - kBinsPerSide) >> steps) + kBinsPerSide;
    merged[static_cast<std::size_t>(bin)] += bins_[static_cast<std::size_t>(i)];
  }
  bins_ = std::move(merged);
  exponent_ = exponent;
}

Range RangeObserver::min_max() const { return {std::min(min_, 0.0F), std::max(max_, 0.0F)}; }

std::vector<double> RangeObserver::clip_cost(float limit, std::span<const double> borders) const {
  const double width = std::ldexp(1.0, exponent_);
  std::vector<double> cost(borders.size(), 0);
  for (int i = 0; i < kBins; ++i) {
    const std::uint64_t n = bins_[static_cast<std::size_t>(i)];
    if (n == 0) continue;
    const double centre = (i - kBinsPerSide + 0.5) * width;
    if (centre * static_cast<double>(limit) <= 0) continue;
    const double size = std::min(std::abs(centre), std::abs(static_cast<double>(limit)));
    for (std::size_t b = 0; b < borders.size() && borders[b] < size; ++b) {
      cost[b] += static_cast<double>(n) * (size - borders[b]) * (size - borders[b]);
    }
  }
  return cost;
}

Range RangeObserver::least_squares(int levels) const {
  const Range whole = min_max();
  if (whole.min == whole.max || count_ == 0) return whole;
  // Borders ascend, so that clip_cost can stop at the first one that does not clip.
  const auto grid = [](float limit) {
    std::vector<double> borders(kGrid);
    for (int i = 0; i < kGrid; ++i)
      borders[static_cast<std::size_t>(i)] = std::abs(static_cast<double>(limit)) * (i + 1) / kGrid;
    return borders;
  };
  const std::vector<double> lows = grid(whole.min), highs = grid(whole.max);
  const std::vector<double> low_cost = clip_cost(whole.min, lows),
                            high_cost = clip_cost(whole.max, highs);
  const double inside = static_cast<double>(count_ - zeros_);
  double best = std::numeric_limits<double>::infinity();
  Range range = whole;
  // From the widest inwards; a tie keeps the wider range.
  for (std::size_t l = kGrid; l-- > 0;) {
    for (std::size_t h = kGrid; h-- > 0;) {
      const double step = (lows[l] + highs[h]) / (levels - 1);
      const double cost = inside * step * step / 12 + low_cost[l] + high_cost[h];
      if (cost < best) {
        best = cost;
        range = {static_cast<float>(-lows[l]), static_cast<float>(highs[h])};
      }
    }
    if (whole.min == 0) break;
  }
  return range;
}

}  // namespace ingot::quant
