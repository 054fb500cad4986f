// SPDX-License-Identifier: Apache-2.0
// Down: what an operator takes as an input and had as an attribute before. The input has to be
// constant.
#include <fmt/format.h>

#include <algorithm>

#include "converters/opset/rewrites.h"

namespace ingot::converters {
namespace {

/// Makes the attribute `name` of input `slot`, where there is one; the input becomes absent.
void input_to_list(NodeChange& change, int slot, const char* name) {
  if (!change.has_input(slot)) return;
  graph::set_attribute(change.node, name, change.known_integers(slot));
  change.set_input(slot, "");
}

float known_number(const NodeChange& change, int slot) {
  const auto value = change.number(slot);
  if (!value) {
    change.refuse(
        fmt::format("'{}' is no constant number that an attribute holds", change.node.input(slot)));
  }
  return *value;
}

}  // namespace

void axes_to_attribute(NodeChange& change) {
  input_to_list(change, 1, "axes");
  change.cut_inputs(1);
}

void reduced_axes_to_attribute(NodeChange& change) {
  const bool keeps_all = change.integer("noop_with_empty_axes", 0) != 0;
  const auto axes = change.has_input(1) ? change.known_integers(1) : std::vector<std::int64_t>{};
  if (axes.empty() && keeps_all) change.refuse("noop_with_empty_axes is set and there are no axes");
  change.drop("noop_with_empty_axes");
  if (!axes.empty()) graph::set_attribute(change.node, "axes", axes);
  change.cut_inputs(1);
}

void slice_to_attributes(NodeChange& change) {
  if (change.has_input(4)) {
    const auto steps = change.known_integers(4);
    if (!std::ranges::all_of(steps, [](std::int64_t step) { return step == 1; }))
      change.refuse("its steps are not all 1");
  }
  input_to_list(change, 1, "starts");
  input_to_list(change, 2, "ends");
  input_to_list(change, 3, "axes");
  change.cut_inputs(1);
}

void k_to_attribute(NodeChange& change) {
  const auto k = change.known_integers(1);
  if (k.size() != 1) change.refuse(fmt::format("k has {} elements, 1 is wanted", k.size()));
  graph::set_attribute(change.node, "k", k[0]);
  change.cut_inputs(1);
}

void pads_to_attributes(NodeChange& change) {
  if (change.has_input(2)) graph::set_attribute(change.node, "value", known_number(change, 2));
  input_to_list(change, 1, "pads");
  change.cut_inputs(1);
}

void limits_to_attributes(NodeChange& change) {
  if (change.has_input(1)) graph::set_attribute(change.node, "min", known_number(change, 1));
  if (change.has_input(2)) graph::set_attribute(change.node, "max", known_number(change, 2));
  change.cut_inputs(1);
}

void split_to_attribute(NodeChange& change) {
  input_to_list(change, 1, "split");
  change.cut_inputs(1);
}

void scales_to_attribute(NodeChange& change) {
  const auto scales = change.scope().constant(change.node.input(1));
  if (!scales || scales->dtype != DType::kFloat)
    change.refuse(fmt::format("'{}' is computed, a constant is wanted", change.node.input(1)));
  onnx::AttributeProto& attribute = *change.node.add_attribute();
  attribute.set_name("scales");
  attribute.set_type(onnx::AttributeProto::FLOATS);
  for (const float scale : scales->as<float>()) attribute.add_floats(scale);
  change.cut_inputs(1);
}

// The runtime fills the mask of versions 7 and 10 with false, that of 12 with true.
void dropout_ratio_to_attribute(NodeChange& change) {
  if (change.has_input(2) && change.known_integers(2) != std::vector<std::int64_t>{0})
    change.refuse("it drops at random");
  if (change.has_input(1)) graph::set_attribute(change.node, "ratio", known_number(change, 1));
  change.drop("seed");
  change.cut_inputs(1);
  if (!change.has_output(1)) return;
  const std::string mask = change.node.output(1);
  change.after("Not", {change.detach_output(1)}, mask);
}

void dft_axis_to_attribute(NodeChange& change) {
  const auto axis = change.has_input(2) ? change.known_integers(2) : std::vector<std::int64_t>{-2};
  if (axis.size() != 1) change.refuse(fmt::format("axis has {} elements", axis.size()));
  graph::set_attribute(change.node, "axis", axis[0]);
  change.cut_inputs(2);
}

}  // namespace ingot::converters
