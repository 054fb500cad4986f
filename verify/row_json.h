// SPDX-License-Identifier: Apache-2.0
// Comparison rows as JSON: in verify's report, in the answers of the check's children, and in the
// reports of quantize and build.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "metrics/limits.h"
#include "verify/comparison.h"

namespace ingot::verify {

/// A JSON number; "nan", "inf" or "-inf" as a string where JSON has no number.
nlohmann::ordered_json number_json(double value);
/// {"output":…, "dtype":…, "samples":…, "metrics":{"max_abs":…}, "largest_error":{…}, …}.
nlohmann::ordered_json row_json(const OutputRow& row);
nlohmann::ordered_json rows_json(std::span<const OutputRow> rows);
/// The inverse, for documents we wrote ourselves. Throws kInternal on any other.
OutputRow row_from_json(const nlohmann::json& document);

/// ["max_rel<=0.001"] as {"metric":"max_rel","most":0.001} or {"metric":"cosine","least":0.9}.
nlohmann::ordered_json limits_json(std::span<const metrics::Limit> limits);

}  // namespace ingot::verify
