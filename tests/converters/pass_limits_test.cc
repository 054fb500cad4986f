// SPDX-License-Identifier: Apache-2.0
// What the passes must leave alone: it looks the same, or like nothing, and is not.
#include <gtest/gtest.h>

#include "tests/converters/clean_case.h"

namespace ingot {
namespace {

struct Case {
  const char* name;
  const char* graph;
  const char* operators;  ///< of the main graph afterwards
};

const Case kCases[] = {
    {"RandomNodesAreTwo",
     R"(g (float[2] x) => (float[2] y) {
       a = RandomNormalLike(x) b = RandomNormalLike(x) y = Sub(a, b) })",
     "RandomNormalLike RandomNormalLike Sub"},
    {"OptionalPositionsDiffer",
     R"(g (float[2] x) => (float[2] y) <float k = {0.5}> {
       a = Clip(x, k) b = Clip(x, "", k) y = Add(a, b) })",
     "Clip Clip Add"},
    {"AttributesDiffer",
     R"(g (float[2] x) => (float[2] y) {
       a = LeakyRelu<alpha=0.5>(x) b = LeakyRelu<alpha=0.25>(x) y = Add(a, b) })",
     "LeakyRelu LeakyRelu Add"},
    {"OrderOfInputsDiffers",
     R"(g (float[2] x, float[2] z) => (float[2] y) { a = Sub(x, z) b = Sub(z, x) y = Mul(a, b) })",
     "Sub Sub Mul"},
    {"SecondIsAnOutput", "g (float[2] x) => (float[2] y, float[2] z) { y = Abs(x) z = Abs(x) }",
     "Abs Abs"},
    {"ConditionIsFed",
     R"(g (float[2] x, bool p) => (float[2] y) {
       y = If(p) <then_branch = t () => (float[2] a) { a = Neg(x) },
                  else_branch = e () => (float[2] b) { b = Abs(x) }> })",
     "If"},
    {"SliceThatReverses",
     R"(g (float[4] x) => (float[4] y)
       <int64[1] s = {-1}, int64[1] e = {-9223372036854775807}, int64[1] a = {0}, int64[1] t = {-1}> {
       c = Slice(x, s, e, a, t) y = Abs(c) })",
     "Slice Abs"},
    {"ZeroAddedToAFloat",
     "g (float[2] x) => (float[2] y) <float z = {0}> { a = Add(x, z) y = Neg(a) }", "Add Neg"},
    {"OneThatWidens",
     "g (float[2] x) => (float[1,2] y) <float[1,1] o = {1}> { a = Mul(x, o) y = Neg(a) }",
     "Mul Neg"},
    {"CastThatRounds", "g (float[2] x) => (float[2] y) { a = Cast<to=10>(x) y = Cast<to=1>(a) }",
     "Cast Cast"},
    {"CastThatCuts", "g (float[2] x) => (float[2] y) { a = Cast<to=6>(x) y = Cast<to=1>(a) }",
     "Cast Cast"},
    {"CastThroughBool", "g (float[2] x) => (float[2] y) { a = Cast<to=9>(x) y = Cast<to=1>(a) }",
     "Cast Cast"},
    {"ReshapeOfWhatIsFed",
     "g (float[N,2] x) => (float[M,K] y) <int64[2] s = {2, -1}> { a = Reshape(x, s) y = Abs(a) }",
     "Reshape Abs"},
    {"ReshapeThatCopiesWhatReshapeMade",
     R"(g (float[N,6] x) => (float[M,K] y) <int64[2] s = {-1, 3}, int64[2] t = {0, -1}> {
       a = Reshape(x, s) b = Reshape(a, t) y = Abs(b) })",
     "Reshape Abs"},
    {"TwoInputsOfOneName",
     R"(g (float[N,2] x, float[N,2] z) => (float[N,2] y) {
       s = Shape(x) a = Expand(z, s) y = Add(a, a) })",
     "Shape Expand Add"},
    {"TransposesAroundAnAxis",
     R"(g (float[2,3] x) => (float[2,3] y) {
       a = Transpose<perm=[1,0]>(x) b = Softmax<axis=0>(a) y = Transpose<perm=[1,0]>(b) })",
     "Transpose Softmax Transpose"},
    {"DequantizersOfOneWeight",
     R"(g (float[2] x) => (float[2] y) <int8[2] w = {1, 2}, float s = {0.5}> {
       a = DequantizeLinear(w, s) b = DequantizeLinear(w, s) c = Mul(x, a) y = Add(c, b) })",
     "DequantizeLinear DequantizeLinear Mul Add"},
};

class LeftAlone : public testing::TestWithParam<Case> {};

TEST_P(LeftAlone, ByEveryPass) {
  graph::Model model = graph::Model::from_proto(test::proto_of(GetParam().graph));
  RecordingReporter reporter;
  converters::clean(model, {}, reporter);
  std::string operators;
  for (const auto& node : model.graph().node()) {
    operators += (operators.empty() ? "" : " ") + node.op_type();
  }
  EXPECT_EQ(operators, GetParam().operators);
}

INSTANTIATE_TEST_SUITE_P(Cases, LeftAlone, testing::ValuesIn(kCases),
                         [](const auto& tested) { return std::string(tested.param.name); });

std::size_t weights_after(const Tensor& a, const Tensor& b) {
  auto proto = test::proto_of("g (float[2] x) => (float[2] y) { c = Mul(x, a) y = Add(c, b) }");
  test::add_initializer(proto, "a", a);
  test::add_initializer(proto, "b", b);
  graph::Model model = graph::Model::from_proto(proto);
  RecordingReporter reporter;
  converters::clean(model, {}, reporter);
  return static_cast<std::size_t>(model.graph().initializer_size());
}

TEST(ShareWeights, ZerosOfBothSignsAreTwo) {
  EXPECT_EQ(
      weights_after(Tensor::of<float>({2}, {0.0F, 2.0F}), Tensor::of<float>({2}, {-0.0F, 2.0F})),
      2U);
  EXPECT_EQ(
      weights_after(Tensor::of<float>({2}, {0.0F, 2.0F}), Tensor::of<float>({2}, {0.0F, 2.0F})),
      1U);
}

TEST(ShareWeights, ShapesAreCompared) {
  EXPECT_EQ(
      weights_after(Tensor::of<float>({2}, {3.0F, 2.0F}), Tensor::of<float>({1, 2}, {3.0F, 2.0F})),
      2U);
}

TEST(ShareWeights, WhatMayBeFedIsNotShared) {
  auto proto =
      test::proto_of("g (float[2] x, float[2] a) => (float[2] y) { c = Mul(x, a) y = Add(c, b) }");
  test::add_initializer(proto, "a", test::random_tensor({2}, 1));
  test::add_initializer(proto, "b", test::random_tensor({2}, 1));
  const test::Cleaned result = test::clean_and_compare(proto);
  EXPECT_EQ(result.model.graph().initializer_size(), 2);
  EXPECT_TRUE(result.identical);
}

TEST(ProvenTypes, WrongClaimOfAFileIsNotReliedOn) {
  // The file says that b has the shape of x; the Reshape says otherwise.
  const test::Cleaned result = test::clean_and_compare(test::proto_of(
      R"(g (float[N,4] x, int64[2] s) => (float[M,4] y) <float[N,4] b> {
        b = Reshape(x, s) t = Shape(b) r = Reshape(b, t) y = Abs(r) })"));
  EXPECT_EQ(result.operators(), "Reshape Abs");
}

}  // namespace
}  // namespace ingot
