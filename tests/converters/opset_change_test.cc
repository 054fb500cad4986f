// SPDX-License-Identifier: Apache-2.0
// What an opset change does to a model as a whole, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converters/opset/choose_opset.h"
#include "tests/converters/clean_case.h"
#include "tests/converters/opset_case.h"
#include "tests/support/expect_error.h"

namespace ingot::test {
namespace {

using converters::choose_opset;
using converters::OpsetChange;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kClip = "g (float[2] x) => (float[2] y) { y = Clip<min=0.0>(x) }";

TEST(OpsetChange, LocalFunctionsHaveTheirOwnOpset) {
  const auto model = proto_from_text(R"(<ir_version: 8, opset_import: ["": 13, "loc": 1]>
    g (float[2,3,4] x) => (float[2,3,4] y) { y = loc.SM(x) }
    <domain: "loc", opset_import: ["": 13]>
    SM (a) => (b) { b = Softmax<axis=1>(a) })");
  // The runtime wants one opset for both, so that a function of another one has no original to
  // compare with.
  auto older = model;
  older.mutable_functions(0)->mutable_opset_import(0)->set_version(11);
  const Converted same = convert_and_compare(model, 17);
  EXPECT_EQ(same.error, 0);
  EXPECT_EQ(same.model.functions(0).opset_import(0).version(), 17);

  graph::Model changed = graph::Model::from_proto(older);
  RecordingReporter reporter;
  converters::change_opset(changed, 13, reporter);
  const auto& function = changed.proto().functions(0);
  EXPECT_EQ(function.opset_import(0).version(), 13);
  ASSERT_EQ(function.node_size(), 4);
  EXPECT_EQ(function.node(1).op_type(), "Flatten");
}

TEST(OpsetChange, FunctionBodiesAreConvertedWithTheModel) {
  const auto model = proto_from_text(R"(<ir_version: 8, opset_import: ["": 11, "loc": 1]>
    g (float[1,3,4] x) => (float[1,3,4] y) { y = loc.SM(x) }
    <domain: "loc", opset_import: ["": 11]>
    SM (a) => (b) { s = Softmax<axis=1>(a) q = Squeeze<axes=[0]>(s) u = Unsqueeze<axes=[0]>(q)
                    h = Hardmax<axis=1>(u) b = Add(s, h) })");
  EXPECT_LE(convert_and_compare(model, 17).error, kNearExact);
}

TEST(OpsetChange, AttributesThatTheCallerGives) {
  const auto model = proto_from_text(R"(<ir_version: 8, opset_import: ["": 11, "loc": 1]>
    g (float[2,3,4] x) => (float[2,4] y) { y = loc.F<axes=[1], at=1, top=0.5>(x) }
    <domain: "loc", opset_import: ["": 11]>
    F <axes, at> (a) => (b) {
      s = Softmax<axis: int = @at>(a) b = ReduceSum<axes: ints = @axes, keepdims = 0>(s) })");
  EXPECT_LE(convert_and_compare(model, 17).error, kNearExact);
}

TEST(OpsetChange, SubgraphsAtAnyDepth) {
  const auto converted = convert_and_compare(R"(
    g (float[1,3,4] x, bool c) => (float[] y) {
      y = If (c) <
        then_branch = a () => (float[] t) {
          t = If (c) <then_branch = d () => (float[] u) { u = Squeeze<axes=[0]>(x) },
                      else_branch = e () => (float[] v) { v = ReduceSum<axes=[0], keepdims=0>(x) }> },
        else_branch = b () => (float[] w) { w = Split<axis=0, split=[1]>(x) }> })",
                                             11, 18);
  EXPECT_EQ(converted.error, 0);
  EXPECT_EQ(converted.change.rewrites.size(), 4U);
}

TEST(OpsetChange, SmallModelOfOldFormsBecomesThatOfNewOnes) {
  auto model = proto_of(R"(g (float[2,6] x, float[6] w) => (float[2,6] y) {
      a = Add(x, w) b = Clip<min=0.0>(a) y = Dropout<ratio=0.1>(b) })",
                        7);
  model.set_ir_version(3);
  add_initializer(model, "w", random_tensor({6}, 1));
  const TempDir folder;
  graph::Model changed = graph::Model::load(write_model(model, folder.path()));
  RecordingReporter reporter;
  const OpsetChange change = converters::change_opset(changed, 17, reporter);
  EXPECT_EQ(change.from, 7);
  EXPECT_EQ(change.ir_to, 8);
  EXPECT_EQ(changed.proto().ir_version(), 8);
  // A weight that could not be fed still cannot.
  EXPECT_EQ(changed.graph().input_size(), 1);
}

TEST(OpsetChange, IrVersionIsNeverLowered) {
  auto model = proto_of("g (float[2] x) => (float[2] y) { y = Relu(x) }", 17);
  model.set_ir_version(9);
  EXPECT_EQ(convert_and_compare(model, 13).model.ir_version(), 9);
  EXPECT_EQ(convert_and_compare(model, 21).model.ir_version(), 10);
}

TEST(OpsetChange, ForeignOperatorsAndDomainsStay) {
  const auto model = proto_from_text(
      R"(<ir_version: 8, opset_import: ["": 11, "acme.ops": 3]>
      g (float[2] x) => (float[2] y) { a = acme.ops.Squeeze<axes=[0]>(x) y = Clip<min=0.0>(a) })");
  graph::Model changed = graph::Model::from_proto(model);
  RecordingReporter reporter;
  converters::change_opset(changed, 18, reporter);
  EXPECT_EQ(changed.graph().node(0).SerializeAsString(), model.graph().node(0).SerializeAsString());
  EXPECT_EQ(graph::opset_version(changed.proto(), "acme.ops"), 3);
}

TEST(OpsetChange, ModelWithoutTheDefaultDomainStays) {
  graph::Model model = graph::Model::from_proto(proto_from_text(
      R"(<ir_version: 8, opset_import: ["acme.ops": 1]> g (float[2] x) => (float[2] y) { y = acme.ops.B(x) })"));
  const std::string before = model.serialize();
  RecordingReporter reporter;
  EXPECT_FALSE(converters::change_opset(model, 18, reporter).changed());
  EXPECT_EQ(model.serialize(), before);
}

TEST(OpsetChange, NewNamesDoNotMeetOldOnes) {
  const auto converted = convert_and_compare(
      "g (float[1,2] x) => (float[2] y, float[1,2] y_axes) { y = Squeeze<axes=[0]>(x) y_axes = "
      "Relu(x) }",
      11, 13);
  EXPECT_EQ(converted.error, 0);
}

TEST(OpsetChange, TrainingGraphsAreConvertedToo) {
  auto model = proto_of("g (float[2] x) => (float[2] y) { y = Relu(x) }", 11);
  *model.add_training_info()->mutable_algorithm() =
      proto_of("t (float[1,2] a) => (float[2] b) { b = Squeeze<axes=[0]>(a) }", 11).graph();
  graph::Model changed = graph::Model::from_proto(model);
  RecordingReporter reporter;
  converters::change_opset(changed, 13, reporter);
  EXPECT_EQ(changed.proto().training_info(0).algorithm().node_size(), 2);
}

TEST(OpsetChange, EveryRewriteIsToldWithItsVersions) {
  const auto converted = convert_and_compare(kClip, 7, 21);
  ASSERT_EQ(converted.change.rewrites.size(), 1U);
  const converters::OpsetRewrite& rewrite = converted.change.rewrites[0];
  EXPECT_EQ(rewrite.subject, "Clip writing 'y'");
  EXPECT_EQ(rewrite.from, 6);
  EXPECT_EQ(rewrite.to, 11);
  EXPECT_EQ(rewrite.what, "min and max become inputs");
}

struct Refused {
  const char* graph;
  int opset;
  std::int64_t target;
  const char* reason;
};

TEST(OpsetRefusal, NamesOperatorVersionsAndNode) {
  EXPECT_EQ(
      refusal("g (float[2] x, int64[1] k) => (float[] y, int64[] i) { y, i = TopK(x, k) }", 13, 9),
      "TopK writing 'y' cannot be written for opset 9: version 10 of the operator does not "
      "become version 1: 'k' is computed, a constant is wanted");
}

TEST(OpsetRefusal, WhatAnOlderVersionCannotSay) {
  for (const Refused& one : std::initializer_list<Refused>{
           {"g (float[2,3] x) => (float[] y) { y = Gelu(x) }", 20, 19,
            "cannot be written for opset 19: the operator came with opset 20"},
           {"g (int32[2] x) => (int32[2] y) { y = Relu(x) }", 14, 13, "'x' is int32"},
           {"g (float[1,1,4,4] x) => (float[] y) <float[4] s = {1,1,2,2}> { y = "
            "Resize<antialias=1, mode=\"linear\">(x, \"\", s) }",
            18, 13, "it has no attribute 'antialias'"},
           {"g (float[2,3] x) => (float[] y) <int64[4] p = {0,1,0,1}> { y = Pad<mode=\"wrap\">(x, "
            "p) }",
            19, 18, "mode is 'wrap'"},
           {"g (float[3] x, float[3] b) => (float[] y) { y = Clip(x, b) }", 13, 10,
            "'b' is no constant number that an attribute holds"},
           {"g (float[2,3] a, float[3] b) => (float[] y) { y = Max(a, b) }", 8, 7,
            "it cannot broadcast"},
           {"g (float[1,1,4,4] x) => (float[] y) <float[4] s = {1,1,2,2}> { y = Resize(x, \"\", s) "
            "}",
            13, 10, "by another rule before"},
           {"g (float[2] x) => (float[2] y) { y = Dropout(x) }", 6, 7, "is_test is not set"},
           {"g (int32[2] x) => (int32[2] y) { y = Erf(x) }", 9, 13, "'x' is int32"},
       }) {
    EXPECT_THAT(refusal(one.graph, one.opset, one.target), HasSubstr(one.reason)) << one.graph;
  }
}

TEST(OpsetChoice, OpsetIsKeptWhereTheRuntimeRunsIt) {
  graph::Model model = graph::Model::from_proto(proto_of(kClip, 7));
  RecordingReporter reporter;
  EXPECT_FALSE(choose_opset(model, {{}, INGOT_TEST_RUNTIME}, reporter).changed());
}

TEST(OpsetChoice, OpsetBelowTheRuntimesIsRaised) {
  graph::Model model = graph::Model::from_proto(proto_of(
      "g (float[2,3,4] x, float[3] b) => (float[2,3,4] y) { y = Add<broadcast=1, axis=1>(x, b) }",
      6));
  RecordingReporter reporter;
  const OpsetChange change = choose_opset(model, {{}, INGOT_TEST_RUNTIME}, reporter);
  EXPECT_EQ(change.to, 7);
  EXPECT_EQ(change.reason, "ONNX Runtime promises to run 7 and above");
  EXPECT_EQ(model.graph().node(0).op_type(), "Unsqueeze");
}

TEST(OpsetChoice, RaiseThatIsNotPossibleLeavesTheModel) {
  graph::Model model =
      graph::Model::from_proto(proto_of("g (float[2] x) => (float[2] y) { y = Dropout(x) }", 6));
  const std::string before = model.serialize();
  RecordingReporter reporter;
  EXPECT_FALSE(choose_opset(model, {{}, INGOT_TEST_RUNTIME}, reporter).changed());
  EXPECT_THAT(reporter.warnings, ElementsAre(HasSubstr("opset 6 is kept: Dropout writing 'y'")));
  EXPECT_EQ(model.serialize(), before);
}

TEST(OpsetChoice, OpsetsThatAreNotRunAreRefused) {
  graph::Model model = graph::Model::from_proto(proto_of(kClip, 7));
  RecordingReporter reporter;
  expect_error(Code::kUnsupported, "opset 6 was asked for, the lowest that is written is 7",
               [&] { choose_opset(model, {6, {}}, reporter); });
  expect_error(Code::kUnsupported, "opset 999 was asked for, the newest of ONNX 1.23.2 is 28",
               [&] { choose_opset(model, {999, {}}, reporter); });
  try {
    choose_opset(model, {999, INGOT_TEST_RUNTIME}, reporter);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("opset 999 was asked for, the newest of ONNX Runtime "));
  }
}

}  // namespace
}  // namespace ingot::test
