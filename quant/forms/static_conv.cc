// SPDX-License-Identifier: Apache-2.0
// Conv, static: QuantizeLinear and DequantizeLinear around input, weight, bias and output, which
// the runtime makes a QLinearConv of.
#include "quant/forms/static_conv.h"

#include "quant/weight_values.h"

namespace ingot::quant {
namespace {

/// Adds an initializer of int8 or int32 per-channel values and its DequantizeLinear.
std::string dequantized_constant(FormWriter& writer, const std::string& stem, Tensor values,
                                 const std::vector<float>& scales, DType zero_type) {
  const Shape channels{static_cast<std::int64_t>(scales.size())};
  const std::string q = writer.initializer(stem + "_quantized", std::move(values));
  const std::string scale =
      writer.initializer(stem + "_scale", Tensor::of<float>(channels, scales));
  const std::string zero =
      writer.initializer(stem + "_zero_point", Tensor::zeros(zero_type, channels));
  const std::string result =
      writer.node("DequantizeLinear", stem + "_dequantized", {q, scale, zero});
  graph::set_attribute(writer.last(), "axis", std::int64_t{0});
  return result;
}

}  // namespace

Written write_static_conv(const FormRequest& request) {
  FormWriter& writer = request.writer;
  const Site& site = request.site;
  FormWriter::Activation& in = writer.quantized(site.input);
  const float input_scale = in.params.scale;
  const std::string x = writer.dequantized(site.input, in);
  const TensorView weight = writer.constant(site.weight);
  const WeightValues floats(weight);
  const auto values = floats.get();
  const std::vector<float> bias =
      site.bias.empty() ? std::vector<float>{} : to_floats(writer.constant(site.bias));
  const std::vector<float> least =
      bias.empty() ? std::vector<float>{} : least_weight_scale(bias, input_scale);
  const ChannelWeights quantized = quantize_weights(values, site.layout, least);
  Written written{quantized.values.size() + quantized.scales.size() * (sizeof(float) + 1),
                  sqnr_db(values, dequantize_weights(quantized, site.layout))};

  std::vector<std::string> inputs{
      x, dequantized_constant(writer, site.weight,
                              Tensor::of<std::int8_t>(weight.shape, quantized.values),
                              quantized.scales, DType::kInt8)};
  if (!bias.empty()) {
    std::vector<float> scales(quantized.scales);
    for (float& scale : scales) scale *= input_scale;
    Tensor values32 = Tensor::of<std::int32_t>({site.layout.channels},
                                               quantize_bias(bias, input_scale, quantized.scales));
    inputs.push_back(
        dequantized_constant(writer, site.bias, std::move(values32), scales, DType::kInt32));
  }
  const std::string conv = writer.node("Conv", request.output + "_float", inputs);
  *writer.last().mutable_attribute() = request.original.attribute();

  FormWriter::Activation out = writer.parameters(site.output);
  out.quantized = writer.node("QuantizeLinear", request.output + "_quantized",
                              {conv, out.scale, out.zero_point});
  out.dequantized = writer.node("DequantizeLinear", request.output + "_dequantized",
                                {out.quantized, out.scale, out.zero_point}, request.output);
  if (request.chain) writer.chain(site.output, std::move(out));
  return written;
}

}  // namespace ingot::quant
