// SPDX-License-Identifier: Apache-2.0
// The full list of steps, made once from the two tables and from ONNX's register of operators.
#include "converters/opset/steps.h"

#include <onnx/defs/schema.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace ingot::converters {
namespace {

constexpr StepWay kBelowLowest{StepKind::kNot, nullptr, "opsets below 7 are not written"};
constexpr StepWay kCameLater{StepKind::kNot, nullptr, "the operator does not exist before"};
constexpr StepWay kOtherDomain{StepKind::kNot, nullptr, "only the opset of ai.onnx is changed"};
constexpr const char* kMl = "ai.onnx.ml";

void add_rows(std::span<const StepRow> rows, std::vector<OpsetStep>& steps) {
  for (const StepRow& row : rows) {
    for (std::size_t at = 0; at < row.ops.size();) {
      const std::size_t end = std::min(row.ops.find(' ', at), row.ops.size());
      steps.push_back({"", std::string(row.ops.substr(at, end - at)), row.from, row.to, row.up,
                       row.to > kLowestOpset ? row.down : kBelowLowest});
      at = end + 1;
    }
  }
}

/// What ONNX's register alone tells: when an operator came, and the steps of ai.onnx.ml.
void add_registered(std::vector<OpsetStep>& steps) {
  std::map<std::pair<std::string, std::string>, std::vector<int>> versions;
  for (const auto& schema : onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
    if (schema.domain().empty() || schema.domain() == kMl)
      versions[{schema.domain(), schema.Name()}].push_back(schema.SinceVersion());
  }
  for (auto& [key, since] : versions) {
    std::ranges::sort(since);
    const auto& [domain, op] = key;
    if (since.front() > 1)
      steps.push_back(
          {domain, op, 0, since.front(), {}, domain.empty() ? kCameLater : kOtherDomain});
    if (domain.empty()) continue;
    for (std::size_t i = 1; i < since.size(); ++i)
      steps.push_back({domain, op, since[i - 1], since[i], kOtherDomain, kOtherDomain});
  }
}

std::vector<OpsetStep> make_steps() {
  std::vector<OpsetStep> steps;
  add_rows(unchanged_steps(), steps);
  add_rows(changed_steps(), steps);
  add_registered(steps);
  std::ranges::sort(steps, {},
                    [](const OpsetStep& step) { return std::tie(step.domain, step.op, step.to); });
  return steps;
}

}  // namespace

const char* step_kind_name(StepKind kind) {
  switch (kind) {
    case StepKind::kSame:
      return "same";
    case StepKind::kConverted:
      return "converted";
    case StepKind::kNot:
      break;
  }
  return "no";
}

std::span<const OpsetStep> opset_steps() {
  static const std::vector<OpsetStep> steps = make_steps();
  return steps;
}

std::span<const OpsetStep> steps_of(std::string_view op) {
  const auto all = opset_steps();
  const auto key = [](const OpsetStep& step) {
    return std::pair<std::string_view, std::string_view>(step.domain, step.op);
  };
  const auto found =
      std::ranges::equal_range(all, std::pair<std::string_view, std::string_view>("", op), {}, key);
  return {found.begin(), found.end()};
}

}  // namespace ingot::converters
