// SPDX-License-Identifier: Apache-2.0
#include "data/toml_table.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "data/toml_library.h"

namespace ingot::data {
namespace {

const toml::table& as_table(const void* table) { return *static_cast<const toml::table*>(table); }

/// The value as a message shows it.
std::string describe(const toml::node& node) {
  if (const auto* text = node.as_string()) return fmt::format("'{}'", text->get());
  if (const auto* integer = node.as_integer()) return fmt::format("{}", integer->get());
  if (const auto* number = node.as_floating_point()) return format_number(number->get());
  if (const auto* boolean = node.as_boolean()) return boolean->get() ? "true" : "false";
  if (node.is_table()) return "a table";
  if (const auto* array = node.as_array()) return fmt::format("an array of {}", array->size());
  return "a date or time";
}

std::optional<double> finite(const toml::node& node) {
  if (const auto* integer = node.as_integer()) return static_cast<double>(integer->get());
  if (const auto* number = node.as_floating_point();
      number != nullptr && std::isfinite(number->get()))
    return number->get();
  return std::nullopt;
}

}  // namespace

struct TomlTable::Document {
  std::string path;
  toml::table root;
};

TomlTable TomlTable::parse_file(const std::filesystem::path& path) {
  auto document = std::make_shared<Document>();
  document->path = path.string();
  document->root = parse_toml_file(path);
  const void* root = &document->root;
  return {std::move(document), root};
}

bool TomlTable::has(std::string_view key) const { return as_table(table_).contains(key); }

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, value] : as_table(table_)) keys.emplace_back(key.str());
  return keys;
}

void TomlTable::require_known(std::initializer_list<std::string_view> known,
                              std::string_view where) const {
  const std::vector<std::string> candidates(known.begin(), known.end());
  for (const std::string& key : keys()) {
    if (std::find(candidates.begin(), candidates.end(), key) != candidates.end()) continue;
    fail_because(key,
                 fmt::format("unknown key '{}'{}{}", key, where, did_you_mean(key, candidates)));
  }
}

std::optional<std::string> TomlTable::text(std::string_view key) const {
  const toml::node* node = as_table(table_).get(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_string()) fail(key, "a string");
  return node->as_string()->get();
}

std::optional<std::int64_t> TomlTable::integer(std::string_view key) const {
  const toml::node* node = as_table(table_).get(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_integer()) fail(key, "an integer");
  return node->as_integer()->get();
}

std::optional<double> TomlTable::number(std::string_view key) const {
  const toml::node* node = as_table(table_).get(key);
  if (node == nullptr) return std::nullopt;
  const std::optional<double> value = finite(*node);
  if (!value) fail(key, "a finite number");
  return value;
}

std::optional<bool> TomlTable::boolean(std::string_view key) const {
  const toml::node* node = as_table(table_).get(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_boolean()) fail(key, "true or false");
  return node->as_boolean()->get();
}

std::optional<std::vector<double>> TomlTable::numbers(std::string_view key) const {
  const toml::node* node = as_table(table_).get(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_array()) fail(key, "an array of numbers");
  std::vector<double> values;
  for (const toml::node& element : *node->as_array()) {
    const std::optional<double> value = finite(element);
    if (!value)
      fail_because(key,
                   fmt::format("'{}' holds {}, wanted finite numbers", key, describe(element)));
    values.push_back(*value);
  }
  return values;
}

std::optional<std::vector<std::string>> TomlTable::texts(std::string_view key) const {
  const toml::node* node = as_table(table_).get(key);
  if (node == nullptr) return std::nullopt;
  if (node->is_string()) return std::vector{node->as_string()->get()};
  if (!node->is_array()) fail(key, "a string or an array of strings");
  std::vector<std::string> values;
  for (const toml::node& element : *node->as_array()) {
    if (!element.is_string())
      fail_because(key, fmt::format("'{}' holds {}, wanted strings", key, describe(element)));
    values.push_back(element.as_string()->get());
  }
  return values;
}

std::optional<TomlTable> TomlTable::table(std::string_view key) const {
  const toml::node* node = as_table(table_).get(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_table()) fail(key, fmt::format("a table [{}]", key));
  return TomlTable(document_, node->as_table());
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) const {
  const toml::node* node = as_table(table_).get(key);
  if (node == nullptr) return {};
  if (!node->is_array()) fail(key, fmt::format("tables [[{}]]", key));
  std::vector<TomlTable> tables;
  for (const toml::node& element : *node->as_array()) {
    if (!element.is_table()) fail(key, fmt::format("tables [[{}]]", key));
    tables.push_back(TomlTable(document_, element.as_table()));
  }
  return tables;
}

bool TomlTable::is_text(std::string_view key) const {
  const toml::node* node = as_table(table_).get(key);
  return node != nullptr && node->is_string();
}

void TomlTable::fail(std::string_view key, std::string_view wanted) const {
  const toml::node* node = as_table(table_).get(key);
  fail_because(key, fmt::format("'{}' is {}, wanted {}", key,
                                node == nullptr ? "missing" : describe(*node), wanted));
}

void TomlTable::fail_because(std::string_view key, std::string_view why) const {
  const toml::node* node = as_table(table_).get(key);
  const bool is_root = node == nullptr && table_ == &document_->root;
  const auto line =
      node == nullptr ? as_table(table_).source().begin.line : node->source().begin.line;
  throw Error(Code::kInput, line == 0 || is_root
                                ? fmt::format("'{}': {}", document_->path, why)
                                : fmt::format("'{}' line {}: {}", document_->path, line, why));
}

}  // namespace ingot::data
