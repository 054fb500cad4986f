// SPDX-License-Identifier: Apache-2.0
// Up, in the opsets below 7, which no runtime promises to run.
#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <cmath>

#include "converters/opset/rewrites.h"

namespace ingot::converters {

void drop_consumed_inputs(NodeChange& change) { change.drop("consumed_inputs"); }

void keep_old_selu(NodeChange& change) {
  change.drop("consumed_inputs");
  if (!change.has("alpha")) graph::set_attribute(change.node, "alpha", 1.6732F);
  if (!change.has("gamma")) graph::set_attribute(change.node, "gamma", 1.0507F);
}

void concat_axis_explicit(NodeChange& change) {
  constexpr std::int64_t kDefault = 1;
  if (!change.has("axis")) graph::set_attribute(change.node, "axis", kDefault);
}

void split_axis_explicit(NodeChange& change) {
  constexpr std::int64_t kDefault = 0;
  if (!change.has("axis")) graph::set_attribute(change.node, "axis", kDefault);
  if (change.has_input(1)) change.refuse("the sizes are an input, an attribute is wanted");
}

void rename_paddings(NodeChange& change) {
  if (auto pads = change.take("paddings")) {
    pads->set_name("pads");
    *change.node.add_attribute() = std::move(*pads);
  }
}

void norm_as_integer(NodeChange& change) {
  const float p = change.real("p", 2.0F);
  if (p != std::floor(p)) change.refuse(fmt::format("p is {}, an integer is wanted", p));
  graph::set_attribute(change.node, "p", static_cast<std::int64_t>(p));
}

void cast_by_number(NodeChange& change) {
  const std::string name = change.text("to", "");
  onnx::TensorProto::DataType type = onnx::TensorProto::UNDEFINED;
  if (!onnx::TensorProto::DataType_Parse(name, &type))
    change.refuse(fmt::format("there is no type '{}'", name));
  graph::set_attribute(change.node, "to", static_cast<std::int64_t>(type));
}

void tile_all_axes(NodeChange& change) {
  const auto tiles = change.number(1), axis = change.number(2);
  if (!tiles || !axis) change.refuse("tiles or axis is computed, constants are wanted");
  std::vector<std::int64_t> repeats(static_cast<std::size_t>(change.known_rank(0)), 1);
  const auto at = static_cast<std::size_t>(*axis);
  if (*axis < 0 || at >= repeats.size())
    change.refuse(fmt::format("axis is {}, the rank {}", *axis, repeats.size()));
  repeats[at] = static_cast<std::int64_t>(*tiles);
  change.cut_inputs(1);
  change.set_input(1, change.integers_constant("repeats", repeats));
}

// Which outputs are there says the same.
void drop_output_sequence(NodeChange& change) { change.drop("output_sequence"); }

// The broadcast is that of numpy without being asked for.
void drop_broadcast(NodeChange& change) { change.drop("broadcast"); }

// One output is the sign of inference, whatever is_test says: ONNX describes training with five.
void require_inference(NodeChange& change) {
  const bool is_test = change.integer("is_test", 0) != 0;
  for (int slot = 1; slot < change.node.output_size(); ++slot) {
    if (change.has_output(slot) && !is_test) change.refuse("it trains: is_test is not set");
  }
  change.drop("is_test");
}

void require_test_mode(NodeChange& change) {
  if (change.integer("is_test", 0) == 0) change.refuse("it drops at random: is_test is not set");
  change.drop("is_test");
}

void upsample_scales(NodeChange& change) {
  const float height = change.real("height_scale", 1.0F), width = change.real("width_scale", 1.0F);
  if (change.text("mode", "nearest") == "bilinear")
    graph::set_attribute(change.node, "mode", std::string("linear"));
  change.drop("height_scale");
  change.drop("width_scale");
  onnx::AttributeProto& scales = *change.node.add_attribute();
  scales.set_name("scales");
  scales.set_type(onnx::AttributeProto::FLOATS);
  for (const float scale : {1.0F, 1.0F, height, width}) scales.add_floats(scale);
}

}  // namespace ingot::converters
