// SPDX-License-Identifier: Apache-2.0
#include "quant/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "quant/affine.h"
#include "quant/weight_values.h"

namespace ingot::quant {
namespace {

using graph::float_attribute;
using graph::int_attribute;

/// The slot of the weight: the table of a Gather, the second input of all others.
int weight_slot(const onnx::NodeProto& node) { return node.op_type() == "Gather" ? 0 : 1; }

TensorView weight_of(const RuleInput& in) {
  const WeightSource source = weight_source(in.scope, in.node, weight_slot(in.node));
  return *source.owner->index.constant(source.name);
}

/// The matrix [inputs, outputs] that a MatMul or Gemm multiplies by.
Shape matrix_of(const RuleInput& in) {
  Shape shape = weight_of(in).shape;
  if (shape.size() == 2 && weight_source(in.scope, in.node).transposed)
    std::swap(shape[0], shape[1]);
  return shape;
}

std::string weight_is_constant(const RuleInput& in) {
  const int slot = weight_slot(in.node);
  if (in.node.input_size() <= slot) return "has no weight";
  const WeightSource source = weight_source(in.scope, in.node, slot);
  if (source.owner == nullptr || source.owner->index.is_graph_input(source.name))
    return "its weight is not a constant";
  const auto weight = source.owner->index.constant(source.name);
  if (weight->dtype != DType::kFloat)
    return fmt::format("its weight '{}' is {}, not float32", source.name,
                       dtype_name(weight->dtype));
  return weight->bytes.empty() ? "its weight has no elements" : std::string{};
}

std::string weight_is_finite(const RuleInput& in) {
  if (all_finite(WeightValues(weight_of(in)).get())) return {};
  return fmt::format("its weight '{}' holds NaN or Inf",
                     weight_source(in.scope, in.node, weight_slot(in.node)).name);
}

/// True when `use` reads the weight as rows of output features (or as rows of a table).
std::optional<bool> reads_rows(const ScopedUse& use) {
  const std::string& op = use.node->op_type();
  if (!use.node->domain().empty()) return std::nullopt;
  if (op == "Gather" && use.slot == 0 && int_attribute(*use.node, "axis", 0) == 0) return true;
  if ((op == "MatMul" || op == "Gemm") && use.slot == 1)
    return weight_source(*use.scope, *use.node).transposed;
  if (op != "Transpose" || use.node->output_size() != 1) return std::nullopt;
  const auto& readers = use.scope->index.uses(use.node->output(0));
  const bool all = !use.scope->index.used_below(use.node->output(0)) &&
                   !use.scope->index.is_graph_output(use.node->output(0)) &&
                   std::all_of(readers.begin(), readers.end(), [](const graph::Use& reader) {
                     return reader.node->op_type() == "MatMul" && reader.slot == 1;
                   });
  return all ? std::optional(true) : std::nullopt;
}

std::string weight_is_its_own(const RuleInput& in) {
  const WeightSource source = weight_source(in.scope, in.node, weight_slot(in.node));
  const auto& uses = in.scopes.uses(*source.owner, source.name);
  const bool output = in.scopes.is_output(*source.owner, source.name);
  const bool alone = uses.size() == 1 && !output;
  const bool alike = !output && in.node.op_type() != "Conv" && in.node.op_type() != "LSTM" &&
                     std::all_of(uses.begin(), uses.end(), [&](const ScopedUse& use) {
                       const std::optional<bool> rows = reads_rows(use);
                       return rows && *rows == (source.transposed || in.node.op_type() == "Gather");
                     });
  if (alone || alike) return {};
  return fmt::format("its weight '{}' is used elsewhere too, in another way", source.name);
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
  const auto bias = in.scope.constant(in.node.input(2));
  if (!bias || in.scope.owner(in.node.input(2)) == nullptr) return "its bias is not a constant";
  if (bias->dtype != DType::kFloat) return "its bias is not float32";
  return all_finite(WeightValues(*bias).get()) ? std::string{} : "its bias holds NaN or Inf";
}

std::string too_few(std::int64_t inputs, std::int64_t outputs) {
  if (outputs >= kFewestFeatures && inputs >= kFewestFeatures) return {};
  return fmt::format("{} × {} features: fewer than {} do not pay for quantizing", inputs, outputs,
                     kFewestFeatures);
}

std::string conv_features(const RuleInput& in) {
  const Shape shape = weight_of(in).shape;
  if (shape.size() < 3) return "its weight has fewer than 3 dimensions";
  if (shape.size() > 4) return "convolutions over more than two axes have no integer kernel";
  return too_few(element_count({shape.begin() + 1, shape.end()}), shape[0]);
}

std::string matmul_weight_is_matrix(const RuleInput& in) {
  const Shape shape = matrix_of(in);
  if (shape.size() != 2)
    return fmt::format("its weight has {} dimensions, the integer kernel takes 2", shape.size());
  return too_few(shape[0], shape[1]);
}

std::string matmul_input_varies(const RuleInput& in) {
  return in.scope.constant(in.node.input(0)) ? "its input is a constant" : std::string{};
}

std::string gemm_is_plain(const RuleInput& in) {
  if (int_attribute(in.node, "transA", 0) != 0) return "its input is transposed";
  if (in.node.input_size() < 3 || in.node.input(2).empty()) return {};
  const auto bias = in.scope.constant(in.node.input(2));
  const std::int64_t outputs = matrix_of(in)[1];
  const bool spreads = bias && (bias->count() == 1 || bias->count() == outputs) &&
                       (bias->shape.empty() || bias->shape.back() == bias->count());
  if (!spreads || bias->dtype != DType::kFloat || !all_finite(WeightValues(*bias).get())) {
    return fmt::format("its C is not a constant, finite float32 vector of {} elements", outputs);
  }
  return {};
}

std::string lstm_is_standard(const RuleInput& in) {
  if (in.node.input_size() < 3) return "has no recurrence weight";
  const WeightSource r = weight_source(in.scope, in.node, 2);
  if (r.owner == nullptr || r.owner->index.is_graph_input(r.name))
    return "its recurrence weight is not a constant";
  const auto recurrence = r.owner->index.constant(r.name);
  if (recurrence->dtype != DType::kFloat) return "its recurrence weight is not float32";
  if (!all_finite(WeightValues(*recurrence).get())) return "its recurrence weight holds NaN or Inf";
  if (recurrence->shape.size() != 3 || weight_of(in).shape.size() != 3)
    return "its weights do not have 3 dimensions";
  if (in.scopes.uses(*r.owner, r.name).size() != 1)
    return fmt::format("its weight '{}' is used elsewhere too", r.name);
  if (int_attribute(in.node, "layout", 0) != 0) return "batch-first layout has no integer kernel";
  return {};
}

std::string table_is_rows(const RuleInput& in) {
  if (int_attribute(in.node, "axis", 0) != 0) return "gathers along another axis than 0";
  const Shape shape = weight_of(in).shape;
  if (shape.size() != 2) return fmt::format("its table has {} dimensions, wanted 2", shape.size());
  return shape[1] >= kFewestFeatures
             ? std::string{}
             : fmt::format("rows of {} values are too short to pay", shape[1]);
}

constexpr Rule kRules[] = {
    {"Conv MatMul Gemm LSTM Gather", weight_is_constant},
    {"Conv MatMul Gemm LSTM Gather", weight_is_its_own},
    {"Conv", conv_opset},
    {"Conv", conv_is_dense},
    {"Conv", conv_features},
    {"Conv", conv_bias_is_constant},
    {"MatMul Gemm", matmul_input_varies},
    {"MatMul Gemm", matmul_weight_is_matrix},
    {"Gemm", gemm_is_plain},
    {"LSTM", lstm_is_standard},
    {"Gather", table_is_rows},
    {"Conv MatMul Gemm LSTM Gather", weight_is_finite},
};

bool lists(const char* op_types, const std::string& op_type) {
  std::istringstream words(op_types);
  for (std::string word; words >> word;) {
    if (word == op_type) return true;
  }
  return false;
}

}  // namespace

WeightSource weight_source(const Scope& scope, const onnx::NodeProto& node, int slot) {
  WeightSource source;
  source.name = node.input(slot);
  source.transposed = node.op_type() == "Gemm" && int_attribute(node, "transB", 0) != 0;
  source.owner = scope.owner(source.name);
  if (source.owner != nullptr || node.op_type() != "MatMul") return source;
  const onnx::NodeProto* producer = scope.index.producer(source.name);
  if (producer == nullptr || producer->op_type() != "Transpose" || !producer->domain().empty())
    return source;
  const auto perm = graph::ints_attribute(*producer, "perm");
  const Scope* owner = scope.owner(producer->input(0));
  if (owner == nullptr || (!perm.empty() && perm != std::vector<std::int64_t>{1, 0})) return source;
  if (owner->index.initializer(producer->input(0))->dims_size() != 2) return source;
  source.name = producer->input(0);
  source.owner = owner;
  source.transposed = true;
  source.transpose = producer;
  return source;
}

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
  return "this operator has no quantized form";
}

}  // namespace ingot::quant
