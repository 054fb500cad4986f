// SPDX-License-Identifier: Apache-2.0
#include "quant/sites.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/support/model_builder.h"

namespace ingot::quant {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

graph::Model model(const std::string& body,
                   const std::vector<std::pair<std::string, Tensor>>& weights, int opset = 17) {
  onnx::ModelProto proto = test::proto_from_text(
      "<ir_version: 8, opset_import: [\"\": " + std::to_string(opset) + "]> " + body);
  for (const auto& [name, tensor] : weights) test::add_initializer(proto, name, tensor);
  return graph::Model::from_proto(std::move(proto));
}

/// The reason on record for the only node.
std::string objection(graph::Model model) {
  const Sites sites = find_sites(model);
  EXPECT_THAT(sites.sites, IsEmpty());
  return sites.notes.empty() ? "" : sites.notes.front().reason;
}

const char* const kConv = "g (float[1,32,8,8] x) => (float[1,16,8,8] y) { y = Conv(x, w) }";

TEST(Sites, TakeAConvWithItsRelu) {
  graph::Model m =
      model("g (float[1,32,8,8] x) => (float[1,16,8,8] y) { c = Conv(x, w, b) y = Relu(c) }",
            {{"w", test::random_tensor({16, 32, 1, 1}, 1)}, {"b", test::random_tensor({16}, 2)}});
  const Sites sites = find_sites(m);
  ASSERT_THAT(sites.sites, SizeIs(1));
  EXPECT_EQ(sites.sites[0].activation, "y");
  EXPECT_EQ(sites.sites[0].output, "y");
  EXPECT_EQ(sites.sites[0].layout.channels, 16);
  EXPECT_EQ(sites.sites[0].multiply_adds_per_output, 32);
  ASSERT_THAT(sites.notes, SizeIs(1));
  EXPECT_EQ(sites.notes[0].reason, "part of 'c'");
}

TEST(Sites, LeaveAReluThatOthersBypass) {
  graph::Model m = model(
      "g (float[1,32,8,8] x) => (float[1,16,8,8] y) { c = Conv(x, w) r = Relu(c) y = Add(r, c) }",
      {{"w", test::random_tensor({16, 32, 1, 1}, 1)}});
  const Sites sites = find_sites(m);
  EXPECT_EQ(sites.sites.at(0).activation, "");
  EXPECT_EQ(sites.sites.at(0).output, "c");
}

TEST(Sites, AbsorbAClipFromZeroButNotOneFromMinusOne) {
  const auto clipped = [](float low) {
    graph::Model m = model(
        "g (float[1,32,8,8] x) => (float[1,16,8,8] y) { c = Conv(x, w) y = Clip(c, low, high) }",
        {{"w", test::random_tensor({16, 32, 1, 1}, 1)},
         {"low", Tensor::of<float>({}, std::vector<float>{low})},
         {"high", Tensor::of<float>({}, std::vector<float>{6})}});
    return find_sites(m).sites.at(0).activation;
  };
  EXPECT_EQ(clipped(0), "y");
  EXPECT_EQ(clipped(-1), "");
}

TEST(Sites, TakeAMatMulWithItsBias) {
  graph::Model m =
      model("g (float[4,32] x) => (float[4,24] y) { m = MatMul(x, w) y = Add(b, m) }",
            {{"w", test::random_tensor({32, 24}, 1)}, {"b", test::random_tensor({24}, 2)}});
  const Sites sites = find_sites(m);
  ASSERT_THAT(sites.sites, SizeIs(1));
  EXPECT_EQ(sites.sites[0].bias, "b");
  EXPECT_EQ(sites.sites[0].output, "y");
}

TEST(Sites, LeaveABiasThatIsNotOnePerFeature) {
  graph::Model m =
      model("g (float[4,32] x) => (float[4,24] y) { m = MatMul(x, w) y = Add(b, m) }",
            {{"w", test::random_tensor({32, 24}, 1)}, {"b", test::random_tensor({4, 1}, 2)}});
  EXPECT_EQ(find_sites(m).sites.at(0).bias, "");
}

TEST(Sites, NameWhyAConvStaysFloat) {
  EXPECT_EQ(objection(model(kConv, {{"w", test::random_tensor({16, 32, 1, 1}, 1)}}, 11)),
            "per-channel DequantizeLinear needs opset 13, the model has 11");
  EXPECT_EQ(
      objection(model("g (float[1,32,8,8] x) => (float[1,32,8,8] y) { y = Conv<group = 32>(x, w) }",
                      {{"w", test::random_tensor({32, 1, 1, 1}, 1)}})),
      "grouped convolution (group 32): the integer kernel is slower than the float one");
  EXPECT_EQ(objection(model("g (float[1,3,8,8] x) => (float[1,16,8,8] y) { y = Conv(x, w) }",
                            {{"w", test::random_tensor({16, 3, 1, 1}, 1)}})),
            "3 × 16 features: fewer than 16 do not pay for quantizing");
  EXPECT_EQ(
      objection(model(
          "g (float[1,32,8,8] x, float[16,32,1,1] w) => (float[1,16,8,8] y) { y = Conv(x, w) }",
          {})),
      "its weight is not a constant");
  Tensor bad = test::random_tensor({16, 32, 1, 1}, 1);
  bad.as_mutable<float>()[5] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(objection(model(kConv, {{"w", bad}})), "its weight 'w' holds NaN or Inf");
  Tensor halves = Tensor::zeros(DType::kFloat16, {16, 32, 1, 1});
  EXPECT_EQ(objection(model("g (float16[1,32,8,8] x) => (float16[1,16,8,8] y) { y = Conv(x, w) }",
                            {{"w", halves}})),
            "its weight 'w' is float16, not float32");
}

TEST(Sites, NameWhyAMatMulStaysFloat) {
  EXPECT_EQ(objection(model("g (float[4,32] x) => (float[2,4,24] y) { y = MatMul(x, w) }",
                            {{"w", test::random_tensor({2, 32, 24}, 1)}})),
            "its weight has 3 dimensions, the integer kernel takes 2");
  EXPECT_EQ(objection(model("g (float[32,4] x) => (float[4,24] y) { y = Gemm<transA = 1>(x, w) }",
                            {{"w", test::random_tensor({32, 24}, 1)}})),
            "its input is transposed");
  EXPECT_EQ(objection(model("g (float[4,32] x) => (float[4,32] y) { y = Softmax(x) }", {})),
            "this operator has no quantized form");
}

TEST(Sites, ShareAWeightThatAllReadInOneWay) {
  graph::Model m =
      model("g (float[4,32] x) => (float[4,32] y) { m = MatMul(x, w) y = MatMul(m, w) }",
            {{"w", test::random_tensor({32, 32}, 1)}});
  EXPECT_THAT(find_sites(m).sites, SizeIs(2));
}

TEST(Sites, LeaveAWeightThatIsReadInTwoWays) {
  graph::Model m =
      model("g (float[4,32] x) => (float[4,32] y) { m = MatMul(x, w) y = Gemm<transB = 1>(m, w) }",
            {{"w", test::random_tensor({32, 32}, 1)}});
  const Sites sites = find_sites(m);
  EXPECT_THAT(sites.sites, IsEmpty());
  EXPECT_EQ(sites.notes[0].reason, "its weight 'w' is used elsewhere too, in another way");
  ASSERT_THAT(sites.weights, SizeIs(1));
  EXPECT_TRUE(sites.weights[0].layout.has_value()) << "it can still be stored in int8";
}

TEST(Sites, TakeATiedTableAndItsTransposedProduct) {
  graph::Model m = model(
      "g (int64[4] i) => (float[4,64] y) { e = Gather(w, i) t = Transpose<perm = [1, 0]>(w) "
      "y = MatMul(e, t) }",
      {{"w", test::random_tensor({64, 32}, 1)}});
  const Sites sites = find_sites(m);
  ASSERT_THAT(sites.sites, SizeIs(2));
  EXPECT_EQ(sites.sites[0].kind, SiteKind::kTable);
  EXPECT_TRUE(sites.sites[1].transposed_weight);
  EXPECT_EQ(sites.sites[1].weight, "w");
}

TEST(Sites, AreFoundInNestedGraphsWithWeightsOfOuterOnes) {
  graph::Model m = model(
      "g (bool c, float[4,32] x) => (float[4,24] y) { y = If(c) <then_branch = a () => "
      "(float[4,24] p) "
      "{ p = MatMul(x, w) }, else_branch = b () => (float[4,24] q) { q = MatMul(x, w) }> }",
      {{"w", test::random_tensor({32, 24}, 1)}});
  const Sites sites = find_sites(m);
  ASSERT_THAT(sites.sites, SizeIs(2));
  EXPECT_EQ(sites.sites[0].node, "y/then_branch/p");
  EXPECT_EQ(sites.sites[0].graph, 1U);
  EXPECT_EQ(sites.sites[1].node, "y/else_branch/q");
}

TEST(Sites, KeepAWeightThatIsAnOutputOrAnInput) {
  graph::Model out =
      model("g (float[4,32] x) => (float[4,32] y, float[32,32] w) { y = MatMul(x, w) }",
            {{"w", test::random_tensor({32, 32}, 1)}});
  EXPECT_EQ(find_sites(out).weights.at(0).reason, "it is also an output of the model");
  graph::Model in =
      model("g (float[4,32] x, float[32,32] w) => (float[4,32] y) { y = MatMul(x, w) }",
            {{"w", test::random_tensor({32, 32}, 1)}});
  EXPECT_EQ(find_sites(in).weights.at(0).reason, "it is also an input of the model");
}

}  // namespace
}  // namespace ingot::quant
