// SPDX-License-Identifier: Apache-2.0
// The one error type. Its code alone decides the exit code; its context says where, innermost
// first. An answer (a tensor over tolerance, a failed gate, a hash mismatch) is not an Error: it is
// a row of a report.
#pragma once

#include <exception>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

namespace ingot {

enum class Code {
  kUsage,        ///< 2: unknown flag, contradictory options, option without effect
  kInput,        ///< 3: a file is missing, malformed, or does not fit the model
  kUnsupported,  ///< 4: operator, opset, data type or method that is not supported
  kEnvironment,  ///< 5: disk full, no permission, runtime library missing or too old
  kEngine,       ///< 6: ONNX Runtime reported a failure
  kInternal,     ///< 70: our bug
  kInterrupted,  ///< 130: SIGINT or SIGTERM
};

/// The process exit code of `code` (docs/cli.md).
int exit_code(Code code) noexcept;
/// The machine-readable name of `code`: "usage", "input", "unsupported", "environment", "engine",
/// "internal", "interrupted".
const char* code_name(Code code) noexcept;

class Error : public std::exception {
 public:
  /// `message`: what is wrong with the value seen and the value wanted; lower case, no trailing
  /// dot. `hint`: what the user can do.
  Error(Code code, std::string message, std::string hint = {},
        std::source_location where = std::source_location::current());

  Code code() const noexcept { return code_; }
  const std::string& message() const noexcept { return message_; }
  const std::string& hint() const noexcept { return hint_; }
  const std::vector<std::string>& context() const noexcept { return context_; }
  const std::source_location& where() const noexcept { return where_; }
  /// Appends an outer context ("while reading 'm.onnx'").
  void add_context(std::string context);
  /// "message | context | context"; the same as what().
  const char* what() const noexcept override { return rendered_.c_str(); }

 private:
  Code code_;
  std::string message_, hint_;
  std::vector<std::string> context_;
  std::source_location where_;
  std::string rendered_;
};

/// Runs `body`; an Error that passes gets the context `describe()` (built only then).
template <class Describe, class Body>
decltype(auto) with_context(Describe&& describe, Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (Error& error) {
    error.add_context(std::forward<Describe>(describe)());
    throw;
  }
}

[[noreturn]] void check_failed(const char* condition, std::source_location where);

}  // namespace ingot

/// For our own bugs only, on in release too: throws kInternal. A user's input must never reach one.
#define INGOT_CHECK(condition)        \
  ((condition) ? static_cast<void>(0) \
               : ::ingot::check_failed(#condition, std::source_location::current()))
