// SPDX-License-Identifier: Apache-2.0
// Element types and shapes.
#include <gtest/gtest.h>

#include "graph/graph_index.h"
#include "tests/support/model_builder.h"

namespace ingot::graph {
namespace {

TEST(InferTypes, CoversInputsInitializersValuesAndOutputs) {
  auto proto = test::proto_from_text(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[N,3,8,8] x) => (float16[M,10] y) <int64[2] s = {0, -1}> {
      f = Reshape (x, s)
      m = MatMul (f, w)
      y = Cast <to = 10> (m)
    })");
  test::add_initializer(proto, "w", test::random_tensor({192, 10}, 1));
  const auto types = infer_types(Model::from_proto(proto));
  EXPECT_EQ(types.at("x").shape, (Shape{-1, 3, 8, 8}));
  EXPECT_EQ(types.at("f").dtype, DType::kFloat);
  EXPECT_EQ(types.at("f").shape, (Shape{-1, 192}));
  EXPECT_EQ(types.at("m").shape, (Shape{-1, 10}));
  EXPECT_EQ(types.at("y").dtype, DType::kFloat16);
  EXPECT_EQ(types.at("s").dtype, DType::kInt64);
  EXPECT_EQ(types.at("w").shape, (Shape{192, 10}));
}

TEST(InferTypes, ShapeArithmeticIsFollowed) {
  const Model model = test::model_from_text(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[2,3,4] x) => (float[a,b] y) <int64[1] zero = {0}, int64[1] one = {1}, int64[1] rest = {-1}> {
      shape = Shape (x)
      first = Slice (shape, zero, one)
      target = Concat <axis = 0> (first, rest)
      y = Reshape (x, target)
    })");
  EXPECT_EQ(infer_types(model).at("y").shape, (Shape{2, 12}));
}

TEST(InferTypes, LargeWeightsCountWithTypeAndShapeOnly) {
  auto proto = test::proto_from_text(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[5,64] x) => (float[5,r] y) <int64[2] s = {64, -1}> {
      k = Reshape (w, s)
      y = MatMul (x, k)
      z = Reshape (y, many)
    })");
  test::add_initializer(proto, "w", test::random_tensor({128, 32}, 1));
  test::add_initializer(proto, "many", Tensor::of({300}, std::vector<std::int64_t>(300, 1)));
  const auto types = infer_types(Model::from_proto(proto));
  EXPECT_EQ(types.at("k").shape, (Shape{64, 64}));
  EXPECT_EQ(types.at("y").shape, (Shape{5, 64}));
  // The target of 300 dimensions is outside the protobuf: what depends on its values is unknown,
  // not wrong.
  EXPECT_EQ(types.at("z").shape, Shape(300, -1));
}

TEST(InferTypes, UnknownOperatorsLeaveGapsOnly) {
  const Model model = test::model_from_text(R"(
    <ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    g (float[4] x) => (float[n] y) {
      a = Relu (x)
      b = my.Op (a)
      d = Relu (x)
      y = Relu (b)
    })");
  const auto types = infer_types(model);
  EXPECT_EQ(types.at("a").shape, Shape{4});
  EXPECT_EQ(types.at("d").shape, Shape{4});
  EXPECT_FALSE(types.contains("b"));
}

void declare(onnx::ModelProto& model, const std::string& name, int elem_type, const Shape& shape) {
  auto& info = *model.mutable_graph()->add_value_info();
  info.set_name(name);
  auto& type = *info.mutable_type()->mutable_tensor_type();
  type.set_elem_type(elem_type);
  for (const auto dim : shape) type.mutable_shape()->add_dim()->set_dim_value(dim);
}

TEST(InferTypes, StaleDeclarationsDoNotSpread) {
  auto proto = test::proto_from_text(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[4] x) => (int8[7] y) { a = Relu (x)  b = Relu (a)  y = Relu (b) })");
  declare(proto, "a", onnx::TensorProto::INT8, {9});
  declare(proto, "b", onnx::TensorProto::FLOAT, {9});
  const auto types = infer_types(Model::from_proto(proto));
  EXPECT_EQ(types.at("a").dtype, DType::kFloat);
  EXPECT_EQ(types.at("a").shape, Shape{4});
  EXPECT_EQ(types.at("b").shape, Shape{4});
}

TEST(InferTypes, DeclarationsFillWhatOperatorsLeaveOpen) {
  auto proto = test::proto_from_text(R"(
    <ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    g (float[4] x) => (float[n] y) { a = my.Op (x)  b = Relu (a)  y = Neg (b) })");
  declare(proto, "a", onnx::TensorProto::FLOAT, {5});
  const auto types = infer_types(Model::from_proto(proto));
  EXPECT_EQ(types.at("a").shape, Shape{5});
  EXPECT_EQ(types.at("b").shape, Shape{5});
}

TEST(InferTypes, LongChainsAreInferred) {
  Model model = test::model_from_text(
      "<ir_version: 8, opset_import: [\"\" : 17]> g (float[4] t0) => (float[4] y) { y = Identity "
      "(t0) }");
  constexpr int kNodes = 20'000;
  for (int i = 1; i <= kNodes; ++i) {
    add_node(model.graph(), "Relu", "", {"t" + std::to_string(i - 1)}, {"t" + std::to_string(i)});
  }
  const auto types = infer_types(model);
  EXPECT_EQ(types.at("t20000").shape, Shape{4});
}

TEST(DeclaredType, KeepsWhatIsNotKnownApart) {
  onnx::ValueInfoProto info;
  EXPECT_EQ(declared_type(info).dtype, DType::kUndefined);
  auto& tensor = *info.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(onnx::TensorProto::INT64);
  EXPECT_EQ(declared_type(info).dtype, DType::kInt64);
  EXPECT_EQ(declared_type(info).shape, std::nullopt);
  tensor.mutable_shape();
  EXPECT_EQ(declared_type(info).shape, Shape{});
  tensor.mutable_shape()->add_dim()->set_dim_param("N");
  tensor.mutable_shape()->add_dim()->set_dim_value(3);
  tensor.mutable_shape()->add_dim();
  EXPECT_EQ(declared_type(info).shape, (Shape{-1, 3, -1}));
}

}  // namespace
}  // namespace ingot::graph
