// SPDX-License-Identifier: Apache-2.0
// MatMul and Gemm on integers: com.microsoft.MatMulIntegerToFloat with the bias inside, its input
// quantized with a calibrated scale, one found at run time, or one per row.
#include "quant/forms/dynamic_lstm.h"
#include "quant/forms/forms.h"
#include "quant/forms/static_conv.h"

namespace ingot::quant {
namespace {

struct Quantized {
  std::string values, scale, zero_point;
};

std::string integer_product(const FormRequest& request, const Quantized& input,
                            const StoredWeight& weight, const std::string& bias,
                            const std::string& output) {
  std::vector<std::string> inputs{input.values, weight.values,    input.scale,
                                  weight.scale, input.zero_point, weight.zero_point};
  if (!bias.empty()) inputs.push_back(bias);
  return request.writer.node("MatMulIntegerToFloat", request.site.output + "_product", inputs,
                             output, kContribDomain);
}

Written written(const StoredWeight& weight) { return {weight.bytes, weight.error_db}; }

}  // namespace

Written write_static(const FormRequest& request) {
  if (request.site.kind == SiteKind::kConv) return write_static_conv(request);
  FormWriter& writer = request.writer;
  const FormWriter::Activation& in = writer.quantized(request.site.input);
  const StoredWeight& weight = writer.int8_matrix(request.site);
  integer_product(request, {in.quantized, in.scale, in.zero_point}, weight,
                  writer.bias_vector(request.site), request.output);
  return written(weight);
}

Written write_dynamic(const FormRequest& request) {
  if (request.site.kind == SiteKind::kLstm) return write_dynamic_lstm(request);
  FormWriter& writer = request.writer;
  const FormWriter::Dynamic& in = writer.dynamic(request.site.input);
  const StoredWeight& weight = writer.int8_matrix(request.site);
  integer_product(request, {in.quantized, in.scale, in.zero_point}, weight,
                  writer.bias_vector(request.site), request.output);
  return written(weight);
}

Written write_per_token(const FormRequest& request) {
  FormWriter& writer = request.writer;
  const FormWriter::PerToken& in = writer.per_token(request.site.input);
  const StoredWeight& weight = writer.int8_matrix(request.site);
  const std::string unit =
      integer_product(request, {in.quantized, in.scale, in.zero_point}, weight, "", "");
  const std::string bias = writer.bias_vector(request.site);
  const std::string scaled = writer.node("Mul", request.site.output + "_scaled",
                                         {unit, in.row_scale}, bias.empty() ? request.output : "");
  if (!bias.empty())
    writer.node("Add", request.site.output + "_biased", {scaled, bias}, request.output);
  return written(weight);
}

}  // namespace ingot::quant
