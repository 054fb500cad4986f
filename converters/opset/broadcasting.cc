// SPDX-License-Identifier: Apache-2.0
// Broadcasting: before 7 the second input said where it lies by an axis, from 7 on the shapes do;
// before 8 Max, Mean, Min and Sum have none.
#include <fmt/format.h>

#include <algorithm>

#include "converters/opset/rewrites.h"

namespace ingot::converters {
namespace {

/// Gives input 1, of rank `rank`, `count` dimensions of 1 at the end.
void append_ones(NodeChange& change, std::int64_t rank, std::int64_t count) {
  std::vector<std::int64_t> axes;
  for (std::int64_t axis = rank; axis < rank + count; ++axis) axes.push_back(axis);
  onnx::NodeProto& unsqueeze = change.before("Unsqueeze", {change.node.input(1)});
  graph::set_attribute(unsqueeze, "axes", axes);
  change.node.set_input(1, unsqueeze.output(0));
}

}  // namespace

void align_second_input(NodeChange& change) {
  change.drop("consumed_inputs");
  const bool broadcasts = change.integer("broadcast", 0) != 0;
  const bool has_axis = change.has("axis");
  std::int64_t axis = change.integer("axis", 0);
  change.drop("broadcast");
  change.drop("axis");
  if (!broadcasts || !has_axis) return;  // equal shapes, or aligned at the end
  const std::int64_t rank = change.known_rank(0), second = change.known_rank(1);
  if (axis < 0) axis += rank;
  const std::int64_t missing = rank - axis - second;
  if (axis < 0 || missing < 0) {
    change.refuse(fmt::format("an input of rank {} at axis {} does not fit one of rank {}", second,
                              axis, rank));
  }
  if (missing > 0) append_ones(change, second, missing);
}

void align_slope(NodeChange& change) {
  const auto slope = change.shape(1);
  if (slope && element_count(*slope) == 1) return;
  const std::int64_t rank = change.known_rank(0), second = change.known_rank(1);
  constexpr std::int64_t kChannelAxis = 1;
  if (second == 1 && rank > kChannelAxis + 1) append_ones(change, second, rank - kChannelAxis - 1);
}

void require_equal_shapes(NodeChange& change) {
  const auto first = change.shape(0);
  for (int slot = 0; slot < change.node.input_size(); ++slot) {
    const auto other = change.shape(slot);
    const bool is_known = other && std::ranges::find(*other, -1) == other->end();
    if (!is_known || other != first)
      change.refuse("its inputs are not known to be of one shape, and it cannot broadcast");
  }
}

}  // namespace ingot::converters
