// SPDX-License-Identifier: Apache-2.0
// The command line of ingot-run: options as data, so that parsing, help and near misses share one
// definition.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::device {

/// One option of a command. `value` empty: a flag. `many`: takes every word up to the next option,
/// and may be repeated.
struct Option {
  std::string_view name;   ///< "--input"
  std::string_view value;  ///< "FILE"
  std::string_view help;
  bool many = false;
};

/// The words after a command's name, sorted out.
class Arguments {
 public:
  /// Throws kUsage for an unknown option (with the nearest), a missing value, or an option given
  /// twice. "--name=value" and "--name value" are alike; "--" ends the options; "-o" is --output.
  Arguments(std::span<const std::string> words, std::span<const Option> options);

  const std::vector<std::string>& positional() const { return positional_; }
  bool has(std::string_view name) const { return values_.contains(name); }
  /// The value of `name`, or `otherwise`.
  std::string text(std::string_view name, std::string_view otherwise = {}) const;
  std::vector<std::string> texts(std::string_view name) const;
  /// An integer from `least` to `most`. Throws kUsage naming option, value seen and values wanted.
  int integer(std::string_view name, int otherwise, int least, int most) const;

 private:
  std::vector<std::string> positional_;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

/// "  --input FILE...   help", one line each, aligned.
std::string describe(std::span<const Option> options);

}  // namespace ingot::device
