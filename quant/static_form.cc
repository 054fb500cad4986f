// SPDX-License-Identifier: Apache-2.0
#include "quant/static_form.h"

#include <fmt/format.h>

#include "quant/weight_values.h"

namespace ingot::quant {
namespace {

constexpr const char* kContribDomain = "com.microsoft";

/// [outputs, inputs] → [inputs, outputs].
std::vector<float> transpose(std::span<const float> values, std::int64_t rows,
                             std::int64_t columns) {
  std::vector<float> result(values.size());
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < columns; ++c) {
      result[static_cast<std::size_t>(c * rows + r)] =
          values[static_cast<std::size_t>(r * columns + c)];
    }
  }
  return result;
}

}  // namespace

StaticForm::StaticForm(graph::Model& model, const std::map<std::string, Range>& ranges)
    : model_(model), graph_(model.graph()), names_(model), ranges_(ranges) {
  for (const onnx::TensorProto& tensor : graph_.initializer())
    initializers_.emplace(tensor.name(), &tensor);
}

TensorView StaticForm::constant(const std::string& name) const {
  return model_.view(*initializers_.at(name));
}

std::uint64_t StaticForm::add(const Site& site, const onnx::NodeProto& original,
                              const std::string& output, bool chain) {
  return site.kind == SiteKind::kConv ? add_conv(site, original, output, chain)
                                      : add_matmul(site, output);
}

std::string StaticForm::initializer(const std::string& stem, Tensor value) {
  const std::string name = names_.fresh(stem);
  model_.add_initializer(graph_, name, std::move(value));
  return name;
}

StaticForm::Activation StaticForm::parameters(const std::string& tensor) {
  const auto it = ranges_.find(tensor);
  if (it == ranges_.end()) {
    throw Error(Code::kInput,
                fmt::format("the plan has no range for activation '{}', which a static node needs",
                            tensor));
  }
  Activation activation;
  activation.params = uint8_params(it->second);
  // Rank 0, not [1]: the runtime fuses only scalars.
  activation.scale = initializer(
      tensor + "_scale", Tensor::of<float>({}, std::vector<float>{activation.params.scale}));
  activation.zero_point = initializer(
      tensor + "_zero_point",
      Tensor::of<std::uint8_t>({}, std::vector<std::uint8_t>{activation.params.zero_point}));
  return activation;
}

StaticForm::Activation& StaticForm::input(const std::string& tensor) {
  if (const auto it = activations_.find(tensor); it != activations_.end()) return it->second;
  Activation activation = parameters(tensor);
  activation.quantized = names_.fresh(tensor + "_quantized");
  graph::add_node(graph_, "QuantizeLinear", names_.fresh(tensor + "_QuantizeLinear"),
                  {tensor, activation.scale, activation.zero_point}, {activation.quantized});
  return activations_.emplace(tensor, std::move(activation)).first->second;
}

const std::string& StaticForm::dequantized(const std::string& tensor, Activation& activation) {
  if (activation.dequantized.empty()) {
    activation.dequantized = names_.fresh(tensor + "_dequantized");
    graph::add_node(graph_, "DequantizeLinear", names_.fresh(tensor + "_DequantizeLinear"),
                    {activation.quantized, activation.scale, activation.zero_point},
                    {activation.dequantized});
  }
  return activation.dequantized;
}

std::uint64_t StaticForm::add_conv(const Site& site, const onnx::NodeProto& original,
                                   const std::string& output, bool chain) {
  Activation& in = input(site.input);
  const float input_scale = in.params.scale;
  const std::string x = dequantized(site.input, in);
  const TensorView weight = constant(site.weight);
  std::vector<float> bias;
  if (!site.bias.empty()) bias = to_floats(constant(site.bias));
  const std::vector<float> least =
      bias.empty() ? std::vector<float>{} : least_weight_scale(bias, input_scale);
  const ChannelWeights quantized = quantize_weights(WeightValues(weight).get(), site.layout, least);
  const Shape channels{site.layout.channels};
  const Shape weight_shape = weight.shape;

  const std::string w = initializer(site.weight + "_quantized",
                                    Tensor::of<std::int8_t>(weight_shape, quantized.values));
  const std::string w_scale =
      initializer(site.weight + "_scale", Tensor::of<float>(channels, quantized.scales));
  const std::string w_zero =
      initializer(site.weight + "_zero_point", Tensor::zeros(DType::kInt8, channels));
  const std::string w_float = names_.fresh(site.weight + "_dequantized");
  graph::set_attribute(
      graph::add_node(graph_, "DequantizeLinear", names_.fresh(site.weight + "_DequantizeLinear"),
                      {w, w_scale, w_zero}, {w_float}),
      "axis", std::int64_t{0});
  std::vector<std::string> inputs{x, w_float};
  if (!bias.empty()) {
    std::vector<float> bias_scale(quantized.scales.size());
    for (std::size_t c = 0; c < bias_scale.size(); ++c)
      bias_scale[c] = input_scale * quantized.scales[c];
    const std::string b = initializer(
        site.bias + "_quantized",
        Tensor::of<std::int32_t>(channels, quantize_bias(bias, input_scale, quantized.scales)));
    const std::string b_scale =
        initializer(site.bias + "_scale", Tensor::of<float>(channels, bias_scale));
    const std::string b_zero =
        initializer(site.bias + "_zero_point", Tensor::zeros(DType::kInt32, channels));
    const std::string b_float = names_.fresh(site.bias + "_dequantized");
    graph::set_attribute(
        graph::add_node(graph_, "DequantizeLinear", names_.fresh(site.bias + "_DequantizeLinear"),
                        {b, b_scale, b_zero}, {b_float}),
        "axis", std::int64_t{0});
    inputs.push_back(b_float);
  }
  const std::string conv_out = names_.fresh(output + "_float");
  onnx::NodeProto& conv =
      graph::add_node(graph_, "Conv", names_.fresh(site.node + "_static"), inputs, {conv_out});
  *conv.mutable_attribute() = original.attribute();

  Activation out = parameters(site.output);
  out.quantized = names_.fresh(output + "_quantized");
  out.dequantized = output;
  graph::add_node(graph_, "QuantizeLinear", names_.fresh(output + "_QuantizeLinear"),
                  {conv_out, out.scale, out.zero_point}, {out.quantized});
  graph::add_node(graph_, "DequantizeLinear", names_.fresh(output + "_DequantizeLinear"),
                  {out.quantized, out.scale, out.zero_point}, {output});
  if (chain) activations_.emplace(site.output, std::move(out));
  return quantized.values.size() + quantized.scales.size() * (sizeof(float) + 1);
}

Tensor StaticForm::weight_matrix(const Site& site) const {
  const TensorView view = constant(site.weight);
  if (!site.transposed_weight) return Tensor::copy_of(view);
  return Tensor::of<float>({view.shape[1], view.shape[0]},
                           transpose(WeightValues(view).get(), view.shape[0], view.shape[1]));
}

std::uint64_t StaticForm::add_matmul(const Site& site, const std::string& output) {
  const Activation in = input(site.input);
  const Tensor weight = weight_matrix(site);
  const ChannelWeights quantized =
      quantize_weights(weight.as<float>(), ChannelLayout::along(weight.shape, 1));
  const std::string w = initializer(site.weight + "_quantized",
                                    Tensor::of<std::int8_t>(weight.shape, quantized.values));
  const std::string w_scale = initializer(
      site.weight + "_scale", Tensor::of<float>({site.layout.channels}, quantized.scales));
  const std::string w_zero =
      initializer(site.weight + "_zero_point", Tensor::zeros(DType::kInt8, {site.layout.channels}));
  std::vector<std::string> inputs{in.quantized, w, in.scale, w_scale, in.zero_point, w_zero};
  if (!site.bias.empty()) inputs.push_back(site.bias);
  graph::add_node(graph_, "MatMulIntegerToFloat", names_.fresh(site.node + "_static"), inputs,
                  {output}, kContribDomain);
  if (graph::opset_version(model_.proto(), kContribDomain) == 0)
    graph::set_opset_version(model_.proto(), kContribDomain, 1);
  return quantized.values.size() + quantized.scales.size() * (sizeof(float) + 1);
}

}  // namespace ingot::quant
