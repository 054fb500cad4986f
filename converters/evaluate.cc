// SPDX-License-Identifier: Apache-2.0
// The table of operators that are computed ahead of time. A new one: a function in one of the
// evaluate_*.cc files, a row here, a row in the test that holds each against the runtime.
#include "converters/evaluate.h"

#include <algorithm>
#include <string_view>

#include "converters/evaluators.h"

namespace ingot::converters {
namespace {

struct Operator {
  std::string_view name;
  Results (*run)(const Call& call);
};

constexpr Operator kOperators[] = {
    {"Abs", evaluate_unary},
    {"Add", evaluate_binary},
    {"And", evaluate_binary},
    {"Cast", evaluate_cast},
    {"Ceil", evaluate_unary},
    {"Concat", evaluate_concat},
    {"ConstantOfShape", evaluate_constant_of_shape},
    {"Div", evaluate_binary},
    {"Equal", evaluate_binary},
    {"Expand", evaluate_expand},
    {"Flatten", evaluate_flatten},
    {"Floor", evaluate_unary},
    {"Gather", evaluate_gather},
    {"Greater", evaluate_binary},
    {"GreaterOrEqual", evaluate_binary},
    {"Identity", evaluate_identity},
    {"Less", evaluate_binary},
    {"LessOrEqual", evaluate_binary},
    {"Max", evaluate_binary},
    {"Min", evaluate_binary},
    {"Mod", evaluate_binary},
    {"Mul", evaluate_binary},
    {"Neg", evaluate_unary},
    {"NonZero", evaluate_non_zero},
    {"Not", evaluate_unary},
    {"Or", evaluate_binary},
    {"Range", evaluate_range},
    {"ReduceMax", evaluate_reduce},
    {"ReduceMin", evaluate_reduce},
    {"ReduceProd", evaluate_reduce},
    {"ReduceSum", evaluate_reduce},
    {"Reshape", evaluate_reshape},
    {"Shape", evaluate_shape},
    {"Size", evaluate_size},
    {"Slice", evaluate_slice},
    {"Split", evaluate_split},
    {"Sqrt", evaluate_unary},
    {"Squeeze", evaluate_squeeze},
    {"Sub", evaluate_binary},
    {"Tile", evaluate_tile},
    {"Transpose", evaluate_transpose},
    {"Unsqueeze", evaluate_unsqueeze},
    {"Where", evaluate_where},
    {"Xor", evaluate_binary},
};

const Operator* find_operator(const onnx::NodeProto& node) {
  if (!node.domain().empty() && node.domain() != "ai.onnx") return nullptr;
  const auto* found = std::ranges::find(kOperators, node.op_type(), &Operator::name);
  return found == std::end(kOperators) ? nullptr : found;
}

}  // namespace

bool is_evaluable(const onnx::NodeProto& node) { return find_operator(node) != nullptr; }

Results evaluate(const onnx::NodeProto& node, const std::vector<TensorView>& inputs,
                 std::int64_t opset, std::size_t max_bytes) {
  const Operator* found = find_operator(node);
  const Call call{node, inputs, opset, max_bytes};
  if (found == nullptr || !call.has(0)) return std::nullopt;
  for (const TensorView& input : inputs) {
    // Moves and arithmetic need whole bytes.
    const bool is_absent = input.dtype == DType::kUndefined;
    if (!is_absent && !fits_bytes(input.dtype, input.shape, max_bytes)) return std::nullopt;
  }
  return found->run(call);
}

}  // namespace ingot::converters
