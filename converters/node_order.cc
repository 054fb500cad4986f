// SPDX-License-Identifier: Apache-2.0
// Whether the nodes of a graph stand in an order in which they can run.
#include "converters/node_order.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

#include "graph/captures.h"

namespace ingot::converters {

bool is_sorted(const onnx::GraphProto& graph) {
  std::unordered_set<std::string_view> later;
  for (const auto& node : graph.node()) later.insert(node.output().begin(), node.output().end());
  later.erase("");
  for (const auto& node : graph.node()) {
    std::unordered_set<std::string_view> reads = graph::captures_of(node);
    reads.insert(node.input().begin(), node.input().end());
    if (std::ranges::any_of(reads, [&](auto name) { return later.contains(name); })) return false;
    for (const std::string& name : node.output()) later.erase(name);
  }
  return true;
}

}  // namespace ingot::converters
