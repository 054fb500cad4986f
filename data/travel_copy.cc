// SPDX-License-Identifier: Apache-2.0
#include "data/travel_copy.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "base/files.h"
#include "data/dataset_file.h"

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
  toml::table root = toml::parse(read_text_file(dataset_file));
  root.erase("labels");
  for (toml::node& input : *root.get_as<toml::array>("input")) input.as_table()->erase("files");
  if (toml::array* outputs = root.get_as<toml::array>("output")) {
    for (toml::node& output : *outputs) {
      for (const char* key : {"dictionary", "labels"}) {
        auto* const written = output.as_table()->get_as<std::string>(key);
        if (written != nullptr) *written = names.at(written->get());
      }
    }
  }
  std::ostringstream text;
  text << root << '\n';
  copy.text = text.str();
  return copy;
}

}  // namespace ingot::data
