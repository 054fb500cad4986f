// SPDX-License-Identifier: Apache-2.0
// JSON as ingot reads and writes it. Include this in .cc files only: nlohmann/json is slow to
// compile.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ingot {

using Json = nlohmann::json;  ///< keys sorted: canonical documents (manifests, plans)
using OrderedJson = nlohmann::ordered_json;  ///< keys as inserted: reports for people and CI

/// Parses untrusted text: at most `max_depth` levels, no duplicate keys. Throws kInput naming
/// `source`, line and column.
Json parse_json(std::string_view text, std::string_view source, int max_depth = 64);
/// RFC 8785 form of our subset: sorted keys, no white space, integers, strings, booleans, null; a
/// float throws kInternal (canonical documents carry decimals as strings).
std::string canonical_json(const Json& document);

/// Throws kInput naming `source` and `where` when `object` is not an object or has a key that is
/// not in `known` (with the nearest).
void require_known_keys(const Json& object, std::initializer_list<std::string_view> known,
                        std::string_view source, std::string_view where);

}  // namespace ingot
