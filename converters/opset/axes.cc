// SPDX-License-Identifier: Apache-2.0
// Softmax, LogSoftmax and Hardmax before 13 take everything from `axis` on as one axis, from 13 on
// `axis` alone; and before 11 axes are counted from the front.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "converters/opset/rewrites.h"

namespace ingot::converters {
namespace {

/// True when `axis`, as the node has it, is the last of `rank` (unknown: only -1 is).
bool is_last(std::int64_t axis, std::optional<std::int64_t> rank) {
  return axis == -1 || (rank && axis == *rank - 1);
}

/// An input that says `shape` where all of it is known and no 0 (Reshape would copy a dimension for
/// it), else the Shape of the first input.
std::string shape_input(NodeChange& change) {
  const auto shape = change.shape(0);
  const bool is_known =
      shape && std::ranges::all_of(*shape, [](std::int64_t extent) { return extent > 0; });
  if (is_known) return change.integers_constant("shape", *shape);
  return change.before("Shape", {change.node.input(0)}).output(0);
}

}  // namespace

void flatten_around(NodeChange& change) {
  constexpr std::int64_t kOldDefault = 1, kAllowZero = 14;
  const auto* given = graph::find_attribute(change.node, "axis");
  const bool is_reference = given != nullptr && !given->ref_attr_name().empty();
  if (!is_reference) {
    const std::int64_t axis = change.integer("axis", kOldDefault);
    graph::set_attribute(change.node, "axis", axis);
    if (is_last(axis, change.rank(0))) return;
  }
  const std::string shape = shape_input(change);
  onnx::NodeProto& flat = change.before("Flatten", {change.node.input(0)});
  *flat.add_attribute() = *graph::find_attribute(change.node, "axis");
  change.node.set_input(0, flat.output(0));
  graph::set_attribute(change.node, "axis", std::int64_t{-1});
  const std::string output = change.node.output(0);
  const std::string raw = change.detach_output(0);
  const bool allows_zero = change.step.target >= kAllowZero;
  onnx::NodeProto& back =
      change.after("Reshape", {raw, shape}, output, allows_zero ? kAllowZero : 0);
  if (allows_zero && !change.scope().constant(shape))
    graph::set_attribute(back, "allowzero", std::int64_t{1});
}

void one_axis_flattened(NodeChange& change) {
  const std::int64_t axis = change.integer("axis", -1);
  const auto rank = change.rank(0);
  if (is_last(axis, rank)) return graph::set_attribute(change.node, "axis", axis);
  const std::int64_t last = change.known_rank(0) - 1;
  const std::int64_t moved = axis < 0 ? axis + last + 1 : axis;
  if (moved < 0 || moved > last)
    change.refuse(fmt::format("axis is {}, the rank {}", axis, last + 1));
  std::vector<std::int64_t> order(static_cast<std::size_t>(last + 1));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::swap(order[static_cast<std::size_t>(moved)], order.back());
  onnx::NodeProto& there = change.before("Transpose", {change.node.input(0)});
  graph::set_attribute(there, "perm", order);
  change.node.set_input(0, there.output(0));
  graph::set_attribute(change.node, "axis", last);
  const std::string output = change.node.output(0);
  graph::set_attribute(change.after("Transpose", {change.detach_output(0)}, output), "perm", order);
}

void count_axes_from_front(NodeChange& change) {
  const std::string& op = change.node.op_type();
  const auto axes = change.list("axes");
  const std::int64_t axis = change.integer("axis", 0);
  const auto is_negative = [](std::int64_t value) { return value < 0; };
  if (axis >= 0 && (!axes || std::ranges::none_of(*axes, is_negative))) return;
  std::int64_t rank = change.known_rank(0);
  if (op == "OneHot") ++rank;
  if (op == "Unsqueeze" && axes) rank += static_cast<std::int64_t>(axes->size());
  if (axis < 0) graph::set_attribute(change.node, "axis", axis + rank);
  if (!axes) return;
  std::vector<std::int64_t> counted = *axes;
  for (std::int64_t& value : counted) value += value < 0 ? rank : 0;
  graph::set_attribute(change.node, "axes", counted);
}

}  // namespace ingot::converters
