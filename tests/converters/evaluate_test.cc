// SPDX-License-Identifier: Apache-2.0
// Moving elements of constants about; expected values by hand, from the definitions of the
// operators.
#include "converters/evaluate.h"

#include <gtest/gtest.h>

#include <numeric>

namespace ingot::converters {
namespace {

using Ints = std::vector<std::int64_t>;

onnx::NodeProto node_of(const std::string& op) {
  onnx::NodeProto node;
  node.set_op_type(op);
  return node;
}

Tensor ints(const Ints& values) {
  return Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}

/// 0, 1, 2, … in this shape.
Tensor counted(const Shape& shape) {
  Tensor tensor = Tensor::zeros(DType::kInt32, shape);
  const auto values = tensor.as_mutable<std::int32_t>();
  std::iota(values.begin(), values.end(), 0);
  return tensor;
}

std::optional<Tensor> run(const onnx::NodeProto& node, const std::vector<Tensor>& inputs,
                          std::size_t max_bytes = 1 << 20) {
  std::vector<TensorView> views;
  for (const Tensor& input : inputs) views.push_back(input.view());
  auto results = evaluate(node, views, 17, max_bytes);
  if (!results) return std::nullopt;
  return std::move(results->front());
}

std::vector<std::int32_t> values(const std::optional<Tensor>& tensor) {
  if (!tensor) return {};
  const auto span = tensor->as<std::int32_t>();
  return {span.begin(), span.end()};
}

TEST(EvaluateSlice, NegativeStepsAndEndsBeyondTheEdges) {
  const Tensor source = counted({5});
  const auto slice = [&](std::int64_t start, std::int64_t end, std::int64_t step) {
    return values(
        run(node_of("Slice"), {source, ints({start}), ints({end}), ints({0}), ints({step})}));
  };
  using V = std::vector<std::int32_t>;
  EXPECT_EQ(slice(1, 4, 1), (V{1, 2, 3}));
  EXPECT_EQ(slice(-2, 1000, 1), (V{3, 4}));
  EXPECT_EQ(slice(0, 5, 2), (V{0, 2, 4}));
  EXPECT_EQ(slice(-1, -1000, -1), (V{4, 3, 2, 1, 0}));
  EXPECT_EQ(slice(3, 0, -2), (V{3, 1}));
  EXPECT_EQ(slice(1000, -1000, -3), (V{4, 1}));
  EXPECT_EQ(slice(INT64_MIN, INT64_MAX, 1), (V{0, 1, 2, 3, 4}));
  EXPECT_EQ(slice(0, 5, INT64_MAX), (V{0}));
  EXPECT_EQ(slice(4, 0, -INT64_MAX), (V{4}));
}

TEST(EvaluateSlice, AxesInAnyOrder) {
  // Rows 0, 1 of columns 2, 1.
  const auto result = run(node_of("Slice"), {counted({3, 4}), ints({2, 0}), ints({0, 2}),
                                             ints({1, -2}), ints({-1, 1})});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->shape, (Shape{2, 2}));
  EXPECT_EQ(values(result), (std::vector<std::int32_t>{2, 1, 6, 5}));
}

TEST(EvaluateSlice, OldFormHasAttributes) {
  onnx::NodeProto node = node_of("Slice");
  graph::set_attribute(node, "starts", Ints{1});
  graph::set_attribute(node, "ends", Ints{3});
  graph::set_attribute(node, "axes", Ints{1});
  EXPECT_EQ(values(run(node, {counted({2, 3})})), (std::vector<std::int32_t>{1, 2, 4, 5}));
}

TEST(EvaluateSlice, FaultyParametersAreLeftToTheRuntime) {
  const Tensor source = counted({2, 3});
  const onnx::NodeProto node = node_of("Slice");
  EXPECT_FALSE(run(node, {source, ints({0}), ints({1}), ints({2}), ints({1})}));
  EXPECT_FALSE(run(node, {source, ints({0, 0}), ints({1, 1}), ints({1, -1})}));
  EXPECT_FALSE(run(node, {source, ints({0}), ints({1}), ints({0}), ints({0})}));
  EXPECT_FALSE(run(node, {source, ints({0}), ints({1, 1})}));
  EXPECT_FALSE(run(node, {source, ints({0}), ints({1}), ints({0}), ints({INT64_MIN})}));
}

TEST(EvaluateConcat, AlongTheLastAxis) {
  onnx::NodeProto node = node_of("Concat");
  graph::set_attribute(node, "axis", std::int64_t{-1});
  const auto result = run(node, {counted({2, 1}), counted({2, 2})});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->shape, (Shape{2, 3}));
  EXPECT_EQ(values(result), (std::vector<std::int32_t>{0, 0, 1, 1, 2, 3}));
}

TEST(EvaluateConcat, ShapesThatDoNotFitAndTooManyBytesAreLeft) {
  onnx::NodeProto node = node_of("Concat");
  graph::set_attribute(node, "axis", std::int64_t{0});
  EXPECT_FALSE(run(node, {counted({2, 1}), counted({2, 2})}));
  EXPECT_FALSE(run(node, {counted({4}), counted({4})}, 31));
  EXPECT_TRUE(run(node, {counted({4}), counted({4})}, 32));
}

TEST(EvaluateTranspose, PermutesAndReversesByDefault) {
  onnx::NodeProto node = node_of("Transpose");
  EXPECT_EQ(values(run(node, {counted({2, 3})})), (std::vector<std::int32_t>{0, 3, 1, 4, 2, 5}));
  graph::set_attribute(node, "perm", Ints{1, 2, 0});
  const auto result = run(node, {counted({2, 2, 2})});
  ASSERT_TRUE(result);
  EXPECT_EQ(values(result), (std::vector<std::int32_t>{0, 4, 1, 5, 2, 6, 3, 7}));
  graph::set_attribute(node, "perm", Ints{0, 7, 1});
  EXPECT_FALSE(run(node, {counted({2, 2, 2})}));
  graph::set_attribute(node, "perm", Ints{0, 0, 1});
  EXPECT_FALSE(run(node, {counted({2, 2, 2})}));
}

TEST(EvaluateReshape, ZeroCopiesAndMinusOneFills) {
  const onnx::NodeProto node = node_of("Reshape");
  const auto shape = [&](const Ints& wanted) {
    const auto result = run(node, {counted({2, 3, 4}), ints(wanted)});
    return result ? result->shape : Shape{};
  };
  EXPECT_EQ(shape({0, -1}), (Shape{2, 12}));
  EXPECT_EQ(shape({4, 6}), (Shape{4, 6}));
  EXPECT_EQ(shape({-1, -1}), Shape{});
  EXPECT_EQ(shape({5, -1}), Shape{});
  EXPECT_EQ(shape({INT64_MAX, INT64_MAX}), Shape{});
  EXPECT_EQ(shape({-3, -8}), Shape{});
}

TEST(EvaluateSqueeze, OnlyAxesOfOne) {
  const onnx::NodeProto node = node_of("Squeeze");
  EXPECT_EQ(run(node, {counted({1, 2, 1}), ints({-1})})->shape, (Shape{1, 2}));
  EXPECT_EQ(run(node, {counted({1, 2, 1})})->shape, (Shape{2}));
  EXPECT_FALSE(run(node, {counted({1, 2, 1}), ints({1})}));
  EXPECT_EQ(run(node_of("Unsqueeze"), {counted({2, 3}), ints({-1, 0})})->shape,
            (Shape{1, 2, 3, 1}));
  EXPECT_FALSE(run(node_of("Unsqueeze"), {counted({2, 3}), ints({4})}));
}

TEST(EvaluateCast, RoundsLikeC) {
  onnx::NodeProto node = node_of("Cast");
  graph::set_attribute(node, "to", static_cast<std::int64_t>(DType::kInt32));
  EXPECT_EQ(values(run(node, {Tensor::of<float>({3}, {1.9F, -1.9F, 0.0F})})),
            (std::vector<std::int32_t>{1, -1, 0}));
  EXPECT_FALSE(run(node, {Tensor::of<float>({1}, {3e9F})}));
  EXPECT_FALSE(run(node, {Tensor::of<float>({1}, {std::numeric_limits<float>::quiet_NaN()})}));
}

TEST(EvaluateCast, WidensSmallTensorsOnly) {
  onnx::NodeProto node = node_of("Cast");
  graph::set_attribute(node, "to", static_cast<std::int64_t>(DType::kFloat));
  EXPECT_TRUE(run(node, {Tensor::zeros(DType::kFloat16, {255})}));
  EXPECT_FALSE(run(node, {Tensor::zeros(DType::kFloat16, {256})}));
}

TEST(Evaluate, TypesBelowAByteAndTextAreLeft) {
  EXPECT_FALSE(run(node_of("Transpose"), {Tensor::zeros(DType::kInt4, {2, 2})}));
  EXPECT_FALSE(run(node_of("Transpose"), {Tensor::zeros(DType::kString, {2, 2})}));
}

}  // namespace
}  // namespace ingot::converters
