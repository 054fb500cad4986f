// SPDX-License-Identifier: Apache-2.0
#include "verify/repeatability.h"

#include <fmt/format.h>

#include "verify/random_operators.h"
#include "verify/tolerance.h"

namespace ingot::verify {

Repeatability::Repeatability(const std::vector<runtime::ValueInfo>& outputs,
                             std::vector<std::string> random_nodes)
    : comparison_(outputs), random_nodes_(std::move(random_nodes)) {}

void Repeatability::add(std::string_view sample, const runtime::Results& first,
                        const runtime::Results& second) {
  comparison_.add(sample, first, second);
}

std::string Repeatability::complaint() const {
  const metrics::Limit limit{metrics::find_metric("max_rel"), random_nodes_.empty() ? 1e-4 : 0};
  for (const OutputRow& row : comparison_.rows()) {
    if (violations(row, {&limit, 1}).empty()) continue;
    std::string text =
        fmt::format("output '{}' differs between two runs on the same input", row.output);
    if (!random_nodes_.empty())
      text += fmt::format("; random numbers are drawn in {}", fmt::join(random_nodes_, ", "));
    return text;
  }
  return {};
}

std::vector<std::string> random_operators_in(const std::filesystem::path& model) {
  try {
    return random_operators(graph::Model::load(model));
  } catch (const Error&) {
    return {};
  }
}

}  // namespace ingot::verify
