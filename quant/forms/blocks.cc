// SPDX-License-Identifier: Apache-2.0
// Weights in blocks: com.microsoft.MatMulNBits, whose kernel quantizes its input to int8 by blocks
// as well (accuracy level 4: the others are slower than float), and GatherBlockQuantized.
#include "quant/forms/forms.h"

namespace ingot::quant {
namespace {

constexpr std::int64_t kInt8Compute = 4;

Written write_table(const FormRequest& request, const StoredWeight& weight) {
  FormWriter& writer = request.writer;
  const Shape shape = writer.constant(request.site.weight).shape;
  // The table as rows; the same bytes as MatMulNBits reads, so that tied weights are stored once.
  const std::int64_t row_bytes = request.blocks.blocks(shape[1]) * request.blocks.block_bytes();
  const std::string as_rows = writer.initializer(
      request.site.weight + "_rows_shape",
      Tensor::of<std::int64_t>({2}, std::vector<std::int64_t>{shape[0], row_bytes}));
  const std::string rows =
      writer.node("Reshape", request.site.weight + "_blocks_rows", {weight.values, as_rows});
  writer.node("GatherBlockQuantized", request.site.output + "_rows",
              {rows, request.site.input, weight.scale}, request.output, kContribDomain);
  onnx::NodeProto& node = writer.last();
  graph::set_attribute(node, "bits", std::int64_t{request.blocks.bits});
  graph::set_attribute(node, "block_size", std::int64_t{request.blocks.block});
  graph::set_attribute(node, "gather_axis", std::int64_t{0});
  graph::set_attribute(node, "quantize_axis", std::int64_t{1});
  return {weight.bytes, weight.error_db};
}

}  // namespace

Written write_blocks(const FormRequest& request) {
  FormWriter& writer = request.writer;
  const StoredWeight& weight = writer.block_matrix(request.site, request.blocks);
  if (request.site.kind == SiteKind::kTable) return write_table(request, weight);
  const Shape shape = writer.constant(request.site.weight).shape;
  const std::string bias = writer.bias_vector(request.site);
  writer.node("MatMulNBits", request.site.output + "_product",
              {request.site.input, weight.values, weight.scale},
              bias.empty() ? request.output : writer.fresh(request.site.output + "_unbiased"),
              kContribDomain);
  onnx::NodeProto& node = writer.last();
  graph::set_attribute(node, "K", request.site.transposed_weight ? shape[1] : shape[0]);
  graph::set_attribute(node, "N", request.site.layout.channels);
  graph::set_attribute(node, "bits", std::int64_t{request.blocks.bits});
  graph::set_attribute(node, "block_size", std::int64_t{request.blocks.block});
  graph::set_attribute(node, "accuracy_level", kInt8Compute);
  const std::string product = node.output(0);
  if (!bias.empty())
    writer.node("Add", request.site.output + "_biased", {product, bias}, request.output);
  return {weight.bytes, weight.error_db};
}

}  // namespace ingot::quant
