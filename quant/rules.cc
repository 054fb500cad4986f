// SPDX-License-Identifier: Apache-2.0
#include "quant/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "quant/affine.h"
#include "quant/weight_values.h"

namespace ingot::quant {
namespace {

using graph::float_attribute;
using graph::int_attribute;

std::string weight_is_constant(const RuleInput& in) {
  if (in.node.input_size() < 2) return "has no weight";
  const auto weight = in.index.constant(in.node.input(1));
  if (!weight) return "its weight is not a constant";
  if (weight->dtype != DType::kFloat)
    return fmt::format("its weight '{}' is {}, not float32", in.node.input(1),
                       dtype_name(weight->dtype));
  if (in.index.initializer(in.node.input(1)) == nullptr) return "its weight is not an initializer";
  if (weight->bytes.empty()) return "its weight has no elements";
  return {};
}

std::string weight_is_finite(const RuleInput& in) {
  const auto weight = in.index.constant(in.node.input(1));
  if (all_finite(WeightValues(*weight).get())) return {};
  return fmt::format("its weight '{}' holds NaN or Inf", in.node.input(1));
}

std::string weight_is_its_own(const RuleInput& in) {
  const std::string& name = in.node.input(1);
  if (in.index.uses(name).size() == 1 && !in.index.used_below(name) &&
      !in.index.is_graph_output(name))
    return {};
  return fmt::format("its weight '{}' is used elsewhere too", name);
}

std::string conv_is_dense(const RuleInput& in) {
  const std::int64_t group = int_attribute(in.node, "group", 1);
  if (group == 1) return {};
  return fmt::format(
      "grouped convolution (group {}): the integer kernel is slower than the float one", group);
}

std::string conv_opset(const RuleInput& in) {
  if (in.opset >= 13) return {};
  return fmt::format("per-channel DequantizeLinear needs opset 13, the model has {}", in.opset);
}

std::string conv_bias_is_constant(const RuleInput& in) {
  if (in.node.input_size() < 3 || in.node.input(2).empty()) return {};
  const auto bias = in.index.constant(in.node.input(2));
  if (!bias || in.index.initializer(in.node.input(2)) == nullptr)
    return "its bias is not a constant";
  if (bias->dtype != DType::kFloat) return "its bias is not float32";
  return all_finite(WeightValues(*bias).get()) ? std::string{} : "its bias holds NaN or Inf";
}

std::string conv_features(const RuleInput& in) {
  const Shape shape = in.index.constant(in.node.input(1))->shape;
  if (shape.size() < 3) return "its weight has fewer than 3 dimensions";
  if (shape.size() > 4) return "convolutions over more than two axes have no integer kernel";
  const std::int64_t inputs = element_count({shape.begin() + 1, shape.end()});
  if (shape[0] >= kFewestFeatures && inputs >= kFewestFeatures) return {};
  return fmt::format("{} × {} features: fewer than {} do not pay for quantizing", inputs, shape[0],
                     kFewestFeatures);
}

std::string matmul_weight_is_matrix(const RuleInput& in) {
  const Shape shape = in.index.constant(in.node.input(1))->shape;
  if (shape.size() != 2)
    return fmt::format("its weight has {} dimensions, the integer kernel takes 2", shape.size());
  if (shape[0] >= kFewestFeatures && shape[1] >= kFewestFeatures) return {};
  return fmt::format("{} × {} features: fewer than {} do not pay for quantizing", shape[0],
                     shape[1], kFewestFeatures);
}

std::string matmul_input_varies(const RuleInput& in) {
  return in.index.constant(in.node.input(0)) ? "its input is a constant" : std::string{};
}

std::string gemm_is_plain(const RuleInput& in) {
  if (float_attribute(in.node, "alpha", 1) != 1 || float_attribute(in.node, "beta", 1) != 1)
    return "alpha or beta is not 1";
  if (int_attribute(in.node, "transA", 0) != 0) return "its input is transposed";
  if (in.node.input_size() < 3 || in.node.input(2).empty()) return {};
  const auto bias = in.index.constant(in.node.input(2));
  const Shape weight = in.index.constant(in.node.input(1))->shape;
  const std::int64_t outputs = int_attribute(in.node, "transB", 0) != 0 ? weight[0] : weight[1];
  if (!bias || bias->dtype != DType::kFloat || in.index.initializer(in.node.input(2)) == nullptr ||
      bias->shape != Shape{outputs}) {
    return fmt::format("its C is not a constant float32 vector of {} elements", outputs);
  }
  return {};
}

constexpr Rule kRules[] = {
    {"Conv MatMul Gemm", weight_is_constant},
    {"Conv MatMul Gemm", weight_is_its_own},
    {"Conv", conv_opset},
    {"Conv", conv_is_dense},
    {"Conv", conv_features},
    {"Conv", conv_bias_is_constant},
    {"MatMul Gemm", matmul_input_varies},
    {"MatMul Gemm", matmul_weight_is_matrix},
    {"Gemm", gemm_is_plain},
    {"Conv MatMul Gemm", weight_is_finite},
};

bool lists(const char* op_types, const std::string& op_type) {
  std::istringstream words(op_types);
  for (std::string word; words >> word;) {
    if (word == op_type) return true;
  }
  return false;
}

}  // namespace

std::span<const Rule> rules() { return kRules; }

std::string first_objection(const RuleInput& input) {
  const std::string& op_type = input.node.op_type();
  const bool standard = input.node.domain().empty() || input.node.domain() == "ai.onnx";
  bool known = false;
  for (const Rule& rule : kRules) {
    if (!standard || !lists(rule.op_types, op_type)) continue;
    known = true;
    if (std::string reason = rule.objection(input); !reason.empty()) return reason;
  }
  if (known) return {};
  return "this operator has no integer form in scheme int8";
}

}  // namespace ingot::quant
