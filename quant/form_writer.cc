// SPDX-License-Identifier: Apache-2.0
#include "quant/form_writer.h"

#include <fmt/format.h>

#include "quant/weight_values.h"

namespace ingot::quant {
namespace {

/// [rows, columns] → [columns, rows].
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

std::vector<float> scaled(std::span<const float> values, float factor) {
  std::vector<float> result(values.begin(), values.end());
  if (factor != 1) {
    for (float& value : result) value *= factor;
  }
  return result;
}

}  // namespace

FormWriter::FormWriter(graph::Model& model, const Scopes& scopes, const Scope& scope,
                       const std::map<std::string, Range>& ranges, graph::NameMaker& names,
                       WeightCache& weights)
    : model_(model),
      scopes_(scopes),
      scope_(scope),
      ranges_(ranges),
      names_(names),
      weights_(weights) {}

TensorView FormWriter::constant(const std::string& name) const { return *scope_.constant(name); }

std::string FormWriter::node(const std::string& op_type, const std::string& stem,
                             const std::vector<std::string>& inputs, const std::string& output,
                             const std::string& domain) {
  const std::string result = output.empty() ? names_.fresh(stem) : output;
  graph::add_node(*scope_.graph, op_type, names_.fresh(stem + '_' + op_type), inputs, {result},
                  domain);
  if (domain == kContribDomain) import_contrib();
  return result;
}

onnx::NodeProto& FormWriter::last() {
  return *scope_.graph->mutable_node(scope_.graph->node_size() - 1);
}

void FormWriter::import_contrib() {
  if (graph::opset_version(model_.proto(), kContribDomain) == 0)
    graph::set_opset_version(model_.proto(), kContribDomain, 1);
}

std::string FormWriter::initializer(const std::string& stem, Tensor value) {
  const std::string name = names_.fresh(stem);
  model_.add_initializer(*scope_.graph, name, std::move(value));
  return name;
}

std::string FormWriter::scalar(const std::string& stem, float value) {
  return initializer(stem, Tensor::of<float>({}, std::vector<float>{value}));
}

onnx::GraphProto& FormWriter::owner_of(const std::string& weight) {
  const Scope* owner = scope_.owner(weight);
  INGOT_CHECK(owner != nullptr);
  return *owner->graph;
}

std::string FormWriter::beside_weight(const std::string& weight, const std::string& stem,
                                      Tensor value) {
  const std::string name = names_.fresh(stem);
  model_.add_initializer(owner_of(weight), name, std::move(value));
  return name;
}

FormWriter::Activation FormWriter::parameters(const std::string& tensor) {
  const auto it = ranges_.find(tensor);
  if (it == ranges_.end()) {
    throw Error(Code::kInput,
                fmt::format("the plan has no range for activation '{}', which a static node needs",
                            tensor));
  }
  Activation activation;
  activation.params = uint8_params(it->second);
  activation.scale = scalar(tensor + "_scale", activation.params.scale);
  activation.zero_point = initializer(
      tensor + "_zero_point",
      Tensor::of<std::uint8_t>({}, std::vector<std::uint8_t>{activation.params.zero_point}));
  return activation;
}

FormWriter::Activation& FormWriter::quantized(const std::string& tensor) {
  if (const auto it = activations_.find(tensor); it != activations_.end()) return it->second;
  Activation activation = parameters(tensor);
  activation.quantized = node("QuantizeLinear", tensor + "_quantized",
                              {tensor, activation.scale, activation.zero_point});
  return activations_.emplace(tensor, std::move(activation)).first->second;
}

const std::string& FormWriter::dequantized(const std::string& tensor, Activation& activation) {
  if (activation.dequantized.empty()) {
    activation.dequantized = node("DequantizeLinear", tensor + "_dequantized",
                                  {activation.quantized, activation.scale, activation.zero_point});
  }
  return activation.dequantized;
}

void FormWriter::chain(const std::string& tensor, Activation activation) {
  activations_.emplace(tensor, std::move(activation));
}

const FormWriter::Dynamic& FormWriter::dynamic(const std::string& tensor) {
  if (const auto it = dynamic_.find(tensor); it != dynamic_.end()) return it->second;
  Dynamic result{names_.fresh(tensor + "_dynamic"), names_.fresh(tensor + "_dynamic_scale"),
                 names_.fresh(tensor + "_dynamic_zero_point")};
  graph::add_node(*scope_.graph, "DynamicQuantizeLinear",
                  names_.fresh(tensor + "_DynamicQuantizeLinear"), {tensor},
                  {result.quantized, result.scale, result.zero_point});
  return dynamic_.emplace(tensor, std::move(result)).first->second;
}

const FormWriter::PerToken& FormWriter::per_token(const std::string& tensor) {
  if (const auto it = per_token_.find(tensor); it != per_token_.end()) return it->second;
  constexpr float kLevels = 127;
  // A row of zeros must not be divided by zero; the bound is below every normal activation.
  constexpr float kLeastRowScale = 1e-30F;
  const std::string stem = tensor + "_token";
  PerToken result;
  const std::string magnitude = node("Abs", stem + "_abs", {tensor});
  std::string largest;
  if (graph::opset_version(model_.proto()) >= 18) {
    largest = node(
        "ReduceMax", stem + "_max",
        {magnitude, initializer(stem + "_axis",
                                Tensor::of<std::int64_t>({1}, std::vector<std::int64_t>{-1}))});
  } else {
    largest = node("ReduceMax", stem + "_max", {magnitude});
    graph::set_attribute(last(), "axes", std::vector<std::int64_t>{-1});
  }
  graph::set_attribute(last(), "keepdims", std::int64_t{1});
  result.row_scale =
      node("Max", stem + "_row_scale", {largest, scalar(stem + "_least", kLeastRowScale)});
  const std::string unit = node("Div", stem + "_unit", {tensor, result.row_scale});
  result.scale = scalar(stem + "_scale", 1 / kLevels);
  result.zero_point = initializer(stem + "_zero_point",
                                  Tensor::of<std::uint8_t>({}, std::vector<std::uint8_t>{128}));
  result.quantized =
      node("QuantizeLinear", stem + "_quantized", {unit, result.scale, result.zero_point});
  return per_token_.emplace(tensor, std::move(result)).first->second;
}

const StoredWeight& FormWriter::int8_matrix(const Site& site) {
  const std::string key =
      fmt::format("{}|int8|{}|{}", site.weight, site.transposed_weight, site.alpha);
  if (const auto it = weights_.find(key); it != weights_.end()) return it->second;
  const TensorView view = constant(site.weight);
  std::vector<float> values = scaled(WeightValues(view).get(), site.alpha);
  Shape shape = view.shape;
  if (site.transposed_weight) {
    values = transpose(values, shape[0], shape[1]);
    std::swap(shape[0], shape[1]);
  }
  const ChannelLayout layout = ChannelLayout::along(shape, 1);
  const ChannelWeights weights = quantize_weights(values, layout);
  StoredWeight stored;
  stored.error_db = sqnr_db(values, dequantize_weights(weights, layout));
  stored.values = beside_weight(site.weight, site.weight + "_quantized",
                                Tensor::of<std::int8_t>(shape, weights.values));
  stored.scale = beside_weight(site.weight, site.weight + "_scale",
                               Tensor::of<float>({layout.channels}, weights.scales));
  stored.zero_point = beside_weight(site.weight, site.weight + "_zero_point",
                                    Tensor::zeros(DType::kInt8, {layout.channels}));
  stored.bytes = weights.values.size() + weights.scales.size() * (sizeof(float) + 1);
  return weights_.emplace(key, std::move(stored)).first->second;
}

const StoredWeight& FormWriter::int8_rows(const Site& site) {
  const std::string key = fmt::format("{}|rows", site.weight);
  if (const auto it = weights_.find(key); it != weights_.end()) return it->second;
  const TensorView view = constant(site.weight);
  const ChannelLayout layout = ChannelLayout::along(view.shape, 0);
  const WeightValues table(view);
  const ChannelWeights weights = quantize_weights(table.get(), layout);
  StoredWeight stored;
  stored.error_db = sqnr_db(table.get(), dequantize_weights(weights, layout));
  stored.values = beside_weight(site.weight, site.weight + "_rows",
                                Tensor::of<std::int8_t>(view.shape, weights.values));
  stored.scale = beside_weight(site.weight, site.weight + "_rows_scale",
                               Tensor::of<float>({view.shape[0], 1}, weights.scales));
  stored.bytes = weights.values.size() + weights.scales.size() * sizeof(float);
  return weights_.emplace(key, std::move(stored)).first->second;
}

const StoredWeight& FormWriter::block_matrix(const Site& site, BlockFormat format) {
  const std::string key =
      fmt::format("{}|blocks|{}|{}|{}", site.weight, format.bits, format.block, site.alpha);
  if (const auto it = weights_.find(key); it != weights_.end()) return it->second;
  const TensorView view = constant(site.weight);
  std::vector<float> values = scaled(WeightValues(view).get(), site.alpha);
  Shape shape = view.shape;
  const bool rows_are_outputs = site.transposed_weight || site.kind == SiteKind::kTable;
  if (!rows_are_outputs) {
    values = transpose(values, shape[0], shape[1]);
    std::swap(shape[0], shape[1]);
  }
  const BlockWeights blocks = quantize_blocks(values, shape[0], shape[1], format);
  const std::int64_t count = format.blocks(shape[1]);
  StoredWeight stored;
  stored.error_db = sqnr_db(values, dequantize_blocks(blocks, shape[0], shape[1], format));
  stored.values = beside_weight(
      site.weight, site.weight + "_blocks",
      Tensor::of<std::uint8_t>({shape[0], count, format.block_bytes()}, blocks.packed));
  Tensor half = Tensor::zeros(DType::kFloat16, {shape[0], count});
  std::copy(blocks.scales.begin(), blocks.scales.end(), half.as_mutable<std::uint16_t>().begin());
  const std::string narrow =
      beside_weight(site.weight, site.weight + "_blocks_scale_half", std::move(half));
  // The Cast lies beside the scales, so that every graph below sees one result; folded at load.
  stored.scale = names_.fresh(site.weight + "_blocks_scale");
  graph::set_attribute(
      graph::add_node(owner_of(site.weight), "Cast", names_.fresh(stored.scale + "_Cast"), {narrow},
                      {stored.scale}),
      "to", std::int64_t{onnx::TensorProto::FLOAT});
  stored.bytes = blocks.packed.size() + blocks.scales.size() * 2;
  return weights_.emplace(key, std::move(stored)).first->second;
}

std::string FormWriter::bias_vector(const Site& site) {
  if (site.bias.empty() || site.beta == 0) return {};
  const TensorView view = constant(site.bias);
  const std::int64_t outputs = site.layout.channels;
  const bool as_it_is = site.beta == 1 && view.shape == Shape{outputs} && scope_.owner(site.bias);
  if (as_it_is) return site.bias;
  std::vector<float> values = scaled(WeightValues(view).get(), site.beta);
  values.resize(static_cast<std::size_t>(outputs), values.front());
  return initializer(site.bias + "_vector", Tensor::of<float>({outputs}, values));
}

}  // namespace ingot::quant
