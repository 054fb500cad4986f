// SPDX-License-Identifier: Apache-2.0
#include "metrics/limits.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/text.h"

namespace ingot::metrics {
namespace {

const Metric& metric_named(std::string_view name, std::span<const Metric> known) {
  std::vector<std::string> names;
  for (const Metric& metric : known) {
    if (metric.name == name) return metric;
    names.emplace_back(metric.name);
  }
  throw Error(Code::kUsage, fmt::format("unknown metric '{}'{}", name, did_you_mean(name, names)),
              fmt::format("metrics: {}", fmt::join(names, ", ")));
}

std::string_view example_value(const Metric& metric) {
  switch (metric.quantity) {
    case Quantity::kBytes:
      return "6MiB";
    case Quantity::kSeconds:
      return "20ms";
    case Quantity::kNumber:
      break;
  }
  return metric.direction == Direction::kLowerIsBetter ? "0.01" : "0.9";
}

double parse_number(const Metric& metric, std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || std::isnan(value)) {
    throw Error(Code::kUsage,
                fmt::format("limit of '{}': '{}' is not a number", metric.name, text));
  }
  return value;
}

double parse_value(const Metric& metric, std::string_view text) {
  if (text.empty()) {
    throw Error(Code::kUsage, fmt::format("limit of '{}' has no value; wanted '{}={}'", metric.name,
                                          metric.name, example_value(metric)));
  }
  switch (metric.quantity) {
    case Quantity::kBytes:
      return with_context([&] { return fmt::format("limit of '{}'", metric.name); },
                          [&] { return static_cast<double>(parse_size_bytes(text)); });
    case Quantity::kSeconds:
      return with_context([&] { return fmt::format("limit of '{}'", metric.name); },
                          [&] { return parse_seconds(text); });
    case Quantity::kNumber:
      break;
  }
  const double value = parse_number(metric, text);
  if (value < metric.least || value > metric.most) {
    const std::string range =
        std::isinf(metric.most)
            ? fmt::format("at least {}", format_number(metric.least))
            : fmt::format("{} to {}", format_number(metric.least), format_number(metric.most));
    throw Error(Code::kUsage,
                fmt::format("limit of '{}' is {}; wanted {}", metric.name, text, range));
  }
  return value;
}

std::string_view sign_of(const Metric& metric) {
  return metric.direction == Direction::kLowerIsBetter ? "<=" : ">=";
}

}  // namespace

bool Limit::holds(double measured) const {
  return metric->direction == Direction::kLowerIsBetter ? measured <= value : measured >= value;
}

std::string Limit::text() const {
  return fmt::format("{}{}{}", metric->name, sign_of(*metric), format_value(*metric, value));
}

Limit make_limit(std::string_view name, std::string_view value, std::span<const Metric> known) {
  const Metric& metric = metric_named(name, known);
  return {&metric, parse_value(metric, value)};
}

Limit parse_limit(std::string_view text, std::span<const Metric> known) {
  const std::size_t equals = text.find('=');
  const std::size_t sign = text.find_first_of("<>=");
  const std::string_view name = text.substr(0, sign);
  const Metric& metric = metric_named(name, known);
  if (equals == std::string_view::npos || equals > sign + 1) {
    throw Error(Code::kUsage, fmt::format("limit '{}' has no value; wanted '{}={}'", text, name,
                                          example_value(metric)));
  }
  if (text[sign] != '=' && text.substr(sign, 2) != sign_of(metric)) {
    throw Error(Code::kUsage,
                fmt::format("limit '{}' points the wrong way: {} of '{}' is better; wanted '{}={}'",
                            text, metric.direction == Direction::kLowerIsBetter ? "less" : "more",
                            name, name, text.substr(equals + 1)));
  }
  return {&metric, parse_value(metric, text.substr(equals + 1))};
}

std::string format_value(const Metric& metric, double value) {
  if (std::isfinite(value) && value >= 0) {
    if (metric.quantity == Quantity::kBytes) return format_bytes(static_cast<std::uint64_t>(value));
    if (metric.quantity == Quantity::kSeconds) return format_seconds(value);
  }
  return format_number(value);
}

}  // namespace ingot::metrics
