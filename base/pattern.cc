// SPDX-License-Identifier: Apache-2.0
// A user's choice of nodes; declared in text.h.
#include <fmt/format.h>

#include <regex>

#include "base/error.h"
#include "base/text.h"

namespace ingot {

struct Pattern::Compiled {
  std::regex regex;
};

Pattern::Pattern(std::string text) : text_(std::move(text)) {
  if (!text_.starts_with("re:")) return;
  try {
    // libstdc++'s default matcher recurses once per character and would overflow the stack on a
    // long name; this one does not. It has no back-references, which then count as a bad regex.
    constexpr auto kFlags = std::regex::ECMAScript | std::regex_constants::__polynomial;
    compiled_ = std::make_shared<const Compiled>(Compiled{std::regex(text_.substr(3), kFlags)});
  } catch (const std::regex_error& error) {
    throw Error(Code::kUsage, fmt::format("pattern '{}' is not a valid regular expression: {}",
                                          text_, error.what()));
  }
}

bool Pattern::matches(std::string_view node_name, std::string_view op_type) const {
  if (compiled_) return std::regex_search(node_name.begin(), node_name.end(), compiled_->regex);
  if (text_.starts_with("op:")) return std::string_view(text_).substr(3) == op_type;
  return glob_match(text_, node_name);
}

}  // namespace ingot
