// SPDX-License-Identifier: Apache-2.0
#include "verify/row_json.h"

#include <cmath>
#include <limits>

#include "base/json.h"

namespace ingot::verify {
namespace {

const char* kind_name(data::OutputKind kind) {
  switch (kind) {
    case data::OutputKind::kCtc:
      return "ctc";
    case data::OutputKind::kTopK:
      return "topk";
    case data::OutputKind::kNone:
      break;
  }
  return "none";
}

data::OutputKind kind_from_name(const std::string& name) {
  if (name == "ctc") return data::OutputKind::kCtc;
  return name == "topk" ? data::OutputKind::kTopK : data::OutputKind::kNone;
}

double number_from(const Json& value) {
  if (value.is_number()) return value.get<double>();
  const auto& text = value.get_ref<const std::string&>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  return text == "-inf" ? -infinity : infinity;
}

OrderedJson place_json(const std::optional<Place>& place) {
  if (!place) return nullptr;
  return {{"sample", place->sample},
          {"index", place->index},
          {"reference", number_json(place->reference)},
          {"candidate", number_json(place->candidate)}};
}

std::optional<Place> place_from(const Json& value) {
  if (value.is_null()) return std::nullopt;
  return Place{value.at("sample").get<std::string>(), value.at("index").get<Shape>(),
               number_from(value.at("reference")), number_from(value.at("candidate"))};
}

}  // namespace

OrderedJson number_json(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

OrderedJson row_json(const OutputRow& row) {
  OrderedJson values = OrderedJson::object();
  for (const MetricValue& entry : row.metrics) {
    values[std::string(entry.metric->name)] = number_json(entry.value);
  }
  return {{"output", row.output},
          {"dtype", dtype_name(row.dtype)},
          {"kind", kind_name(row.kind)},
          {"samples", row.samples},
          {"elements", row.elements},
          {"non_finite_alike", row.non_finite_alike},
          {"non_finite_unlike", row.non_finite_unlike},
          {"unequal", row.unequal},
          {"metrics", std::move(values)},
          {"largest_error", place_json(row.largest_error)},
          {"first_unlike", place_json(row.first_unlike)},
          {"worst_sample", row.worst_sample},
          {"worst_sample_rel_l2", number_json(row.worst_sample_rel_l2)},
          {"findings", row.findings}};
}

OrderedJson rows_json(std::span<const OutputRow> rows) {
  OrderedJson all = OrderedJson::array();
  for (const OutputRow& row : rows) all.push_back(row_json(row));
  return all;
}

OutputRow row_from_json(const Json& document) {
  try {
    OutputRow row;
    row.output = document.at("output").get<std::string>();
    row.dtype = dtype_from_name(document.at("dtype").get<std::string>());
    row.kind = kind_from_name(document.at("kind").get<std::string>());
    row.samples = document.at("samples").get<std::size_t>();
    row.elements = document.at("elements").get<std::int64_t>();
    row.non_finite_alike = document.at("non_finite_alike").get<std::int64_t>();
    row.non_finite_unlike = document.at("non_finite_unlike").get<std::int64_t>();
    row.unequal = document.at("unequal").get<std::int64_t>();
    // The table's order, not the document's: parsed objects are sorted by key.
    for (const metrics::Metric& metric : metrics::comparison_metrics()) {
      const auto found = document.at("metrics").find(std::string(metric.name));
      if (found != document.at("metrics").end())
        row.metrics.push_back({&metric, number_from(*found)});
    }
    row.largest_error = place_from(document.at("largest_error"));
    row.first_unlike = place_from(document.at("first_unlike"));
    row.worst_sample = document.at("worst_sample").get<std::string>();
    row.worst_sample_rel_l2 = number_from(document.at("worst_sample_rel_l2"));
    row.findings = document.at("findings").get<std::vector<std::string>>();
    return row;
  } catch (const Json::exception& problem) {
    throw Error(Code::kInternal, std::string("a comparison row cannot be read: ") + problem.what());
  }
}

OrderedJson limits_json(std::span<const metrics::Limit> limits) {
  OrderedJson all = OrderedJson::array();
  for (const metrics::Limit& limit : limits) {
    const bool lower = limit.metric->direction == metrics::Direction::kLowerIsBetter;
    all.push_back(
        {{"metric", limit.metric->name}, {lower ? "most" : "least", number_json(limit.value)}});
  }
  return all;
}

}  // namespace ingot::verify
