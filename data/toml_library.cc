// SPDX-License-Identifier: Apache-2.0
#include "data/toml_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "base/files.h"

namespace ingot::data {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20;

struct Place {
  std::size_t line = 1, column = 1;
};

/// The first character that is neither ASCII nor in a comment or in quotes; at the end when there
/// is none.
std::size_t find_stray(std::string_view text) {
  std::size_t i = text.starts_with("\xef\xbb\xbf") ? 3 : 0;  // a byte order mark
  while (i < text.size()) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x80) return i;
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else if (c == '"' || c == '\'') {
      const std::string three(3, c);
      const std::string_view end =
          text.substr(i).starts_with(three) ? std::string_view(three) : text.substr(i, 1);
      for (i += end.size(); i < text.size() && !text.substr(i).starts_with(end);) {
        if (end.size() == 1 && text[i] == '\n') break;  // not closed: toml++ says so
        i += c == '"' && text[i] == '\\' ? 2 : 1;
      }
      i += end.size();
    } else {
      ++i;
    }
  }
  return text.size();
}

Place place_of(std::string_view text, std::size_t offset) {
  Place place;
  for (const char c : text.substr(0, offset)) {
    if (c == '\n') place = {place.line + 1, 0};
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) ++place.column;
  }
  return place;
}

/// TOML has none there, and toml++ 3.3 runs into undefined behaviour on some (U+00A1 to U+0499).
void refuse_stray_characters(std::string_view text, const std::string& path) {
  const std::size_t at = find_stray(text);
  if (at >= text.size()) return;
  const Place place = place_of(text, at);
  throw Error(Code::kInput,
              fmt::format("'{}' line {}, column {}: a character outside ASCII, wanted in quotes",
                          path, place.line, place.column));
}

}  // namespace

toml::table parse_toml_file(const std::filesystem::path& path) {
  const std::string text = read_text_file(path, kMaxFileBytes);
  try {
    refuse_stray_characters(text, path.string());
    return toml::parse(std::string_view(text));
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    throw Error(Code::kInput, fmt::format("'{}' line {}, column {}: {}", path.string(), at.line,
                                          at.column, error.description()));
  } catch (const TomlAssertion&) {
    throw Error(Code::kInput, fmt::format("'{}' is not TOML", path.string()),
                "look for a table header or a key that does not begin with a name");
  }
}

}  // namespace ingot::data
