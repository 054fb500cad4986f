// SPDX-License-Identifier: Apache-2.0
// Globs, near misses and UTF-8; sizes and times are in units.cc, node patterns in pattern.cc.
#include "base/text.h"

#include <algorithm>
#include <numeric>

namespace ingot {
namespace {

/// One element of a glob at pattern[at]: whether it takes `c`, and where the next element starts.
/// Never called on '*'.
struct GlobStep {
  bool matches;
  std::size_t next;
};

GlobStep match_set(std::string_view pattern, std::size_t at, char c) {
  std::size_t i = at + 1;
  const bool negated = i < pattern.size() && pattern[i] == '!';
  if (negated) ++i;
  bool found = false;
  const auto byte = static_cast<unsigned char>(c);
  for (bool first = true; i < pattern.size() && (first || pattern[i] != ']'); first = false) {
    const auto low = static_cast<unsigned char>(pattern[i]);
    auto high = low;
    if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
      high = static_cast<unsigned char>(pattern[i + 2]);
      i += 2;
    }
    found = found || (low <= byte && byte <= high);
    ++i;
  }
  if (i >= pattern.size()) return {c == '[', at + 1};  // no closing bracket: '[' stands for itself
  return {found != negated, i + 1};
}

GlobStep match_one(std::string_view pattern, std::size_t at, char c) {
  switch (pattern[at]) {
    case '?':
      return {true, at + 1};
    case '[':
      return match_set(pattern, at, c);
    case '\\':
      if (at + 1 < pattern.size()) return {pattern[at + 1] == c, at + 2};
      return {c == '\\', at + 1};
    default:
      return {pattern[at] == c, at + 1};
  }
}

/// Length of the UTF-8 sequence at text[i], 0 when it is not valid there.
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u;
  };
  const unsigned lead = byte(i);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xc2 && lead <= 0xdf   ? 2
                             : lead >= 0xe0 && lead <= 0xef ? 3
                             : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                            : 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xc0u) != 0x80u) return 0;
  }
  // Overlong forms, UTF-16 surrogates and code points above U+10FFFF show in the second byte.
  const unsigned second = byte(i + 1);
  if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f)) return 0;
  if ((lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f)) return 0;
  return length;
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0;
  // Where to go on when a literal part fails: after the last '*', one character later. Linear
  // memory, no recursion.
  std::size_t star = std::string_view::npos, star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      star_text = t;
      continue;
    }
    if (p < pattern.size()) {
      const GlobStep step = match_one(pattern, p, text[t]);
      if (step.matches) {
        p = step.next;
        ++t;
        continue;
      }
    }
    if (star == std::string_view::npos) return false;
    p = star;
    t = ++star_text;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

std::vector<std::string> nearest(std::string_view word, std::span<const std::string> candidates,
                                 std::size_t most) {
  const std::size_t limit = std::max<std::size_t>(2, word.size() / 3);
  std::vector<std::pair<std::size_t, const std::string*>> near;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    if (longer - std::min(word.size(), candidate.size()) > limit) continue;
    const std::size_t distance = edit_distance(word, candidate);
    // A word with no character in place is no near miss, however short it is.
    if (distance <= limit && distance < longer) near.emplace_back(distance, &candidate);
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> result;
  for (std::size_t i = 0; i < std::min(most, near.size()); ++i) result.push_back(*near[i].second);
  return result;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::vector<std::string> near = nearest(word, candidates);
  if (near.empty()) return {};
  std::string text = "; did you mean ";
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (i > 0) text += i + 1 == near.size() ? " or " : ", ";
    text += "'" + near[i] + "'";
  }
  return text + "?";
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

}  // namespace ingot
