// SPDX-License-Identifier: Apache-2.0
#include "manifests/json_fields.h"

#include <fmt/format.h>

#include "base/error.h"

namespace ingot::manifests {

Fields::Fields(const Json& json, std::string source, std::string where)
    : json_(json), source_(std::move(source)), where_(std::move(where)) {
  if (json_.is_object()) return;
  throw Error(Code::kInput,
              fmt::format("'{}': {} is {}, an object is wanted", source_,
                          where_.empty() ? "the document" : "'" + where_ + "'", shown(json_)));
}

void Fields::require_known(std::initializer_list<std::string_view> known) const {
  require_known_keys(json_, known, source_, where_.empty() ? "the document" : "'" + where_ + "'");
}

bool Fields::has(std::string_view key) const { return json_.contains(key); }

std::string Fields::place(std::string_view key) const {
  return where_.empty() ? std::string(key) : fmt::format("{}.{}", where_, key);
}

void Fields::refuse(std::string_view key, std::string_view fault) const {
  throw Error(Code::kInput, fmt::format("'{}': '{}' {}", source_, place(key), fault));
}

const Json& Fields::member(std::string_view key) const {
  const auto found = json_.find(key);
  if (found == json_.end()) refuse(key, "is missing");
  return *found;
}

std::string Fields::text(std::string_view key) const {
  const Json& value = member(key);
  if (!value.is_string()) refuse(key, fmt::format("is {}, a string is wanted", shown(value)));
  return value.get<std::string>();
}

std::int64_t Fields::integer(std::string_view key, std::int64_t least, std::int64_t most) const {
  const Json& value = member(key);
  const bool fits = value.is_number_integer() &&
                    (!value.is_number_unsigned() || value.get<std::uint64_t>() <= kMaxInteger) &&
                    value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most;
  if (!fits) {
    refuse(key,
           fmt::format("is {}, an integer from {} to {} is wanted", shown(value), least, most));
  }
  return value.get<std::int64_t>();
}

bool Fields::boolean(std::string_view key) const {
  const Json& value = member(key);
  if (!value.is_boolean()) refuse(key, fmt::format("is {}, true or false is wanted", shown(value)));
  return value.get<bool>();
}

const Json& Fields::array(std::string_view key, std::size_t most) const {
  const Json& value = member(key);
  if (!value.is_array()) refuse(key, fmt::format("is {}, an array is wanted", shown(value)));
  if (value.size() > most) {
    refuse(key, fmt::format("has {} elements, at most {} are allowed", value.size(), most));
  }
  return value;
}

Fields Fields::object(std::string_view key) const { return {member(key), source_, place(key)}; }

Fields Fields::element(std::string_view key, std::size_t i) const {
  return {member(key).at(i), source_, fmt::format("{}[{}]", place(key), i)};
}

std::string shown(const Json& json) {
  constexpr std::size_t kMost = 60;
  if (json.is_object()) return "an object";
  if (json.is_array()) return "an array";
  std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > kMost) text = text.substr(0, kMost) + "…";
  return text;
}

void refuse_inexact_numbers(const Json& json, std::string_view source) {
  if (json.is_structured()) {
    for (const Json& child : json) refuse_inexact_numbers(child, source);
    return;
  }
  if (!json.is_number()) return;
  const bool exact = json.is_number_unsigned()
                         ? json.get<std::uint64_t>() <= kMaxInteger
                         : json.is_number_integer() && json.get<std::int64_t>() >= -kMaxInteger;
  if (exact) return;
  throw Error(Code::kInput, fmt::format("'{}': the number {} is not an integer from {} to {}",
                                        source, shown(json), -kMaxInteger, kMaxInteger));
}

}  // namespace ingot::manifests
