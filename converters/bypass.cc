// SPDX-License-Identifier: Apache-2.0
// Taking a node out whose output is the same tensor as one of its inputs.
#include "converters/bypass.h"

#include <algorithm>

namespace ingot::converters {

bool Bypass::take_out(const onnx::NodeProto& node, int slot) {
  const std::string& to = node.output(0);
  const auto earlier = bypassed_.find(node.input(slot));
  const std::string from = earlier == bypassed_.end() ? node.input(slot) : earlier->second;
  if (from.empty() || taken_over_.contains(from)) return false;
  if (!index_.is_graph_output(to)) {
    edits_.replace_uses(to, from);
    bypassed_.insert_or_assign(to, from);
    edits_.remove(node);
    return true;
  }
  onnx::NodeProto* producer = index_.producer(from);
  if (producer == nullptr || edits_.touched(*producer) || index_.is_graph_output(from)) {
    return false;
  }
  const auto place = std::ranges::find(producer->output(), from) - producer->output().begin();
  edits_.rename_output(*producer, static_cast<int>(place), to);
  edits_.replace_uses(from, to);
  taken_over_.insert(from);
  edits_.remove(node);
  return true;
}

}  // namespace ingot::converters
