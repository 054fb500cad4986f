// SPDX-License-Identifier: Apache-2.0
// The passes that keep every value bit for bit: order, weights, constants, Identity, folding of
// moved elements, dead code.
#include <gtest/gtest.h>

#include <set>

#include "tests/converters/clean_case.h"
#include "tests/support/same_bytes.h"

namespace ingot {
namespace {

using test::add_initializer;
using test::clean_and_compare;
using test::Cleaned;
using test::proto_of;
using test::random_tensor;

std::set<std::string> initializers(const Cleaned& result) {
  std::set<std::string> names;
  for (const auto& tensor : result.model.graph().initializer()) names.insert(tensor.name());
  return names;
}

converters::CleanReport clean_only(graph::Model& model) {
  RecordingReporter reporter;
  return converters::clean(model, {}, reporter);
}

TEST(SortGraphs, ReversedNodesArePutInOrder) {
  graph::Model model = test::model_from_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] y) { y = Neg(b) b = Abs(a) a = Relu(x) })");
  const auto report = clean_only(model);
  EXPECT_EQ(model.graph().node(0).op_type(), "Relu");
  EXPECT_EQ(model.graph().node(2).op_type(), "Neg");
  ASSERT_EQ(report.changes.size(), 1U);
  EXPECT_EQ(report.changes[0].subject, "graph 'g'");
}

TEST(SortGraphs, SubgraphThatReadsALaterTensorMovesBack) {
  graph::Model model = test::model_from_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x, bool p) => (float[2] y) {
      y = If(p) <then_branch = t () => (float[2] c) { c = Neg(d) d = Abs(a) },
                 else_branch = e () => (float[2] f) { f = Abs(a) }>
      a = Relu(x) })");
  clean_only(model);
  EXPECT_EQ(model.graph().node(0).op_type(), "Relu");
  EXPECT_EQ(model.graph().node(1).attribute(0).g().node(0).op_type(), "Abs");
}

TEST(NameNodes, SecondOfANameGetsAnother) {
  graph::Model model = test::model_from_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] y) { [same] a = Abs(x) [same_1] b = Neg(a) [same] y = Exp(b) })");
  RecordingReporter reporter;
  converters::clean(model, {}, reporter);
  EXPECT_EQ(model.graph().node(0).name(), "same");
  EXPECT_EQ(model.graph().node(1).name(), "same_1");
  EXPECT_EQ(model.graph().node(2).name(), "same_2");
  EXPECT_EQ(reporter.warnings,
            std::vector<std::string>{"two nodes are named 'same'; the later one is now 'same_2'"});
}

TEST(SeparateWeights, OldModelListsOnlyWhatIsFed) {
  auto proto = proto_of(
      "g (float[1,3,4,4] x, float[3,3,1,1] w) => (float[1,3,4,4] y) { y = Conv(x, w) }", 8);
  add_initializer(proto, "w", random_tensor({3, 3, 1, 1}, 1));
  proto.set_ir_version(3);
  const Cleaned result = clean_and_compare(proto);
  EXPECT_EQ(result.model.proto().ir_version(), 4);
  ASSERT_EQ(result.model.graph().input_size(), 1);
  EXPECT_EQ(result.model.graph().input(0).name(), "x");
  EXPECT_EQ(result.error, 0);
}

TEST(LiftConstants, EveryFormBecomesAnInitializer) {
  const Cleaned result =
      clean_and_compare(proto_of(R"(g (float[2,3] x) => (float[2,3] y, int64[2] s) {
    a = Constant<value = float[3] {1, 2, 3}>()
    b = Constant<value_float = 2.5>()
    c = Constant<value_floats = [1.0, 0.5, 2.0]>()
    d = Constant<value_ints = [2, 3]>()
    e = Constant<value_int = 4>()
    p = Mul(x, a) q = Mul(p, b) y = Add(q, c)
    h = NonZero(y) i = ReduceMax<axes=[1], keepdims=0>(h) k = Mul(i, d) s = Add(k, e) })"));
  EXPECT_EQ(result.operators(), "Mul Mul Add NonZero ReduceMax Mul Add");
  EXPECT_EQ(initializers(result), (std::set<std::string>{"a", "b", "c", "d", "e"}));
  EXPECT_EQ(result.error, 0);
}

TEST(LiftConstants, ConstantThatIsAnOutputStays) {
  const Cleaned result = clean_and_compare(proto_of(R"(g (float[2] x) => (float[2] y, float[2] a) {
    a = Constant<value = float[2] {1, 2}>() y = Mul(x, a) })"));
  EXPECT_EQ(result.operators(), "Constant Mul");
  EXPECT_EQ(result.error, 0);
}

TEST(RemoveIdentity, ChainToAnOutputKeepsItsName) {
  const Cleaned result = clean_and_compare(proto_of(R"(g (float[2] x) => (float[2] y, float[2] z) {
    a = Abs(x) b = Identity(a) c = Identity(b) y = Identity(c) z = Neg(b) })"));
  EXPECT_EQ(result.operators(), "Abs Neg");
  EXPECT_EQ(result.error, 0);
}

TEST(RemoveIdentity, InputHandedToAnOutputStays) {
  const Cleaned result =
      clean_and_compare(proto_of("g (float[2] x) => (float[2] y) { y = Identity(x) }"));
  EXPECT_EQ(result.operators(), "Identity");
}

TEST(RemoveIdentity, OneTensorForTwoOutputsStays) {
  const Cleaned result = clean_and_compare(proto_of(R"(g (float[2] x) => (float[2] a, float[2] y) {
    a = Abs(x) y = Identity(a) })"));
  EXPECT_EQ(result.operators(), "Abs Identity");
}

TEST(RemoveIdentity, SubgraphReadsTheSource) {
  const Cleaned result = clean_and_compare(proto_of(R"(g (float[2] x, bool[1] p) => (float[2] z) {
    a = Abs(x) i = Identity(a)
    z = If(p) <then_branch = t () => (float[2] b) { b = Neg(i) },
               else_branch = e () => (float[2] c) { c = Identity(i) }> })"));
  EXPECT_EQ(result.operators(), "Abs If");
  EXPECT_EQ(result.error, 0);
}

TEST(RemoveIdentity, DropoutOfInferenceGoes) {
  auto proto = proto_of(R"(g (float[2] x) => (float[2] y) {
    a = Dropout(x, ratio) b = Dropout(a, ratio, off) y = Neg(b) } )",
                        13);
  add_initializer(proto, "ratio", Tensor::of<float>({}, {0.5F}));
  add_initializer(proto, "off", Tensor{DType::kBool, {}, {std::byte{0}}, {}});
  const Cleaned result = clean_and_compare(proto);
  EXPECT_EQ(result.operators(), "Neg");
}

TEST(RemoveIdentity, DropoutOfTrainingOrWithItsMaskReadStays) {
  auto proto = proto_of(R"(g (float[2] x) => (float[2] y, bool[2] m) {
    a = Dropout(x, ratio, on) b, m = Dropout(a) y = Neg(b) })",
                        13);
  add_initializer(proto, "ratio", Tensor::of<float>({}, {0.5F}));
  add_initializer(proto, "on", Tensor{DType::kBool, {}, {std::byte{1}}, {}});
  graph::Model model = graph::Model::from_proto(proto);
  EXPECT_EQ(clean_only(model).nodes_after, 3U);
}

TEST(FoldConstants, GatesOfAnLstmAreReordered) {
  // As torch's exporter writes them: each gate a Slice of one weight.
  auto proto = proto_of(R"(g (float[1,512] x) => (float[1,1024] y) {
    i = Slice(w, zero, one, zero) o = Slice(w, one, two, zero)
    c = Concat<axis=0>(o, i) u = Unsqueeze(c, zero) q = Squeeze(u, zero) t = Transpose<perm=[1,0]>(q)
    y = MatMul(x, t) })");
  add_initializer(proto, "w", random_tensor({1024, 512}, 1));
  add_initializer(proto, "zero", Tensor::of<std::int64_t>({1}, {0}));
  add_initializer(proto, "one", Tensor::of<std::int64_t>({1}, {512}));
  add_initializer(proto, "two", Tensor::of<std::int64_t>({1}, {1 << 30}));
  const Cleaned result = clean_and_compare(proto);
  EXPECT_EQ(result.operators(), "MatMul");
  EXPECT_EQ(initializers(result), std::set<std::string>{"t"});
  // The runtime packs a constant weight, and then sums in another order.
  EXPECT_LT(result.error, test::kNearExact);
  EXPECT_LE(result.report.bytes_after, result.report.bytes_before);
}

/// A weight of 2 MiB that is read both ways.
onnx::ModelProto transposed_and_plain(const char* outputs, const char* more) {
  auto proto = proto_of(std::string("g (float[1,512] x) => (") + outputs +
                        ") { t = Transpose(w) y = MatMul(x, t) " + more + " }");
  add_initializer(proto, "w", random_tensor({1024, 512}, 1));
  return proto;
}

TEST(FoldConstants, WeightIsNotStoredTwice) {
  const Cleaned result = clean_and_compare(
      transposed_and_plain("float[1,1024] y, float[1,512] z", "z = MatMul(y, w)"));
  EXPECT_EQ(result.operators(), "Transpose MatMul MatMul");
  ASSERT_EQ(result.report.left.size(), 1U);
  EXPECT_EQ(result.report.left[0].reason,
            "folding it and what shares its weights would add too much to the file; 1.0 MiB in all "
            "is allowed");
}

TEST(FoldConstants, WeightReadOneWayIsFolded) {
  EXPECT_EQ(clean_and_compare(transposed_and_plain("float[1,1024] y", "")).operators(), "MatMul");
}

TEST(FoldConstants, OverridableWeightStays) {
  auto proto = proto_of(
      "g (float[1,3] x, float[2,3] w) => (float[1,2] y) { t = Transpose(w) y = MatMul(x, t) }");
  add_initializer(proto, "w", random_tensor({2, 3}, 1));
  const Cleaned result = clean_and_compare(proto);
  EXPECT_EQ(result.operators(), "Transpose MatMul");
  EXPECT_EQ(result.error, 0);
}

TEST(FoldConstants, ResultThatIsAnOutputStays) {
  auto proto = proto_of(
      "g (float[1,3] x) => (float[1,2] y, float[3,2] t) { t = Transpose(w) y = MatMul(x, t) }");
  add_initializer(proto, "w", random_tensor({2, 3}, 1));
  EXPECT_EQ(clean_and_compare(proto).operators(), "Transpose MatMul");
}

TEST(FoldConstants, NarrowStoredWeightIsNotWidened) {
  auto proto =
      proto_of("g (float[1,32] x) => (float[1,32] y) { f = Cast<to=1>(w) y = MatMul(x, f) }");
  add_initializer(proto, "w", Tensor::zeros(DType::kFloat16, {32, 32}));
  EXPECT_EQ(clean_and_compare(proto).operators(), "Cast MatMul");
}

TEST(RemoveDeadCode, NodesAndWeightsNobodyReadsGo) {
  auto proto = proto_of(R"(g (float[2] x) => (float[2] y) {
    a = Mul(x, w) b = Neg(a) y = Abs(x) })");
  add_initializer(proto, "w", random_tensor({2}, 1));
  const Cleaned result = clean_and_compare(proto);
  EXPECT_EQ(result.operators(), "Abs");
  EXPECT_TRUE(initializers(result).empty());
}

TEST(RemoveDeadCode, ForeignNodesStay) {
  graph::Model model = test::model_from_text(R"(<ir_version: 8, opset_import: ["": 17, "acme": 1]>
    g (float[2] x) => (float[2] y) { a = acme.Log(x) y = Abs(x) })");
  EXPECT_EQ(clean_only(model).nodes_after, 2U);
}

TEST(RemoveDeadCode, InitializerThatIsAnInputStays) {
  auto proto = proto_of("g (float[2] x, float[2] w) => (float[2] y) { y = Abs(x) }");
  add_initializer(proto, "w", random_tensor({2}, 1));
  const Cleaned result = clean_and_compare(proto);
  EXPECT_EQ(initializers(result), std::set<std::string>{"w"});
}

TEST(Clean, DescriptionsOfVanishedTensorsGo) {
  graph::Model model = test::model_from_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] y) <float[2] a, float[2] b> { a = Abs(x) b = Identity(a) y = Neg(b) })");
  clean_only(model);
  ASSERT_EQ(model.graph().value_info_size(), 1);
  EXPECT_EQ(model.graph().value_info(0).name(), "a");
}

TEST(Clean, SecondRunChangesNothing) {
  auto proto = proto_of(R"(g (float[1,3,4,4] x) => (float[1,3,4,4] y) {
    k = Constant<value_float = 2.0>() c = Conv(x, w) i = Identity(c) y = Mul(i, k) })");
  add_initializer(proto, "w", random_tensor({3, 3, 1, 1}, 1));
  graph::Model model = graph::Model::from_proto(proto);
  EXPECT_GT(clean_only(model).changes.size(), 0U);
  const std::string once = model.serialize();
  EXPECT_TRUE(clean_only(model).changes.empty());
  EXPECT_TRUE(test::same_bytes(model.serialize(), once));
}

}  // namespace
}  // namespace ingot
