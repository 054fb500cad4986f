// SPDX-License-Identifier: Apache-2.0
#include "data/toml_library.h"

#include <fmt/format.h>

#include <string_view>

#include "base/error.h"
#include "base/files.h"

namespace ingot::data {

constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20;

toml::table parse_toml_file(const std::filesystem::path& path) {
  const std::string text = read_text_file(path, kMaxFileBytes);
  try {
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
