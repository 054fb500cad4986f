// SPDX-License-Identifier: Apache-2.0
// Mul, Add and BatchNormalization folded into the linear operator after them, and when they must
// not be.
#include <gtest/gtest.h>

#include "tests/converters/clean_case.h"

namespace ingot {
namespace {

using test::add_initializer;
using test::clean_and_compare;
using test::Cleaned;
using test::kNearExact;
using test::proto_of;
using test::random_tensor;

/// Mul and Add in front of a Conv with these attributes; the input comes out of a Relu, as it does
/// in networks.
onnx::ModelProto scaled_conv(const std::string& attributes, const Shape& weight,
                             const Shape& constant) {
  auto model =
      proto_of("g (float[1,4,6,6] x) => (y) { r = Relu(x) m = Mul(r, s) a = Add(t, m) y = Conv<" +
               attributes + ">(a, w, b) }");
  model.mutable_graph()->mutable_output(0)->mutable_type()->mutable_tensor_type()->set_elem_type(1);
  add_initializer(model, "w", random_tensor(weight, 1));
  add_initializer(model, "b", random_tensor({weight[0]}, 2));
  add_initializer(model, "s", random_tensor(constant, 3));
  add_initializer(model, "t", random_tensor(constant, 4));
  return model;
}

TEST(FoldAffineForward, GoesIntoAConvWithoutPadding) {
  const Cleaned result = clean_and_compare(scaled_conv("pads=[0,0,0,0]", {6, 4, 3, 3}, {1}));
  EXPECT_EQ(result.operators(), "Relu Conv");
  EXPECT_LT(result.error, kNearExact);
}

TEST(FoldAffineForward, GoesIntoAGroupedConvPerChannel) {
  const Cleaned result = clean_and_compare(scaled_conv("group=2", {6, 2, 3, 3}, {1, 4, 1, 1}));
  EXPECT_EQ(result.operators(), "Relu Conv");
  EXPECT_LT(result.error, kNearExact);
}

TEST(FoldAffineForward, OneAddStaysBeforePadding) {
  for (const char* padded : {"pads=[1,1,1,1]", "auto_pad=\"SAME_UPPER\"", "pads=[0,0,0,1]"}) {
    const Cleaned result = clean_and_compare(scaled_conv(padded, {6, 4, 3, 3}, {4, 1, 1}));
    EXPECT_EQ(result.operators(), "Relu Add Conv") << padded;
    EXPECT_LT(result.error, kNearExact) << padded;
  }
}

TEST(FoldAffineForward, AddAloneBeforePaddingStays) {
  auto model = scaled_conv("pads=[1,1,1,1]", {6, 4, 3, 3}, {1});
  model.mutable_graph()->mutable_node(1)->set_op_type("Sub");
  const Cleaned result = clean_and_compare(model);
  EXPECT_EQ(result.operators(), "Relu Sub Add Conv");
  EXPECT_EQ(result.error, 0);
  ASSERT_EQ(result.report.left.size(), 1U);
  EXPECT_EQ(result.report.left[0].reason, "an Add before zero padding cannot move past it");
}

TEST(FoldAffineForward, ScaleOfZeroBeforePaddingStays) {
  auto model = scaled_conv("pads=[1,1,1,1]", {6, 4, 3, 3}, {1});
  for (auto& tensor : *model.mutable_graph()->mutable_initializer()) {
    if (tensor.name() == "s") tensor.set_raw_data(std::string(4, '\0'));
  }
  const Cleaned result = clean_and_compare(model);
  EXPECT_EQ(result.operators(), "Relu Mul Add Conv");
  EXPECT_EQ(result.error, 0);
}

TEST(FoldAffineForward, MulGoesIntoAConvTranspose) {
  auto model = proto_of(
      "g (float[1,4,5,5] x) => (float[1,6,7,7] y) { m = Mul(x, s) y = ConvTranspose<group=2>(m, w) "
      "}");
  add_initializer(model, "w", random_tensor({4, 3, 3, 3}, 1));
  add_initializer(model, "s", random_tensor({4, 1, 1}, 2));
  const Cleaned result = clean_and_compare(model);
  EXPECT_EQ(result.operators(), "ConvTranspose");
  EXPECT_LT(result.error, kNearExact);
}

TEST(FoldAffineForward, MulAndAddGoIntoAGemm) {
  auto model = proto_of(R"(g (float[3,4] x) => (float[3,5] y) {
    m = Mul(x, s) a = Add(m, t) y = Gemm<alpha=0.5, beta=2.0, transB=1>(a, w, b) })");
  add_initializer(model, "w", random_tensor({5, 4}, 1));
  add_initializer(model, "b", random_tensor({5}, 2));
  add_initializer(model, "s", random_tensor({4}, 3));
  add_initializer(model, "t", random_tensor({1, 4}, 4));
  const Cleaned result = clean_and_compare(model);
  EXPECT_EQ(result.operators(), "Gemm");
  EXPECT_LT(result.error, kNearExact);
}

TEST(FoldAffineForward, TransposedInputOfAGemmStays) {
  auto model =
      proto_of("g (float[4,3] x) => (float[3,5] y) { m = Mul(x, s) y = Gemm<transA=1>(m, w) }");
  add_initializer(model, "w", random_tensor({4, 5}, 1));
  add_initializer(model, "s", random_tensor({1, 3}, 3));
  const Cleaned result = clean_and_compare(model);
  EXPECT_EQ(result.operators(), "Mul Gemm");
  EXPECT_EQ(result.error, 0);
}

TEST(FoldAffineForward, BatchNormGoesForward) {
  auto model = proto_of(R"(g (float[1,4,6,6] x) => (float[1,6,4,4] y) {
    n = BatchNormalization(x, s, t, t, v) y = Conv(n, w) })");
  add_initializer(model, "w", random_tensor({6, 4, 3, 3}, 1));
  add_initializer(model, "s", random_tensor({4}, 3));
  add_initializer(model, "t", random_tensor({4}, 4));
  add_initializer(model, "v", Tensor::of<float>({4}, {0.5F, 1, 2, 3}));
  const Cleaned result = clean_and_compare(model);
  EXPECT_EQ(result.operators(), "Conv");
  EXPECT_LT(result.error, kNearExact);
}

TEST(FoldAffineForward, ConstantThatWidensItsInputStays) {
  // [1,1,6,6] times [1,4,1,1] makes four channels of one.
  auto model =
      proto_of("g (float[1,1,6,6] x) => (float[1,6,4,4] y) { m = Mul(x, s) y = Conv(m, w) }");
  add_initializer(model, "w", random_tensor({6, 4, 3, 3}, 1));
  add_initializer(model, "s", random_tensor({1, 4, 1, 1}, 3));
  const Cleaned result = clean_and_compare(model);
  EXPECT_EQ(result.operators(), "Mul Conv");
  EXPECT_EQ(result.error, 0);
}

TEST(FoldAffineForward, TensorWithTwoReadersStays) {
  auto model = proto_of(R"(g (float[1,4,6,6] x) => (float[1,6,4,4] y, float[1,4,6,6] z) {
    m = Mul(x, s) y = Conv(m, w) z = Abs(m) })");
  add_initializer(model, "w", random_tensor({6, 4, 3, 3}, 1));
  add_initializer(model, "s", random_tensor({1}, 3));
  const Cleaned result = clean_and_compare(model);
  EXPECT_EQ(result.operators(), "Mul Conv Abs");
  EXPECT_EQ(result.error, 0);
}

}  // namespace
}  // namespace ingot
