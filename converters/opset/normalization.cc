// SPDX-License-Identifier: Apache-2.0
// BatchNormalization, GroupNormalization and Dropout.
#include "converters/opset/rewrites.h"

namespace ingot::converters {

// Scale, bias and statistics of spatial=0 have the shape of one sample, so that broadcasting does
// the rest.
void spell_out_per_activation(NodeChange& change) {
  const bool is_spatial = change.integer("spatial", 1) != 0;
  change.drop("spatial");
  if (is_spatial) return;
  require_single_output(change);
  const std::vector<std::string> in(change.node.input().begin(), change.node.input().end());
  const std::string epsilon = change.scalar_like("epsilon", change.real("epsilon", 1e-5F), 0);
  const std::string centred = change.before("Sub", {in[0], in[3]}).output(0);
  const std::string variance = change.before("Add", {in[4], epsilon}).output(0);
  const std::string deviation = change.before("Sqrt", {variance}).output(0);
  const std::string normalized = change.before("Div", {centred, deviation}).output(0);
  const std::string scaled = change.before("Mul", {normalized, in[1]}).output(0);
  change.become("Add", {scaled, in[2]});
}

void require_single_output(NodeChange& change) {
  for (int slot = 1; slot < change.node.output_size(); ++slot) {
    if (change.has_output(slot)) change.refuse("it trains: it has more than one output");
  }
  while (change.node.output_size() > 1) change.node.mutable_output()->RemoveLast();
}

void batch_norm_without_training(NodeChange& change) {
  if (change.integer("training_mode", 0) != 0) change.refuse("it trains: training_mode is set");
  change.drop("training_mode");
}

void scale_per_channel(NodeChange& change) {
  constexpr int kScale = 1, kBias = 2;
  const std::int64_t groups = change.integer("num_groups", 1);
  const auto shape = change.shape(0);
  const std::string zero_axis = change.integers_constant("axis", {1});
  const std::string flat = change.integers_constant("flat", {-1});
  std::string repeats;
  if (shape && shape->size() > 1 && (*shape)[1] > 0) {
    repeats = change.integers_constant("repeats", {1, (*shape)[1] / groups});
  } else {
    onnx::NodeProto& channels = change.before("Shape", {change.node.input(0)});
    graph::set_attribute(channels, "start", std::int64_t{1});
    graph::set_attribute(channels, "end", std::int64_t{2});
    const std::string count = change.integers_constant("groups", {groups});
    const std::string per_group = change.before("Div", {channels.output(0), count}).output(0);
    const std::string one = change.integers_constant("one", {1});
    onnx::NodeProto& both = change.before("Concat", {one, per_group});
    graph::set_attribute(both, "axis", std::int64_t{0});
    repeats = both.output(0);
  }
  for (const int slot : {kScale, kBias}) {
    const std::string column =
        change.before("Unsqueeze", {change.node.input(slot), zero_axis}).output(0);
    const std::string table = change.before("Expand", {column, repeats}).output(0);
    change.node.set_input(slot, change.before("Reshape", {table, flat}).output(0));
  }
}

void mask_of_input_type(NodeChange& change) {
  if (!change.has_output(1)) return;
  const DType wanted = change.step.to > change.step.from ? change.known_dtype(0) : DType::kBool;
  const std::string mask = change.node.output(1);
  onnx::NodeProto& cast = change.after("Cast", {change.detach_output(1)}, mask);
  graph::set_attribute(cast, "to", static_cast<std::int64_t>(wanted));
}

}  // namespace ingot::converters
