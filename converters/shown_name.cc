// SPDX-License-Identifier: Apache-2.0
#include "converters/shown_name.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "graph/graph_index.h"

namespace ingot::converters {
namespace {

constexpr std::size_t kMaxShownBytes = 200;

}  // namespace

std::string shown(std::string_view name) {
  const std::string_view start = name.substr(0, kMaxShownBytes);
  std::string text;
  if (is_utf8(name)) {
    // A character that the cut hits in the middle goes whole.
    std::size_t end = start.size();
    while (end < name.size() && end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) {
      --end;
    }
    text = start.substr(0, end);
  } else {
    for (const char c : start) {
      const auto byte = static_cast<unsigned char>(c);
      text += byte < 0x80 ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
    }
  }
  if (name.size() > kMaxShownBytes) text += fmt::format("… ({} bytes)", name.size());
  return text;
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

std::string shown_node(const onnx::NodeProto& node) {
  if (!node.name().empty())
    return fmt::format("{} '{}'", shown(node.op_type()), shown(node.name()));
  if (node.output_size() > 0)
    return fmt::format("{} writing '{}'", shown(node.op_type()), shown(node.output(0)));
  return graph::describe(node);
}

}  // namespace ingot::converters
