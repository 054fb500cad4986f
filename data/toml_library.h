// SPDX-License-Identifier: Apache-2.0
// toml++ made fit for text from outside: it has assertions that some malformed texts break
// ("[[= 1"), which end the process or, where NDEBUG takes them out, read on past what they guard.
// Here they are exceptions in every build. For .cc files of this folder only.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace ingot::data {

/// A text broke an assertion of toml++.
struct TomlAssertion : std::logic_error {
  using std::logic_error::logic_error;
};

// A function, since g++ warns of a plain throw in toml++'s noexcept functions; those do not parse.
[[noreturn]] inline void fail_toml_assertion(const char* what) { throw TomlAssertion(what); }

}  // namespace ingot::data

#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) \
  ((expr) ? static_cast<void>(0) : ::ingot::data::fail_toml_assertion(#expr))
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace ingot::data {

/// The root table of `path` (at most 1 MiB). Throws kInput when it is missing or not TOML, naming
/// line and column.
toml::table parse_toml_file(const std::filesystem::path& path);

}  // namespace ingot::data
