// SPDX-License-Identifier: Apache-2.0
// LSTM, dynamic: com.microsoft.DynamicQuantizeLSTM, which keeps its weights as [directions, inputs,
// 4·hidden] with one int8 scale per gate row.
#include "quant/forms/dynamic_lstm.h"

#include <algorithm>

#include "quant/weight_values.h"

namespace ingot::quant {
namespace {

struct GateWeights {
  std::string values, scale, zero_point;
  Written written;
};

GateWeights add_gates(FormWriter& writer, const std::string& name) {
  const TensorView view = writer.constant(name);
  const ChannelLayout layout = ChannelLayout::rows(view.shape);
  const WeightValues floats(view);
  const ChannelWeights rows = quantize_weights(floats.get(), layout);
  const std::int64_t directions = view.shape[0], gates = view.shape[1], inputs = view.shape[2];
  std::vector<std::int8_t> turned(rows.values.size());
  for (std::int64_t d = 0; d < directions; ++d) {
    for (std::int64_t g = 0; g < gates; ++g) {
      for (std::int64_t i = 0; i < inputs; ++i) {
        turned[static_cast<std::size_t>((d * inputs + i) * gates + g)] =
            rows.values[static_cast<std::size_t>((d * gates + g) * inputs + i)];
      }
    }
  }
  GateWeights result;
  result.values = writer.initializer(name + "_quantized",
                                     Tensor::of<std::int8_t>({directions, inputs, gates}, turned));
  result.scale =
      writer.initializer(name + "_scale", Tensor::of<float>({directions, gates}, rows.scales));
  result.zero_point =
      writer.initializer(name + "_zero_point", Tensor::zeros(DType::kInt8, {directions, gates}));
  result.written = {turned.size() + rows.scales.size() * (sizeof(float) + 1),
                    sqnr_db(floats.get(), dequantize_weights(rows, layout))};
  return result;
}

}  // namespace

Written write_dynamic_lstm(const FormRequest& request) {
  constexpr std::size_t kLstmInputs = 8;
  FormWriter& writer = request.writer;
  const GateWeights w = add_gates(writer, request.site.weight);
  const GateWeights r = add_gates(writer, request.site.recurrence);
  std::vector<std::string> inputs(request.original.input().begin(), request.original.input().end());
  inputs.resize(kLstmInputs);
  inputs[1] = w.values;
  inputs[2] = r.values;
  for (const std::string& name : {w.scale, w.zero_point, r.scale, r.zero_point})
    inputs.push_back(name);
  writer.node("DynamicQuantizeLSTM", request.site.output + "_lstm", inputs, request.output,
              kContribDomain);
  onnx::NodeProto& node = writer.last();
  for (const onnx::AttributeProto& attribute : request.original.attribute()) {
    if (attribute.name() != "layout") *node.add_attribute() = attribute;
  }
  node.clear_output();
  // A twin beside the original leaves the outputs that nobody measures unnamed.
  const bool replaces = request.output == request.site.output;
  for (const std::string& output : request.original.output())
    node.add_output(output == request.site.output ? request.output : replaces ? output : "");
  return {w.written.bytes + r.written.bytes, std::min(w.written.error_db, r.written.error_db)};
}

}  // namespace ingot::quant
