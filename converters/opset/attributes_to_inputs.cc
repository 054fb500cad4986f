// SPDX-License-Identifier: Apache-2.0
// Up: what an operator had as an attribute and later takes as an input.
#include <fmt/format.h>

#include <limits>

#include "converters/opset/rewrites.h"

namespace ingot::converters {
namespace {

/// The first Constant whose value can be an attribute of the function around it.
constexpr std::int64_t kConstantOfNumbers = 12;

/// The value that the function's caller gives, as a tensor; `kind`: "value_ints", "value_float".
std::string given_by_caller(NodeChange& change, const onnx::AttributeProto& attribute,
                            const std::string& kind) {
  if (change.step.target < kConstantOfNumbers) {
    change.refuse(
        fmt::format("attribute '{}' is given by the caller of the function, and Constant "
                    "takes that from opset {} on",
                    attribute.name(), kConstantOfNumbers));
  }
  onnx::NodeProto& made = change.before("Constant", {}, kConstantOfNumbers);
  onnx::AttributeProto& value = *made.add_attribute();
  value.set_name(kind);
  value.set_ref_attr_name(attribute.ref_attr_name());
  value.set_type(attribute.type());
  return made.output(0);
}

/// Makes input `slot` of the attribute `name`, where there is one.
void list_to_input(NodeChange& change, std::string_view name, int slot) {
  const auto attribute = change.take(name);
  if (!attribute) return;
  if (!attribute->ref_attr_name().empty())
    return change.set_input(slot, given_by_caller(change, *attribute, "value_ints"));
  change.set_input(
      slot, change.integers_constant(name, {attribute->ints().begin(), attribute->ints().end()}));
}

/// The same for a float that takes the type of the first input; `neutral` says no more than an
/// absent input.
void float_to_input(NodeChange& change, std::string_view name, int slot, float neutral) {
  const auto attribute = change.take(name);
  if (!attribute) return;
  if (!attribute->ref_attr_name().empty()) {
    const std::string value = given_by_caller(change, *attribute, "value_float");
    return change.set_input(slot, change.cast_like(value, 0));
  }
  if (attribute->f() != neutral)
    change.set_input(slot, change.scalar_like(name, attribute->f(), 0));
}

}  // namespace

void axes_to_input(NodeChange& change) {
  const auto* axes = graph::find_attribute(change.node, "axes");
  // No axes: all of them, as an absent input says.
  const bool is_empty = axes != nullptr && axes->ref_attr_name().empty() && axes->ints().empty();
  if (is_empty && change.node.op_type() != "Unsqueeze") return change.drop("axes");
  list_to_input(change, "axes", 1);
}

void slice_to_inputs(NodeChange& change) {
  list_to_input(change, "starts", 1);
  list_to_input(change, "ends", 2);
  list_to_input(change, "axes", 3);
}

void k_to_input(NodeChange& change) {
  const std::int64_t k = change.integer("k", 0);
  change.drop("k");
  change.set_input(1, change.integers_constant("k", {k}));
}

void pads_to_inputs(NodeChange& change) {
  list_to_input(change, "pads", 1);
  const bool is_constant = change.text("mode", "constant") == "constant";
  if (is_constant) return float_to_input(change, "value", 2, 0.0F);
  change.drop("value");
}

void limits_to_inputs(NodeChange& change) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  float_to_input(change, "min", 1, -kLargest);
  float_to_input(change, "max", 2, kLargest);
}

void split_to_input(NodeChange& change) { list_to_input(change, "split", 1); }

void scales_to_input(NodeChange& change) {
  const auto scales = change.take("scales");
  if (!scales) return;
  if (!scales->ref_attr_name().empty())
    return change.set_input(1, given_by_caller(change, *scales, "value_floats"));
  const std::vector<float> values(scales->floats().begin(), scales->floats().end());
  change.set_input(1, change.constant("scales", Tensor::of({scales->floats_size()}, values)));
}

void shape_to_input(NodeChange& change) {
  change.drop("consumed_inputs");
  list_to_input(change, "shape", 1);
}

// The runtime fills the mask of versions 7 and 10 with false, that of 12 with true.
void dropout_ratio_to_input(NodeChange& change) {
  if (const auto ratio = change.take("ratio")) {
    const std::string name =
        ratio->ref_attr_name().empty()
            ? change.constant("ratio", Tensor::of<float>({}, std::vector<float>{ratio->f()}))
            : given_by_caller(change, *ratio, "value_float");
    change.set_input(1, name);
  }
  if (!change.has_output(1)) return;
  const std::string mask = change.node.output(1);
  change.after("Not", {change.detach_output(1)}, mask);
}

void dft_axis_to_input(NodeChange& change) {
  const std::int64_t axis = change.integer("axis", 1);
  change.drop("axis");
  change.set_input(
      2, change.constant("axis", Tensor::of<std::int64_t>({}, std::vector<std::int64_t>{axis})));
}

}  // namespace ingot::converters
