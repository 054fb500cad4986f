// SPDX-License-Identifier: Apache-2.0
// Folding products and sums per channel into the weights of Conv, ConvTranspose and Gemm.
#include "converters/linear.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "converters/constants.h"

namespace ingot::converters {
namespace {

using Factor = std::function<double(std::int64_t i, std::int64_t j)>;

std::int64_t trailing_count(const Shape& shape) {
  return element_count(Shape(shape.begin() + 2, shape.end()));
}

/// Calls visit(i, values) with the elements [i, …] of the weight as double, one slice at a time: a
/// weight may be large.
void for_each_slice(const TensorView& weight,
                    const std::function<void(std::int64_t, std::vector<double>&)>& visit) {
  const auto slices = static_cast<std::size_t>(weight.shape[0]);
  const std::size_t slice_bytes = weight.bytes.size() / slices;
  const Shape shape(weight.shape.begin() + 1, weight.shape.end());
  for (std::size_t i = 0; i < slices; ++i) {
    const TensorView slice{
        weight.dtype, shape, weight.bytes.subspan(i * slice_bytes, slice_bytes), {}};
    std::vector<double> values = *real_values(slice);
    visit(static_cast<std::int64_t>(i), values);
  }
}

/// The weight with each element times `factor`; nullopt when a value overflows, or when all that
/// feeds an output newly falls below the normal range of the type, where precision is lost.
std::optional<Tensor> scaled_weight(const Linear& linear, const TensorView& weight,
                                    const Factor& factor) {
  const auto second = linear.weight_shape[1];
  const auto trailing = static_cast<std::size_t>(trailing_count(linear.weight_shape));
  struct Peak {
    double before = 0, after = 0;
  };
  std::vector<Peak> peaks(static_cast<std::size_t>(linear.outputs));
  Tensor result = Tensor::zeros(weight.dtype, weight.shape);
  bool fitting = true;
  for_each_slice(weight, [&](std::int64_t i, std::vector<double>& values) {
    for (std::int64_t j = 0; j < second; ++j) {
      const double by = factor(i, j);
      Peak& peak = peaks[static_cast<std::size_t>(linear.output_of(i, j))];
      const std::span<double> row(values.data() + static_cast<std::size_t>(j) * trailing, trailing);
      for (double& value : row) {
        peak.before = std::max(peak.before, std::abs(value));
        value *= by;
        peak.after = std::max(peak.after, std::abs(value));
      }
    }
    fitting = fitting && fits(weight.dtype, values);
    const Tensor slice = rounded(weight.dtype, {static_cast<std::int64_t>(values.size())}, values);
    std::memcpy(result.bytes.data() + static_cast<std::size_t>(i) * slice.bytes.size(),
                slice.bytes.data(), slice.bytes.size());
  });
  const double least = smallest_normal(weight.dtype);
  const bool lost = std::ranges::any_of(peaks, [least](const Peak& peak) {
    return peak.after > 0 && peak.after < least && peak.before >= least;
  });
  if (!fitting || lost) return std::nullopt;
  return result;
}

bool has_bias(const onnx::NodeProto& node) {
  return node.input_size() > 2 && !node.input(2).empty();
}

/// The bias as it is added, one value per output; nullopt when it is not a constant per channel.
std::optional<std::vector<double>> bias_values(const graph::GraphIndex& index,
                                               const Linear& linear) {
  const auto count = static_cast<std::size_t>(linear.outputs);
  if (!has_bias(*linear.node)) return std::vector<double>(count, 0.0);
  const auto constant = index.constant(linear.node->input(2));
  if (!constant) return std::nullopt;
  if (!linear.is_gemm() && constant->shape != Shape{linear.outputs}) return std::nullopt;
  const Channels channels{linear.is_gemm() ? 2 : static_cast<int>(linear.weight_shape.size()),
                          linear.outputs, linear.dtype};
  auto values = linear.is_gemm() ? channel_values(*constant, channels) : real_values(*constant);
  if (!values || constant->dtype != linear.dtype) return std::nullopt;
  const double beta = linear.is_gemm()
                          ? static_cast<double>(graph::float_attribute(*linear.node, "beta", 1.0F))
                          : 1.0;
  std::vector<double> bias(count);
  for (std::size_t i = 0; i < count; ++i) {
    bias[i] = beta * (values->size() == 1 ? values->front() : (*values)[i]);
  }
  return bias;
}

void store_bias(PassContext& context, const graph::GraphIndex& index, onnx::GraphProto& graph,
                const Linear& linear, std::span<const double> values, Edits& edits) {
  onnx::NodeProto& node = *linear.node;
  Tensor bias = rounded(linear.dtype, {linear.outputs}, values);
  if (linear.is_gemm() && graph::find_attribute(node, "beta") != nullptr) {
    graph::set_attribute(node, "beta", 1.0F);
  }
  if (has_bias(node) && index.only_consumer(node.input(2)) == &node) {
    context.model.set(*index.initializer(node.input(2)), std::move(bias));
    return;
  }
  const std::string name = context.names.fresh(graph::node_key(node) + "_bias");
  context.model.add_initializer(graph, name, std::move(bias));
  edits.set_input(node, 2, name);
}

/// Replaces weight and bias, or nothing at all.
bool store(PassContext& context, const graph::GraphIndex& index, onnx::GraphProto& graph,
           const Linear& linear, std::optional<Tensor> weight,
           const std::optional<std::vector<double>>& bias, Edits& edits) {
  if (!weight || !bias || !fits(linear.dtype, *bias)) return false;
  context.model.set(*linear.weight, std::move(*weight));
  const bool needed = std::ranges::any_of(*bias, [](double v) { return v != 0.0; });
  if (needed || has_bias(*linear.node)) {
    store_bias(context, index, graph, linear, *bias, edits);
  }
  edits.touch(*linear.node);
  return true;
}

bool is_linear_operator(const onnx::NodeProto& node) {
  if (!node.domain().empty() && node.domain() != "ai.onnx") return false;
  const std::string& op = node.op_type();
  return op == "Conv" || op == "ConvTranspose" || op == "Gemm";
}

/// Fills channels and groups from the weight's shape; false when they do not fit together.
bool read_shape(Linear& linear) {
  const Shape& shape = linear.weight_shape;
  if (std::ranges::any_of(shape, [](std::int64_t d) { return d <= 0; })) return false;
  if (linear.is_gemm()) {
    if (shape.size() != 2) return false;
    linear.outputs_first = graph::int_attribute(*linear.node, "transB", 0) != 0;
  } else {
    linear.outputs_first = linear.node->op_type() == "Conv";
    linear.groups = graph::int_attribute(*linear.node, "group", 1);
    if (shape.size() < 3 || linear.groups < 1 || shape[0] % linear.groups != 0) return false;
    if (shape[1] > std::numeric_limits<std::int64_t>::max() / linear.groups) return false;
  }
  const std::int64_t second = shape[1] * linear.groups;
  linear.outputs = linear.outputs_first ? shape[0] : second;
  linear.inputs = linear.outputs_first ? second : shape[0];
  return true;
}

}  // namespace

Channels Linear::input_channels() const {
  return {static_cast<int>(weight_shape.size()), inputs, dtype};
}

Channels Linear::output_channels() const {
  return {static_cast<int>(weight_shape.size()), outputs, dtype};
}

std::int64_t Linear::input_of(std::int64_t i, std::int64_t j) const {
  if (!outputs_first) return i;
  return i / (outputs / groups) * (inputs / groups) + j;
}

std::int64_t Linear::output_of(std::int64_t i, std::int64_t j) const {
  if (outputs_first) return i;
  return i / (inputs / groups) * (outputs / groups) + j;
}

bool Linear::pads() const {
  if (is_gemm()) return false;
  const std::string automatic = graph::string_attribute(*node, "auto_pad", "NOTSET");
  if (!outputs_first || (automatic != "NOTSET" && automatic != "VALID")) return true;
  const std::vector<std::int64_t> pads = graph::ints_attribute(*node, "pads");
  return automatic == "NOTSET" && std::ranges::any_of(pads, [](auto pad) { return pad != 0; });
}

std::optional<Linear> read_linear(const graph::GraphIndex& index, onnx::NodeProto& node) {
  if (!is_linear_operator(node) || node.input_size() < 2 || node.output_size() != 1) {
    return std::nullopt;
  }
  const std::string& name = node.input(1);
  const auto weight = index.constant(name);
  if (!weight || !is_float(weight->dtype) || index.only_consumer(name) != &node) {
    return std::nullopt;
  }
  Linear linear;
  linear.node = &node;
  linear.weight = index.initializer(name);
  linear.weight_shape = weight->shape;
  linear.dtype = weight->dtype;
  if (linear.weight == nullptr || !read_shape(linear)) return std::nullopt;
  return linear;
}

bool fold_into_output(PassContext& context, const graph::GraphIndex& index, onnx::GraphProto& graph,
                      const Linear& linear, const Affine& map, Edits& edits) {
  auto bias = bias_values(index, linear);
  if (!bias) return false;
  for (std::int64_t channel = 0; channel < linear.outputs; ++channel) {
    double& value = (*bias)[static_cast<std::size_t>(channel)];
    value = map.scale_of(channel) * value + map.shift_of(channel);
  }
  auto weight = scaled_weight(
      linear, context.model.view(*linear.weight),
      [&](std::int64_t i, std::int64_t j) { return map.scale_of(linear.output_of(i, j)); });
  return store(context, index, graph, linear, std::move(weight), bias, edits);
}

bool fold_into_input(PassContext& context, const graph::GraphIndex& index, onnx::GraphProto& graph,
                     const Linear& linear, const Affine& map, Edits& edits) {
  INGOT_CHECK(!map.shifts() || !linear.pads());
  const auto bias = [&]() -> std::optional<std::vector<double>> {
    auto values = bias_values(index, linear);
    if (!values || !map.shifts()) return values;
    const double alpha =
        linear.is_gemm() ? static_cast<double>(graph::float_attribute(*linear.node, "alpha", 1.0F))
                         : 1.0;
    const auto trailing = static_cast<std::size_t>(trailing_count(linear.weight_shape));
    for_each_slice(context.model.view(*linear.weight), [&](std::int64_t i, auto& row) {
      for (std::size_t k = 0; k < row.size(); ++k) {
        const auto j = static_cast<std::int64_t>(k / trailing);
        (*values)[static_cast<std::size_t>(linear.output_of(i, j))] +=
            alpha * row[k] * map.shift_of(linear.input_of(i, j));
      }
    });
    return values;
  }();
  auto weight = scaled_weight(
      linear, context.model.view(*linear.weight),
      [&](std::int64_t i, std::int64_t j) { return map.scale_of(linear.input_of(i, j)); });
  return store(context, index, graph, linear, std::move(weight), bias, edits);
}

}  // namespace ingot::converters
