// SPDX-License-Identifier: Apache-2.0
#include "data/travel_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/text.h"
#include "data/dataset_file.h"
#include "data/toml_library.h"

namespace ingot::data {
namespace {

/// The file name where it is plain, else a new one; never one of `taken`.
std::string plain_name(const std::string& file_name, const std::vector<TravelCopy::File>& taken) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  const auto lower = [](std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return text;
  };
  const auto is_free = [&](const std::string& name) {
    return lower(name) != "dataset.toml" &&
           std::ranges::none_of(taken, [&](const auto& f) { return lower(f.name) == lower(name); });
  };
  const bool is_plain = !file_name.empty() && file_name.size() <= 100 && file_name[0] != '.' &&
                        file_name.find_first_not_of(kPlain) == std::string::npos;
  if (is_plain && is_free(file_name)) return file_name;
  for (int i = 1;; ++i) {
    std::string name = fmt::format("symbols-{}.txt", i);
    if (is_free(name)) return name;
  }
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\u{:04X}", byte);
    } else {
      result += c;
    }
  }
  return result + '"';
}

/// A value as a dataset.toml may have it. Written here, because the library's own form changes with
/// its version.
std::string rendered(const toml::node& node) {
  if (const auto* text = node.as_string()) return quoted(text->get());
  if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
  if (const auto* boolean = node.as_boolean()) return boolean->get() ? "true" : "false";
  if (const auto* number = node.as_floating_point()) {
    const std::string text = format_number(number->get());
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
  }
  INGOT_CHECK(node.is_array());
  std::string list;
  for (const toml::node& element : *node.as_array())
    list += (list.empty() ? "" : ", ") + rendered(element);
  return "[" + list + "]";
}

/// The tables of the array `name`, keys sorted.
std::string rendered_tables(const char* name, const toml::array& tables) {
  std::string text;
  for (const toml::node& table : tables) {
    text += fmt::format("[[{}]]\n", name);
    for (const auto& [key, value] : *table.as_table())
      text += fmt::format("{} = {}\n", std::string_view(key), rendered(value));
  }
  return text;
}

}  // namespace

TravelCopy travel_copy(const std::filesystem::path& dataset_file) {
  const DatasetFile parsed = parse_dataset_file(dataset_file);
  TravelCopy copy;
  std::map<std::string, std::string> names;
  for (const Companion& companion : parsed.companions) {
    const std::string name = plain_name(companion.path.filename().string(), copy.files);
    copy.files.push_back({name, companion.path});
    names[companion.written] = name;
  }
  toml::table root = parse_toml_file(dataset_file);
  toml::array& inputs = *root.get_as<toml::array>("input");
  for (toml::node& input : inputs) input.as_table()->erase("files");
  copy.text = rendered_tables("input", inputs);
  toml::array* const outputs = root.get_as<toml::array>("output");
  if (outputs == nullptr) return copy;
  for (toml::node& output : *outputs) {
    for (const char* key : {"dictionary", "labels"}) {
      auto* const written = output.as_table()->get_as<std::string>(key);
      if (written != nullptr) *written = names.at(written->get());
    }
  }
  copy.text += rendered_tables("output", *outputs);
  return copy;
}

}  // namespace ingot::data
