// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/text.h"

namespace ingot {
namespace {

/// Characters of a text, counting how far the parser has read, so that what the parser accepts but
/// we do not can be located too.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* count) : at_(at), count_(count) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*count_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) {
    return a.at_ == b.at_;
  }
  friend bool operator!=(const CountingIterator& a, const CountingIterator& b) {
    return a.at_ != b.at_;
  }

 private:
  const char* at_;
  std::size_t* count_;
};

Error error_at(std::string_view text, std::size_t offset, std::string_view source,
               std::string_view what) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t last = before.rfind('\n');
  const std::size_t column = 1 + before.size() - (last == std::string_view::npos ? 0 : last + 1);
  return Error(Code::kInput, fmt::format("'{}' line {} column {}: {}", source, line, column, what));
}

/// "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while …" without
/// what we say ourselves.
std::string reason_of(const Json::exception& error) {
  const std::string_view text = error.what();
  for (const std::string_view mark : {"syntax error ", "] "}) {
    const std::size_t at = text.find(mark);
    if (at != std::string_view::npos)
      return "not valid JSON: " + std::string(text.substr(at + (mark == "] " ? mark.size() : 0)));
  }
  return "not valid JSON: " + std::string(text);
}

/// UTF-16 order, as RFC 8785 sorts keys: like the order of the UTF-8 bytes, but U+E000…U+FFFF come
/// after all code points above them.
bool utf16_less(std::string_view a, std::string_view b) {
  const auto rank = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0xee || byte == 0xef ? byte + 0x10 : byte + 0;
  };
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [&](char x, char y) { return rank(x) < rank(y); });
}

constexpr std::int64_t kLargestExact = (std::int64_t{1} << 53) - 1;

void check_integer(const Json& value) {
  if (value.is_number_unsigned()) {
    INGOT_CHECK(value.get<std::uint64_t>() <= static_cast<std::uint64_t>(kLargestExact));
  } else {
    INGOT_CHECK(value.get<std::int64_t>() >= -kLargestExact &&
                value.get<std::int64_t>() <= kLargestExact);
  }
}

void append_canonical(const Json& value, std::string& out) {
  if (value.is_object()) {
    std::vector<std::pair<std::string_view, const Json*>> members;
    for (const auto& [key, member] : value.items()) members.emplace_back(key, &member);
    std::sort(members.begin(), members.end(),
              [](const auto& a, const auto& b) { return utf16_less(a.first, b.first); });
    out += '{';
    for (const auto& [key, member] : members) {
      if (out.back() != '{') out += ',';
      out += Json(key).dump() + ":";
      append_canonical(*member, out);
    }
    out += '}';
  } else if (value.is_array()) {
    out += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i > 0) out += ',';
      append_canonical(value[i], out);
    }
    out += ']';
  } else {
    INGOT_CHECK(!value.is_number_float() && !value.is_binary() && !value.is_discarded());
    if (value.is_number()) check_integer(value);
    out += value.dump();
  }
}

}  // namespace

Json parse_json(std::string_view text, std::string_view source, int max_depth) {
  std::size_t read = 0;
  int depth = 0;
  std::vector<std::set<std::string>> keys;
  const auto on_event = [&](int, Json::parse_event_t event, Json& value) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      if (++depth > max_depth)
        throw error_at(text, read, source, fmt::format("more than {} nested levels", max_depth));
      if (event == Event::object_start) keys.emplace_back();
    } else if (event == Event::object_end || event == Event::array_end) {
      --depth;
      if (event == Event::object_end) keys.pop_back();
    } else if (event == Event::key) {
      const auto& key = value.get_ref<const std::string&>();
      if (!keys.back().insert(key).second)
        throw error_at(text, read, source, fmt::format("key '{}' appears twice", key));
    }
    return true;
  };
  try {
    return Json::parse(CountingIterator(text.data(), &read),
                       CountingIterator(text.data() + text.size(), &read), on_event);
  } catch (const Json::parse_error& error) {
    throw error_at(text, error.byte > 0 ? error.byte - 1 : 0, source, reason_of(error));
  } catch (const Json::exception& error) {
    throw error_at(text, read, source, reason_of(error));
  }
}

std::string canonical_json(const Json& document) {
  std::string out;
  try {
    append_canonical(document, out);
  } catch (const Json::exception& error) {
    throw Error(Code::kInternal,
                fmt::format("a canonical document holds text that is not UTF-8: {}", error.what()));
  }
  return out;
}

void require_known_keys(const Json& object, std::initializer_list<std::string_view> known,
                        std::string_view source, std::string_view where) {
  if (!object.is_object())
    throw Error(Code::kInput, fmt::format("'{}': {} is of type {}; wanted an object", source, where,
                                          object.type_name()));
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::vector<std::string> names(known.begin(), known.end());
    throw Error(Code::kInput, fmt::format("'{}': {} has the unknown key '{}'{}", source, where, key,
                                          did_you_mean(key, names)));
  }
}

}  // namespace ingot
