// SPDX-License-Identifier: Apache-2.0
// Typed access to an untrusted JSON object; every fault is an Error that names file, place, value
// seen and value wanted. For .cc files of this folder only.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/json.h"

namespace ingot::manifests {

inline constexpr std::int64_t kMaxInteger = (std::int64_t{1} << 53) - 1;

/// A JSON object of the document `source` at `where` ("model.inputs[0]"; "" = the document itself).
/// Refers to `json`.
class Fields {
 public:
  /// Throws kInput when `json` is not an object.
  Fields(const Json& json, std::string source, std::string where);

  /// Throws kInput for a key that is not in `known`.
  void require_known(std::initializer_list<std::string_view> known) const;
  bool has(std::string_view key) const;
  /// Each of these throws kInput when the member is missing, of another type, or out of range.
  std::string text(std::string_view key) const;
  std::string text_or_empty(std::string_view key) const { return has(key) ? text(key) : ""; }
  std::int64_t integer(std::string_view key, std::int64_t least, std::int64_t most) const;
  bool boolean(std::string_view key) const;
  /// An array of at most `most` elements.
  const Json& array(std::string_view key, std::size_t most) const;
  Fields object(std::string_view key) const;
  /// Element `i` of the array `key`, as an object.
  Fields element(std::string_view key, std::size_t i) const;

  /// "model.inputs" for key "inputs" of "model".
  std::string place(std::string_view key) const;
  /// Throws kInput: "'source': 'place' <fault>".
  [[noreturn]] void refuse(std::string_view key, std::string_view fault) const;

 private:
  const Json& member(std::string_view key) const;

  const Json& json_;
  std::string source_, where_;
};

/// `json` as it may be shown in a message: at most 60 bytes.
std::string shown(const Json& json);

/// Throws kInput when `json` holds a float or an integer beyond 2^53-1: canonical documents have
/// neither.
void refuse_inexact_numbers(const Json& json, std::string_view source);

}  // namespace ingot::manifests
