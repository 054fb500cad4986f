// SPDX-License-Identifier: Apache-2.0
// Every row of the pass table on models where it fires, alone: the model before and after in the
// runtime, bit for bit where the row says so.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "tests/converters/clean_case.h"

namespace ingot {
namespace {

struct Example {
  const char* pass;
  const char* name;
  const char* graph;
  /// "w[3,1] b[2]": weights with random numbers.
  const char* weights = "";
  int opset = 17;
  /// A model that means the same, where the runtime refuses this one.
  const char* reference = nullptr;
};

// Elements of float weights lie in [-1, 1).
const Example kExamples[] = {
    {"sort_graphs", "Reversed",
     "g (float[2] x) => (float[2] y) { y = Neg(b) b = Abs(a) a = Relu(x) }", "", 17,
     "g (float[2] x) => (float[2] y) { a = Relu(x) b = Abs(a) y = Neg(b) }"},
    {"name_nodes", "OneNameForTwo",
     "g (float[2] x) => (float[2] y) { [n] a = Relu(x) [n] y = Neg(a) }", "", 17,
     "g (float[2] x) => (float[2] y) { a = Relu(x) y = Neg(a) }"},
    {"lift_constants", "InAGraph",
     "g (float[2] x) => (float[2] y) { c = Constant<value = float[2] {1, -0.0}>() y = Mul(x, c) }"},
    {"lift_constants", "InABranch",
     R"(g (float[2] x, bool p) => (float[2] y) {
       y = If(p) <then_branch = t () => (float[2] a) {
                    c = Constant<value_floats = [1.5, 2.5]>() a = Add(x, c) },
                  else_branch = e () => (float[2] b) { b = Neg(x) }> })"},
    {"inline_constant_if", "ThenBranchReadsOutside",
     R"(g (float[2] x) => (float[2] y) <bool p = {1}> {
       a = Abs(x)
       b = If(p) <then_branch = t () => (float[2] c) { d = Neg(a) c = Exp(d) },
                  else_branch = e () => (float[2] f) { d = Abs(a) f = Neg(d) }>
       y = Add(a, b) })"},
    {"inline_constant_if", "ElseBranchReturnsAWeightTwice",
     R"(g (float[2] x) => (float[2] y, float[2] z) <bool[1] p = {0}> {
       y, z = If(p) <then_branch = t () => (float[2] a, float[2] b) { a = Neg(x) b = Abs(x) },
                     else_branch = e () => (float[2] c, float[2] c2) {
                        k = Constant<value_floats = [1.5, 2.5]>() c = Add(x, k) c2 = Identity(c) }>
     })"},
    {"inline_constant_if", "BranchWithALoopInIt",
     R"(g (float[2] x) => (float[2] y) <bool p = {1}, int64 n = {3}, bool go = {1}> {
       y = If(p) <then_branch = t () => (float[2] c) {
           c = Loop(n, go, x) <body = b (int64 i, bool on, float[2] v) => (bool more, float[2] w) {
               more = Identity(on) h = Add(v, x) w = Abs(h) }> },
         else_branch = e () => (float[2] f) { f = Neg(x) }> })"},
    {"remove_identity", "ChainToAnOutput",
     R"(g (float[2] x) => (float[2] y, float[2] z) {
       a = Abs(x) b = Identity(a) c = Identity(b) y = Identity(c) z = Neg(b) })"},
    {"remove_identity", "ReadInABranch",
     R"(g (float[2] x, bool p) => (float[2] y) {
       i = Identity(x) j = Identity(i)
       y = If(p) <then_branch = t () => (float[2] a) { a = Neg(j) },
                  else_branch = e () => (float[2] b) { b = Abs(i) }> })"},
    {"remove_no_ops", "CastToTheSameType",
     "g (float[2] x) => (float[2] y) { a = Cast<to=1>(x) y = Abs(a) }"},
    {"remove_no_ops", "ReshapeToTheSameShape",
     R"(g (float[2,3] x) => (float[2,3] y) <int64[2] s = {2, -1}> { a = Reshape(x, s) y = Abs(a) })"},
    {"remove_no_ops", "ReshapeThatCopiesTheBatch",
     R"(g (float[N,3] x) => (float[N,3] y) <int64[2] s = {0, 3}> { a = Reshape(x, s) y = Abs(a) })"},
    {"remove_no_ops", "TransposeInOrder",
     "g (float[2,3] x) => (float[2,3] y) { a = Transpose<perm=[0,1]>(x) y = Abs(a) }"},
    {"remove_no_ops", "SliceOfEverything",
     R"(g (float[N,3] x) => (float[N,3] y)
       <int64[1] s = {0}, int64[1] e = {9223372036854775807}, int64[1] a = {0}> {
       c = Slice(x, s, e, a) y = Abs(c) })"},
    {"remove_no_ops", "PadByNothing",
     R"(g (float[2,3] x) => (float[2,3] y) <int64[4] p = {0, 0, 0, 0}> { a = Pad(x, p) y = Abs(a) })"},
    {"remove_no_ops", "ConcatOfOne",
     "g (float[2] x) => (float[2] y) { a = Concat<axis=0>(x) y = Abs(a) }"},
    {"remove_no_ops", "SumOfOne", "g (float[2] x) => (float[2] y) { a = Sum(x) y = Neg(a) }"},
    {"remove_no_ops", "ExpandToTheSameShape",
     R"(g (float[2,3] x) => (float[2,3] y) <int64[2] s = {1, 3}> { a = Expand(x, s) y = Abs(a) })"},
    {"remove_no_ops", "TileOnce",
     R"(g (float[2,3] x) => (float[2,3] y) <int64[2] s = {1, 1}> { a = Tile(x, s) y = Abs(a) })"},
    {"remove_no_ops", "ScalarOneAndZero",
     R"(g (float[2,3] x) => (float[2,3] y) <float one = {1}, float[1,3] ones = {1, 1, 1}, float zero = {0}> {
       a = Mul(x, one) b = Div(a, ones) c = Sub(b, zero) d = Mul(ones, c) y = Neg(d) })"},
    {"merge_casts", "HalfThroughFloat",
     "g (float16[4] x) => (double[4] y) { a = Cast<to=1>(x) y = Cast<to=11>(a) }"},
    {"merge_casts", "IntegersThroughWiderOnes",
     "g (bool[4] x) => (float[4] y) { a = Cast<to=6>(x) b = Cast<to=7>(a) y = Cast<to=1>(b) }"},
    {"merge_reshapes", "SqueezeUndoesUnsqueeze",
     R"(g (float[N,3] x) => (float[N,3] y) <int64[1] a = {1}> {
       u = Unsqueeze(x, a) s = Squeeze(u, a) y = Abs(s) })"},
    {"merge_reshapes", "TwoUnsqueezes",
     R"(g (float[N,3] x) => (float[1,N,1,3] y) <int64[1] a = {1}, int64[1] b = {0}> {
       u = Unsqueeze(x, a) y = Unsqueeze(u, b) })"},
    {"merge_reshapes", "ReshapeOfAReshape",
     R"(g (float[2,N,3] x) => (float[M,2] y, float[K,6] z) <int64[2] s = {-1, 6}, int64[2] t = {-1, 2}> {
       z = Reshape(x, s) y = Reshape(z, t) })"},
    {"merge_transposes", "TwoTransposes",
     R"(g (float[2,3,4] x) => (float[4,2,3] y) {
       a = Transpose<perm=[1,0,2]>(x) y = Transpose<perm=[2,1,0]>(a) })"},
    {"merge_transposes", "PairThatCancels",
     R"(g (float[2,3,4] x) => (float[2,3,4] y, float[3,2,4] z) {
       a = Transpose<perm=[1,0,2]>(x) b = Transpose<perm=[1,0,2]>(a) y = Abs(b) z = Neg(a) })"},
    {"merge_transposes", "PairWithOperatorsBetween",
     R"(g (float[2,3,4,5] x) => (float[2,3,4,5] y) <float k = {0.5}> {
       a = Transpose<perm=[0,2,3,1]>(x) b = Relu(a) c = Mul(b, k) d = Sub(w, c) e = Add(d, full)
       y = Transpose<perm=[0,3,1,2]>(e) })",
     "w[3] full[2,4,5,3]"},
    {"merge_transposes", "DifferentTransposesAround",
     R"(g (float[2,3,4] x) => (float[3,2,4] y) {
       a = Transpose<perm=[0,2,1]>(x) b = Sigmoid(a) y = Transpose<perm=[2,0,1]>(b) })"},
    {"merge_transposes", "SumOfTwoTurnedAlike",
     R"(g (float[2,3] x, float[2,3] z) => (float[3,2] y) {
       a = Transpose<perm=[1,0]>(x) b = Transpose(z) c = Add(a, b) y = Abs(c) })"},
    {"fold_constants", "SlicesOfAWeight",
     R"(g (float[3,1] x) => (float[3,8] y)
       <int64[1] zero = {0}, int64[1] two = {2}, int64[1] four = {4}> {
       a = Slice(w, zero, two, zero) b = Slice(w, two, four, zero) c = Concat<axis=0>(b, a, w)
       t = Transpose(c) k = Shape(t) n = Gather<axis=0>(k, zero) r = Cast<to=1>(n)
       m = Mul(x, t) y = Mul(m, r) })",
     "w[4,3]"},
    {"fold_constants", "ShapeOfWhatIsFed",
     R"(g (float[N,3,4] x) => (float[M,12] y) <int64[1] one = {1}, int64[1] two = {2}, int64[1] m = {-1}> {
       s = Shape(x) a = Gather<axis=0>(s, one) b = Gather<axis=0>(s, two) c = Mul(a, b)
       d = Concat<axis=0>(m, c) y = Reshape(x, d) })"},
    {"fold_constants", "ShapeOfAnOuterTensorInABranch",
     R"(g (float[N,3] x, bool p) => (float[N,3] y) <int64 one = {1}> {
       y = If(p) <then_branch = t () => (float[N,3] a) {
                    n = Neg(x) s = Shape(n) c = Gather<axis=0>(s, one) f = Cast<to=1>(c)
                    a = Mul(n, f) },
                  else_branch = e () => (float[N,3] b) { b = Neg(x) }> })"},
    {"fold_constants", "SplitOfAWeight",
     R"(g (float[2,2] x) => (float[2,2] y) <int64[2] s = {2, 2}> {
       a, b = Split<axis=1>(w, s) c = Mul(x, a) y = Add(c, b) })",
     "w[2,4]"},
    {"fix_reshapes", "BatchFromTheInput",
     R"(g (float[N,S,6] x) => (float[N,S,2,3] y) <int64[2] heads = {2, 3}, int64[1] z = {0}, int64[1] two = {2}> {
       s = Shape(x) b = Slice(s, z, two) c = Concat<axis=0>(b, heads) y = Reshape(x, c) })"},
    {"fold_batch_norm", "BehindAConv",
     R"(g (float[1,3,6,6] x) => (float[1,4,6,6] y) <float[4] m = {0.1, 0.2, -0.3, 0.4}, float[4] v = {1, 2, 0.5, 1.5}> {
       c = Conv<pads=[1,1,1,1]>(x, w, k) y = BatchNormalization(c, s, b, m, v) })",
     "w[4,3,3,3] k[4] s[4] b[4]"},
    {"recover_hard_swish", "AddClipMulDiv",
     R"(g (float[2,3] x) => (float[2,3] y) <float three = {3}, float zero = {0}, float six = {6}> {
       a = Add(x, three) c = Clip(a, zero, six) m = Mul(x, c) y = Div(m, six) })"},
    {"fold_affine_back", "ScaleAndBiasBehindAConv",
     R"(g (float[1,3,6,6] x) => (float[1,4,6,6] y) {
       c = Conv<pads=[1,1,1,1]>(x, w) m = Mul(c, s) y = Add(m, b) })",
     "w[4,3,3,3] s[1,4,1,1] b[4,1,1]"},
    {"fold_affine_forward", "ScaleBeforeAConv",
     R"(g (float[1,3,6,6] x) => (float[1,4,4,4] y) { m = Mul(x, s) a = Add(m, b) y = Conv(a, w) })",
     "w[4,3,3,3] s[1,3,1,1] b[3,1,1]"},
    {"share_nodes", "EqualsOfEquals",
     R"(g (float[2,3] x) => (float[2,3] y) {
       a = Softmax<axis=1>(x) b = Softmax<axis=1>(x) c = Neg(a) d = Neg(b) y = Mul(c, d) })"},
    {"share_nodes", "ReadInABranch",
     R"(g (float[2] x, bool p) => (float[2] y) {
       a = Abs(x) b = Abs(x)
       y = If(p) <then_branch = t () => (float[2] c) { c = Neg(b) },
                  else_branch = e () => (float[2] d) { d = Add(a, b) }> })"},
    {"share_weights", "EqualBytes",
     R"(g (float[2] x) => (float[2] y) <float[2] u = {1, 2}, float[2] v = {1, 2}> {
       a = Mul(x, u) y = Add(a, v) })"},
    {"remove_dead_code", "UnreadBranchOfNodes",
     R"(g (float[2] x) => (float[2] y) { a = Mul(x, w) b = Exp(a) y = Abs(x) })", "w[2]"},
};

onnx::ModelProto proto_of(const Example& example) {
  onnx::ModelProto proto = test::proto_of(example.graph, example.opset);
  std::istringstream words(example.weights);
  std::uint32_t seed = 1;
  for (std::string word; words >> word; ++seed) {
    const auto bracket = word.find('[');
    Shape shape;
    std::istringstream dims(word.substr(bracket + 1, word.size() - bracket - 2));
    for (std::string dim; std::getline(dims, dim, ',');) shape.push_back(std::stoll(dim));
    test::add_initializer(proto, word.substr(0, bracket), test::random_tensor(shape, seed));
  }
  return proto;
}

const converters::Pass& row_of(const Example& example) {
  for (const auto& pass : converters::passes()) {
    if (std::string_view(pass.name) == example.pass) return pass;
  }
  throw std::out_of_range(example.pass);
}

/// Everything but the one row.
converters::PassOptions alone(const Example& example) {
  converters::PassOptions options;
  for (const auto& pass : converters::passes()) {
    if (std::string_view(pass.name) != example.pass) options.skip.emplace_back(pass.name);
  }
  return options;
}

class PassRow : public testing::TestWithParam<Example> {};

TEST_P(PassRow, GivesTheSameInTheRuntime) {
  const Example& example = GetParam();
  const auto reference = example.reference == nullptr
                             ? std::nullopt
                             : std::optional(test::proto_of(example.reference, example.opset));
  const test::Cleaned result =
      test::clean_and_compare(proto_of(example), alone(example), reference);
  EXPECT_GT(result.changes(example.pass), 0U);
  if (row_of(example).exact) {
    EXPECT_TRUE(result.identical);
  } else {
    EXPECT_LE(result.error, 1e-5);
  }
}

TEST_P(PassRow, GrowsByLittleAndComesToAnEnd) {
  const Example& example = GetParam();
  graph::Model model = graph::Model::from_proto(proto_of(example));
  RecordingReporter reporter;
  const auto report = converters::clean(model, alone(example), reporter);
  EXPECT_LT(report.rounds, converters::PassOptions().max_rounds);
  EXPECT_LE(report.bytes_after, report.bytes_before + (std::uint64_t{1} << 20));
  EXPECT_TRUE(converters::clean(model, alone(example), reporter).changes.empty());
}

INSTANTIATE_TEST_SUITE_P(Table, PassRow, testing::ValuesIn(kExamples), [](const auto& tested) {
  return std::string(tested.param.pass) + "_" + tested.param.name;
});

TEST(PassRows, EachHasAnExample) {
  // These three have files of their own.
  std::set<std::string> rows, tested{"inline_functions", "rename_clashes", "separate_weights"};
  for (const auto& pass : converters::passes()) rows.insert(pass.name);
  for (const Example& example : kExamples) tested.insert(example.pass);
  EXPECT_EQ(rows, tested);
}

}  // namespace
}  // namespace ingot
