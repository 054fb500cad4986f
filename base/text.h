// SPDX-License-Identifier: Apache-2.0
// Text that users type and read: globs, near misses, sizes and times.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ingot {

/// Shell-style: '*' any characters (also '/'), '?' one, '[a-z]' and '[!a-z]' sets, '\' quotes the
/// next. The whole text must match.
bool glob_match(std::string_view pattern, std::string_view text);
/// Levenshtein distance in bytes.
std::size_t edit_distance(std::string_view a, std::string_view b);
/// Up to `most` of `candidates`, nearest first, none further than a third of the word's length (at
/// least 2).
std::vector<std::string> nearest(std::string_view word, std::span<const std::string> candidates,
                                 std::size_t most = 3);
/// "; did you mean 'a' or 'b'?" or "" when nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

/// "1.5GiB", "6MB", "4096" (bytes) → bytes, rounded down. Units: B, kB, MB, GB, TB (powers of
/// 1000), KiB, MiB, GiB, TiB, case as written or lower. Throws kUsage naming the text and the form
/// wanted.
std::uint64_t parse_size_bytes(std::string_view text);
/// "20ms", "1.5s", "300us", "2min" → seconds. A unit is required. Throws kUsage.
double parse_seconds(std::string_view text);
/// "23.1 MiB", "512 B".
std::string format_bytes(std::uint64_t bytes);
/// "12.3 ms", "1.20 s".
std::string format_seconds(double seconds);
/// The shortest decimal text that reads back as the same double ("0.1", "1e-05", "nan", "inf").
std::string format_number(double value);

/// A user's pattern over nodes: a glob over the name, "op:TYPE" or "re:REGEX" (ECMAScript without
/// back-references, searched). Throws kUsage on a bad regex.
class Pattern {
 public:
  explicit Pattern(std::string text);
  bool matches(std::string_view node_name, std::string_view op_type) const;
  const std::string& text() const { return text_; }

 private:
  struct Compiled;
  std::string text_;
  std::shared_ptr<const Compiled> compiled_;  ///< of "re:" only; shared, so that copies are cheap
};

/// True when `text` is valid UTF-8.
bool is_utf8(std::string_view text);

}  // namespace ingot
