// SPDX-License-Identifier: Apache-2.0
// Nodes that multiply and add per channel with constants.
#include "converters/affine.h"

#include <algorithm>
#include <cmath>

#include "converters/constants.h"
#include "converters/node_kinds.h"

namespace ingot::converters {
namespace {

std::vector<double> map_each(std::vector<double> values, double (*f)(double)) {
  std::ranges::transform(values, values.begin(), f);
  return values;
}

/// y = x `op` c when `constant_slot` is 1, c `op` x when it is 0.
std::optional<Affine> elementwise_map(const std::string& op, int constant_slot,
                                      std::vector<double> values) {
  const auto negative = [](double v) { return -v; };
  if (op == "Mul") return Affine{std::move(values), {0.0}};
  if (op == "Add") return Affine{{1.0}, std::move(values)};
  if (op == "Sub" && constant_slot == 1)
    return Affine{{1.0}, map_each(std::move(values), negative)};
  if (op == "Sub") return Affine{{-1.0}, std::move(values)};
  if (op == "Div" && constant_slot == 1 && std::ranges::find(values, 0.0) == values.end()) {
    return Affine{map_each(std::move(values), [](double v) { return 1.0 / v; }), {0.0}};
  }
  return std::nullopt;
}

/// The four parameters of a BatchNormalization, each of one value per channel.
std::optional<std::vector<std::vector<double>>> batch_norm_parameters(
    const graph::GraphIndex& index, const onnx::NodeProto& node, const Channels& channels) {
  std::vector<std::vector<double>> parameters;
  for (int slot = 1; slot <= 4; ++slot) {
    const auto constant = index.constant(node.input(slot));
    if (!constant || constant->shape != Shape{channels.count}) return std::nullopt;
    auto values = real_values(*constant);
    if (!values) return std::nullopt;
    parameters.push_back(std::move(*values));
  }
  return parameters;
}

bool is_inference_batch_norm(const onnx::NodeProto& node) {
  if (node.op_type() != "BatchNormalization" || !is_standard(node) || node.input_size() != 5) {
    return false;
  }
  // Opset 7 and 8 know spatial = 0, statistics per element; opset 14 training_mode.
  if (graph::int_attribute(node, "training_mode", 0) != 0) return false;
  if (graph::int_attribute(node, "spatial", 1) != 1) return false;
  return std::all_of(node.output().begin() + 1, node.output().end(),
                     [](const std::string& name) { return name.empty(); });
}

}  // namespace

bool Affine::shifts() const {
  return std::ranges::any_of(shift, [](double v) { return v != 0.0; });
}

bool Affine::scales() const {
  return std::ranges::any_of(scale, [](double v) { return v != 1.0; });
}

Affine then(const Affine& first, const Affine& second) {
  const std::size_t count =
      std::max({first.scale.size(), first.shift.size(), second.scale.size(), second.shift.size()});
  Affine both{std::vector<double>(count), std::vector<double>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    const auto channel = static_cast<std::int64_t>(i);
    both.scale[i] = second.scale_of(channel) * first.scale_of(channel);
    both.shift[i] = second.scale_of(channel) * first.shift_of(channel) + second.shift_of(channel);
  }
  return both;
}

std::optional<std::vector<double>> channel_values(const TensorView& constant,
                                                  const Channels& channels) {
  const int rank = static_cast<int>(constant.shape.size());
  if (constant.dtype != channels.dtype || rank > channels.rank) return std::nullopt;
  for (int axis = 0; axis < rank; ++axis) {
    const std::int64_t extent = constant.shape[static_cast<std::size_t>(axis)];
    // Broadcasting aligns the last axes.
    const bool is_channel_axis = axis + channels.rank - rank == 1;
    if (extent != 1 && !(is_channel_axis && extent == channels.count)) return std::nullopt;
  }
  return real_values(constant);
}

std::optional<AffineNode> read_elementwise(const graph::GraphIndex& index,
                                           const onnx::NodeProto& node, const Channels& channels) {
  if (!is_standard(node) || node.input_size() != 2 || node.output_size() != 1) return std::nullopt;
  const std::string& op = node.op_type();
  if (op != "Mul" && op != "Add" && op != "Sub" && op != "Div") return std::nullopt;
  for (const int slot : {1, 0}) {
    const auto constant = index.constant(node.input(slot));
    if (!constant || index.constant(node.input(1 - slot))) continue;
    auto values = channel_values(*constant, channels);
    if (!values) return std::nullopt;
    auto map = elementwise_map(op, slot, std::move(*values));
    if (!map) return std::nullopt;
    return AffineNode{std::move(*map), 1 - slot};
  }
  return std::nullopt;
}

std::optional<AffineNode> read_batch_norm(const graph::GraphIndex& index,
                                          const onnx::NodeProto& node, const Channels& channels) {
  if (!is_inference_batch_norm(node) || channels.rank < 2) return std::nullopt;
  const auto parameters = batch_norm_parameters(index, node, channels);
  if (!parameters) return std::nullopt;
  const auto& [gamma, beta, mean, variance] =
      std::tie((*parameters)[0], (*parameters)[1], (*parameters)[2], (*parameters)[3]);
  const auto epsilon = static_cast<double>(graph::float_attribute(node, "epsilon", 1e-5F));
  AffineNode result;
  result.map.scale.resize(gamma.size());
  result.map.shift.resize(gamma.size());
  for (std::size_t i = 0; i < gamma.size(); ++i) {
    result.map.scale[i] = gamma[i] / std::sqrt(variance[i] + epsilon);
    result.map.shift[i] = beta[i] - mean[i] * result.map.scale[i];
  }
  return result;
}

}  // namespace ingot::converters
