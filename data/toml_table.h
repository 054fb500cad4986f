// SPDX-License-Identifier: Apache-2.0
// A TOML file read with messages that name file, line, key, the value seen and the value wanted.
// The door to toml++ for other folders.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::data {

/// One table of a parsed file; copies share the file. A getter returns nothing when the key is
/// absent and throws kInput when its value is of another type.
class TomlTable {
 public:
  /// The root table of `path` (at most 1 MiB). Throws kInput when it is missing or not TOML, naming
  /// line and column.
  static TomlTable parse_file(const std::filesystem::path& path);

  bool has(std::string_view key) const;
  /// All keys, sorted.
  std::vector<std::string> keys() const;
  /// Throws kInput for the first key that is not in `known`, with the nearest ones. `where` ends
  /// the message: " in [[input]]".
  void require_known(std::initializer_list<std::string_view> known,
                     std::string_view where = {}) const;

  std::optional<std::string> text(std::string_view key) const;
  std::optional<std::int64_t> integer(std::string_view key) const;
  /// An integer or a float that is finite.
  std::optional<double> number(std::string_view key) const;
  std::optional<bool> boolean(std::string_view key) const;
  std::optional<std::vector<double>> numbers(std::string_view key) const;
  /// A string (one element) or an array of strings.
  std::optional<std::vector<std::string>> texts(std::string_view key) const;
  std::optional<TomlTable> table(std::string_view key) const;
  /// The tables of [[key]], in the order of the file; empty when absent.
  std::vector<TomlTable> tables(std::string_view key) const;
  bool is_text(std::string_view key) const;

  /// Throws kInput: "'calib.toml' line 5: 'layout' is 'nwch', wanted nchw or nhwc" ("… is missing,
  /// wanted …" when it is absent).
  [[noreturn]] void fail(std::string_view key, std::string_view wanted) const;
  /// Throws kInput: "'calib.toml' line 5: " and `why`; the line is that of `key`, or of the
  /// table (none for the root).
  [[noreturn]] void fail_because(std::string_view key, std::string_view why) const;

 private:
  struct Document;
  TomlTable(std::shared_ptr<const Document> document, const void* table)
      : document_(std::move(document)), table_(table) {}

  std::shared_ptr<const Document> document_;  ///< shared by the tables of one file
  const void* table_;                         ///< a toml::table of it
};

}  // namespace ingot::data
