// SPDX-License-Identifier: Apache-2.0
#include "quant/red_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ingot::quant {
namespace {

constexpr double kDecisionGoal = 0.7;
constexpr double kElementGoal = 0.95;

bool counts_decisions(const metrics::Metric& metric) {
  return metric.name == "text" || metric.name == "top1";
}

metrics::Limit default_limit(const verify::OutputRow& row) {
  if (row.kind == data::OutputKind::kCtc) return metrics::make_limit("text", "0.9");
  if (row.kind == data::OutputKind::kTopK) return metrics::make_limit("top1", "0.9");
  return metrics::make_limit("cosine", "0.9");
}

}  // namespace

std::vector<Judged> RedLine::judge(std::span<const verify::OutputRow> rows, bool generated) const {
  std::vector<Judged> judged;
  for (const verify::OutputRow& row : rows) {
    if (!row.is_float()) continue;
    std::vector<metrics::Limit> limits = user_;
    if (generated) {
      limits = {metrics::make_limit("cosine", "0.9")};
    } else if (limits.empty()) {
      limits = {default_limit(row)};
    }
    for (const metrics::Limit& limit : limits) {
      std::optional<double> value = row.value(limit.metric->name);
      if (!value) continue;
      if (!row.comparable()) value = std::numeric_limits<double>::quiet_NaN();
      judged.push_back({row.output, limit, *value, limit.holds(*value)});
    }
  }
  return judged;
}

bool RedLine::needs_all_samples(std::span<const data::OutputMeaning> meanings) const {
  if (!user_.empty()) {
    return std::any_of(user_.begin(), user_.end(),
                       [](const metrics::Limit& limit) { return counts_decisions(*limit.metric); });
  }
  return std::any_of(meanings.begin(), meanings.end(), [](const data::OutputMeaning& m) {
    return m.kind != data::OutputKind::kNone;
  });
}

void RedLine::require_effect(std::span<const verify::OutputRow> rows) const {
  for (const metrics::Limit& limit : user_) {
    const bool measured = std::any_of(rows.begin(), rows.end(), [&](const verify::OutputRow& row) {
      return row.is_float() && row.value(limit.metric->name).has_value();
    });
    if (!measured)
      throw Error(Code::kUsage,
                  fmt::format("--min {}: no output of the model has this metric", limit.text()));
  }
}

double slack(const metrics::Limit& limit, double value) {
  if (std::isnan(value)) return -std::numeric_limits<double>::infinity();
  const metrics::Metric& metric = *limit.metric;
  if (metric.direction == metrics::Direction::kLowerIsBetter) {
    if (limit.value == 0) return value <= 0 ? 1 : -value;
    return 1 - value / limit.value;
  }
  if (!std::isfinite(metric.most))
    return (value - limit.value) / std::max(std::abs(limit.value), 1.0);
  if (limit.value >= metric.most) return value >= limit.value ? 1 : value - limit.value;
  return (value - limit.value) / (metric.most - limit.value);
}

double least_slack(std::span<const Judged> judged) {
  double least = 1;
  for (const Judged& one : judged) least = std::min(least, slack(one.limit, one.value));
  return least;
}

bool reaches_goal(std::span<const Judged> judged) {
  return std::all_of(judged.begin(), judged.end(), [](const Judged& one) {
    return slack(one.limit, one.value) >=
           (counts_decisions(*one.limit.metric) ? kDecisionGoal : kElementGoal);
  });
}

}  // namespace ingot::quant
