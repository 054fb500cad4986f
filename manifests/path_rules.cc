// SPDX-License-Identifier: Apache-2.0
#include "manifests/path_rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace ingot::manifests {
namespace {

bool is_allowed(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

}  // namespace

std::string path_fault(std::string_view path) {
  if (path.empty()) return "it is empty";
  if (path.size() > kMaxPathBytes) {
    return fmt::format("it has {} bytes, at most {} are allowed", path.size(), kMaxPathBytes);
  }
  if (path.front() == '/') return "it begins with '/'";
  bool at_start = true;
  for (const char c : path) {
    if (c == '/') {
      if (at_start) return "a component is empty";
      at_start = true;
      continue;
    }
    if (!is_allowed(c)) return "only letters, digits, '.', '_', '-' and '/' are allowed";
    if (at_start && c == '.') return "a component begins with '.'";
    at_start = false;
  }
  return at_start ? "it ends in '/'" : "";
}

std::string case_folded(std::string_view path) {
  std::string folded(path);
  std::ranges::transform(folded, folded.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return folded;
}

}  // namespace ingot::manifests
