// SPDX-License-Identifier: Apache-2.0
// BatchNormalization, Mul, Add, Sub and Div folded into the linear operator before them, and when
// they must not be.
#include <gtest/gtest.h>

#include "tests/converters/clean_case.h"

namespace ingot {
namespace {

using converters::PassOptions;
using test::add_initializer;
using test::clean_and_compare;
using test::Cleaned;
using test::kNearExact;
using test::proto_of;
using test::random_tensor;

Tensor positive(const Shape& shape, std::uint32_t seed) {
  Tensor tensor = random_tensor(shape, seed);
  for (float& value : tensor.as_mutable<float>()) value = value * value + 0.1F;
  return tensor;
}

void add_batch_norm(onnx::ModelProto& model, std::int64_t channels,
                    const std::string& prefix = "") {
  add_initializer(model, prefix + "gamma", random_tensor({channels}, 11));
  add_initializer(model, prefix + "beta", random_tensor({channels}, 12));
  add_initializer(model, prefix + "mean", random_tensor({channels}, 13));
  add_initializer(model, prefix + "var", positive({channels}, 14));
}

TEST(FoldBatchNorm, GoesIntoAGroupedConvWithoutBias) {
  auto model = proto_of(R"(g (float[2,4,6,6] x) => (float[2,6,6,6] y) {
    c = Conv<group=2, pads=[1,1,1,1]>(x, w)
    y = BatchNormalization<epsilon=0.01>(c, gamma, beta, mean, var) })");
  add_initializer(model, "w", random_tensor({6, 2, 3, 3}, 1));
  add_batch_norm(model, 6);
  const Cleaned result = clean_and_compare(model);
  EXPECT_EQ(result.operators(), "Conv");
  EXPECT_LT(result.error, kNearExact);
}

TEST(FoldBatchNorm, GoesIntoAGroupedConvTranspose) {
  auto model = proto_of(R"(g (float[1,4,5,5] x) => (float[1,6,7,7] y) {
    c = ConvTranspose<group=2>(x, w, b)
    y = BatchNormalization(c, gamma, beta, mean, var) })");
  add_initializer(model, "w", random_tensor({4, 3, 3, 3}, 1));
  add_initializer(model, "b", random_tensor({6}, 2));
  add_batch_norm(model, 6);
  const Cleaned result = clean_and_compare(model);
  EXPECT_EQ(result.operators(), "ConvTranspose");
  EXPECT_LT(result.error, kNearExact);
}

class GemmForm : public ::testing::TestWithParam<const char*> {};

TEST_P(GemmForm, TakesInABatchNorm) {
  const std::string attributes = GetParam();
  auto model = proto_of("g (float[3,4] x) => (float[3,5] y) { c = Gemm<" + attributes +
                        ">(x, w, b) y = BatchNormalization(c, gamma, beta, mean, var) }");
  const bool transposed = attributes.find("transB=1") != std::string::npos;
  add_initializer(model, "w", random_tensor(transposed ? Shape{5, 4} : Shape{4, 5}, 1));
  add_initializer(model, "b", random_tensor({1, 5}, 2));
  add_batch_norm(model, 5);
  const Cleaned result = clean_and_compare(model);
  EXPECT_EQ(result.operators(), "Gemm");
  EXPECT_LT(result.error, kNearExact);
}

INSTANTIATE_TEST_SUITE_P(FoldBatchNorm, GemmForm,
                         ::testing::Values("alpha=1.0", "alpha=0.5, beta=0.25",
                                           "transB=1, beta=3.0"),
                         [](const auto& row) { return "Form" + std::to_string(row.index); });

TEST(FoldBatchNorm, SharedWeightStays) {
  auto model = proto_of(R"(g (float[1,3,4,4] x) => (float[1,3,4,4] y, float[1,3,4,4] z) {
    c = Conv(x, w)
    d = Conv(c, w)
    y = BatchNormalization(c, gamma, beta, mean, var)
    z = BatchNormalization(d, gamma, beta, mean, var) })");
  add_initializer(model, "w", random_tensor({3, 3, 1, 1}, 1));
  add_batch_norm(model, 3);
  const Cleaned result = clean_and_compare(model);
  EXPECT_EQ(result.operators(), "Conv Conv BatchNormalization BatchNormalization");
  EXPECT_EQ(result.error, 0);
}

TEST(FoldBatchNorm, WeightThatIsAnOutputStays) {
  auto model = proto_of(R"(g (float[1,3,4,4] x) => (float[1,3,4,4] y, float[3,3,1,1] w) {
    c = Conv(x, w)
    y = BatchNormalization(c, gamma, beta, mean, var) })");
  add_initializer(model, "w", random_tensor({3, 3, 1, 1}, 1));
  add_batch_norm(model, 3);
  EXPECT_EQ(clean_and_compare(model).error, 0);
}

TEST(FoldBatchNorm, OverridableWeightStays) {
  auto model = proto_of(R"(g (float[1,3,4,4] x, float[3,3,1,1] w) => (float[1,3,4,4] y) {
    c = Conv(x, w)
    y = BatchNormalization(c, gamma, beta, mean, var) })");
  add_initializer(model, "w", random_tensor({3, 3, 1, 1}, 1));
  add_batch_norm(model, 3);
  EXPECT_EQ(clean_and_compare(model).error, 0);
}

TEST(FoldBatchNorm, OverridableParameterStays) {
  auto model = proto_of(R"(g (float[1,3,4,4] x, float[3] gamma) => (float[1,3,4,4] y) {
    c = Conv(x, w)
    y = BatchNormalization(c, gamma, beta, mean, var) })");
  add_initializer(model, "w", random_tensor({3, 3, 1, 1}, 1));
  add_batch_norm(model, 3);
  EXPECT_EQ(clean_and_compare(model).error, 0);
}

TEST(FoldBatchNorm, TensorBetweenThatIsAnOutputStays) {
  auto model = proto_of(R"(g (float[1,3,4,4] x) => (float[1,3,4,4] c, float[1,3,4,4] y) {
    c = Conv(x, w)
    y = BatchNormalization(c, gamma, beta, mean, var) })");
  add_initializer(model, "w", random_tensor({3, 3, 1, 1}, 1));
  add_batch_norm(model, 3);
  const Cleaned result = clean_and_compare(model);
  EXPECT_EQ(result.operators(), "Conv BatchNormalization");
  EXPECT_EQ(result.error, 0);
}

TEST(FoldBatchNorm, TensorBetweenThatASubgraphReadsStays) {
  auto model = proto_of(R"(g (float[1,3,4,4] x, bool[1] p) => (float[1,3,4,4] y, float[1,3,4,4] z) {
    c = Conv(x, w)
    y = BatchNormalization(c, gamma, beta, mean, var)
    z = If(p) <then_branch = t () => (float[1,3,4,4] a) { a = Abs(c) },
               else_branch = e () => (float[1,3,4,4] b) { b = Neg(c) }> })");
  add_initializer(model, "w", random_tensor({3, 3, 1, 1}, 1));
  add_batch_norm(model, 3);
  const Cleaned result = clean_and_compare(model);
  EXPECT_EQ(result.operators(), "Conv BatchNormalization If");
  EXPECT_EQ(result.error, 0);
}

TEST(FoldBatchNorm, TrainingModeStays) {
  auto model = proto_of(R"(g (float[2,3,4,4] x) => (float[2,3,4,4] y) {
    c = Conv(x, w)
    y, m, v = BatchNormalization<training_mode=1>(c, gamma, beta, mean, var) })");
  add_initializer(model, "w", random_tensor({3, 3, 1, 1}, 1));
  add_batch_norm(model, 3);
  graph::Model cleaned = graph::Model::from_proto(model);
  RecordingReporter reporter;
  const auto report = converters::clean(cleaned, {}, reporter);
  EXPECT_EQ(report.nodes_after, 2U);
}

TEST(FoldBatchNorm, WorksInASubgraph) {
  auto model = proto_of(R"(g (float[1,3,4,4] x, bool[1] p) => (float[1,3,4,4] z) {
    z = If(p) <then_branch = t () => (float[1,3,4,4] a) {
                 k = Constant<value = float[3,3,1,1] {1,2,3,4,5,6,7,8,9}>()
                 s = Constant<value = float[1,3,1,1] {0.5,2,3}>()
                 c = Conv(x, k)
                 a = Mul(c, s) },
               else_branch = e () => (float[1,3,4,4] b) { b = Neg(x) }> })");
  const Cleaned result = clean_and_compare(model);
  EXPECT_EQ(result.changes("lift_constants"), 2U);
  EXPECT_EQ(result.changes("fold_affine_back"), 1U);
  EXPECT_LT(result.error, kNearExact);
}

TEST(FoldAffineBack, WholeChainIsRoundedOnce) {
  auto model = proto_of(R"(g (float[1,3,4,4] x) => (float[1,4,4,4] y) {
    c = Conv<pads=[1,1,1,1]>(x, w)
    d = Add(c, bias)
    e = Mul(scale, d)
    f = Sub(e, bias)
    h = Div(f, scale)
    y = Sub(one, h) })");
  add_initializer(model, "w", random_tensor({4, 3, 3, 3}, 1));
  add_initializer(model, "bias", random_tensor({1, 4, 1, 1}, 2));
  add_initializer(model, "scale", positive({4, 1, 1}, 3));
  add_initializer(model, "one", Tensor::of<float>({1}, {1.5F}));
  const Cleaned result = clean_and_compare(model);
  EXPECT_EQ(result.operators(), "Conv");
  EXPECT_EQ(result.changes("fold_affine_back"), 1U);
  EXPECT_LT(result.error, kNearExact);
}

/// A constant of this shape after a Conv to [1,4,4,4] stays a node of its own.
class NoChannelConstant : public ::testing::TestWithParam<Shape> {};

TEST_P(NoChannelConstant, StaysWhereItIs) {
  auto model = proto_of(R"(g (float[1,3,4,4] x) => (y) { c = Conv(x, w) y = Mul(c, s) })");
  model.mutable_graph()->mutable_output(0)->mutable_type()->mutable_tensor_type()->set_elem_type(1);
  add_initializer(model, "w", random_tensor({4, 3, 1, 1}, 1));
  add_initializer(model, "s", random_tensor(GetParam(), 2));
  const Cleaned result = clean_and_compare(model);
  EXPECT_EQ(result.operators(), "Conv Mul");
  EXPECT_EQ(result.error, 0);
}

INSTANTIATE_TEST_SUITE_P(FoldAffineBack, NoChannelConstant,
                         ::testing::Values(Shape{4}, Shape{4, 1}, Shape{1, 4, 4, 4},
                                           Shape{1, 1, 1, 1, 1}, Shape{2, 4, 1, 1}),
                         [](const auto& row) { return "Shape" + std::to_string(row.index); });

TEST(FoldAffineBack, HalfWeightsStayHalf) {
  auto model =
      proto_of("g (float16[1,1,1,1] x) => (float16[1,1,1,1] y) { c = Conv(x, w) y = Mul(c, s) }");
  const Tensor weight = Tensor::of<std::uint16_t>({1, 1, 1, 1}, {0x3C01});
  add_initializer(model, "w", Tensor{DType::kFloat16, weight.shape, weight.bytes, {}});
  const Tensor scale = Tensor::of<std::uint16_t>({1}, {0x3C03});
  add_initializer(model, "s", Tensor{DType::kFloat16, scale.shape, scale.bytes, {}});
  graph::Model cleaned = graph::Model::from_proto(model);
  RecordingReporter reporter;
  converters::clean(cleaned, {}, reporter);
  ASSERT_EQ(cleaned.graph().initializer_size(), 1);
  const TensorView folded = cleaned.view(cleaned.graph().initializer(0));
  EXPECT_EQ(folded.dtype, DType::kFloat16);
  // (1 + 2^-10) · (1 + 3 · 2^-10) = 1 + 4.003 · 2^-10.
  EXPECT_EQ(folded.as<std::uint16_t>()[0], 0x3C04);
}

TEST(FoldAffineBack, HalfThatWouldOverflowStays) {
  auto model =
      proto_of("g (float16[1,1,1,1] x) => (float16[1,1,1,1] y) { c = Conv(x, w) y = Mul(c, s) }");
  const auto half = [](std::uint8_t low) {
    return Tensor{DType::kFloat16, {1, 1, 1, 1}, {std::byte{low}, std::byte{0x5C}}, {}};
  };
  add_initializer(model, "w", half(0));
  add_initializer(model, "s", half(1));
  graph::Model cleaned = graph::Model::from_proto(model);
  RecordingReporter reporter;
  const auto report = converters::clean(cleaned, {}, reporter);
  EXPECT_EQ(report.nodes_after, 2U);
  ASSERT_EQ(report.left.size(), 1U);
  EXPECT_EQ(report.left[0].subject, "Conv writing 'c'");
  EXPECT_EQ(report.left[0].reason,
            "a folded weight or bias would not fit its type, or the bias is not one constant per "
            "channel");
}

TEST(FoldAffineBack, DoubleWeightsKeepTheirPrecision) {
  auto model =
      proto_of("g (double[1,2,3,3] x) => (double[1,2,3,3] y) { c = Conv(x, w) y = Mul(c, s) }");
  add_initializer(model, "w", Tensor::of<double>({2, 2, 1, 1}, {1.0 / 3, 1.0 / 7, 0.1, 0.3}));
  add_initializer(model, "s", Tensor::of<double>({1}, {1.0 / 9}));
  graph::Model cleaned = graph::Model::from_proto(model);
  RecordingReporter reporter;
  converters::clean(cleaned, {}, reporter);
  ASSERT_EQ(cleaned.graph().node_size(), 1);
  const TensorView folded = cleaned.view(*cleaned.graph().initializer().begin());
  EXPECT_EQ(folded.as<double>()[0], 1.0 / 3 * (1.0 / 9));
}

TEST(FoldAffineBack, ExactLeavesItOut) {
  auto model =
      proto_of("g (float[1,3,4,4] x) => (float[1,3,4,4] y) { c = Conv(x, w) y = Mul(c, s) }");
  add_initializer(model, "w", random_tensor({3, 3, 1, 1}, 1));
  add_initializer(model, "s", random_tensor({1}, 2));
  PassOptions options;
  options.exact = true;
  const Cleaned result = clean_and_compare(model, options);
  EXPECT_EQ(result.operators(), "Conv Mul");
  EXPECT_EQ(result.error, 0);
}

TEST(FoldAffineBack, BiasThatTwoShareIsReplacedForOne) {
  auto model = proto_of(R"(g (float[1,3,4,4] x) => (float[1,3,4,4] y, float[1,3,4,4] z) {
    c = Conv(x, w, b)
    y = Mul(c, s)
    z = Conv(x, v, b) })");
  add_initializer(model, "w", random_tensor({3, 3, 1, 1}, 1));
  add_initializer(model, "v", random_tensor({3, 3, 1, 1}, 2));
  add_initializer(model, "b", random_tensor({3}, 3));
  add_initializer(model, "s", random_tensor({1}, 4));
  const Cleaned result = clean_and_compare(model);
  EXPECT_EQ(result.operators(), "Conv Conv");
  EXPECT_LT(result.error, kNearExact);
}

}  // namespace
}  // namespace ingot
