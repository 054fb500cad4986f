// SPDX-License-Identifier: Apache-2.0
// The line below which a quantized model is refused, set before anything is measured.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "metrics/limits.h"
#include "verify/comparison.h"

namespace ingot::quant {

/// One output's measured value against its limit.
struct Judged {
  std::string output;
  metrics::Limit limit;
  double value = 0;
  bool holds = false;
};

class RedLine {
 public:
  /// `user`: the limits of --min; empty = the default: per float output text 0.9 where it is
  /// declared ctc, top1 0.9 where declared topk, else cosine 0.9.
  explicit RedLine(std::vector<metrics::Limit> user) : user_(std::move(user)) {}

  /// Every limit on every output that has its metric. Outputs that are not float are reported
  /// elsewhere, not judged. With `generated` inputs only cosine counts (made-up inputs decide
  /// nothing).
  std::vector<Judged> judge(std::span<const verify::OutputRow> rows, bool generated = false) const;
  /// True when a decision metric (text, top1) is the line, so that all samples are needed.
  bool needs_all_samples(std::span<const data::OutputMeaning> meanings) const;
  /// Throws kUsage when a limit of the user's has a metric that no output has.
  void require_effect(std::span<const verify::OutputRow> rows) const;

 private:
  std::vector<metrics::Limit> user_;
};

/// How far `value` is above the limit, as a share of what could be above: 0 at the limit, 1 at
/// perfection, negative below.
double slack(const metrics::Limit& limit, double value);
/// The least slack of all; +1 when nothing is judged.
double least_slack(std::span<const Judged> judged);
/// What the search aims for, so that new data does not fall below the line: 0.7 of the way up for
/// text and top1, 0.95 for others.
bool reaches_goal(std::span<const Judged> judged);

}  // namespace ingot::quant
