// SPDX-License-Identifier: Apache-2.0
// Calls of local functions written out: held against the runtime, which writes them out itself, and
// against the definition where the runtime refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converters/function_inliner.h"
#include "converters/validate.h"
#include "tests/converters/clean_case.h"

namespace ingot::converters {
namespace {

using ::testing::ElementsAre;

onnx::ModelProto with_functions(const std::string& text, int ir_version = 10) {
  return test::proto_from_text("<ir_version: " + std::to_string(ir_version) +
                               ", opset_import: [\"\": 17, \"loc\": 1]> " + text);
}

/// Written out, and equal to the runtime's result bit for bit.
test::Cleaned written_out(const std::string& text) {
  const auto proto = with_functions(text);
  EXPECT_TRUE(validate(graph::Model::from_proto(proto)).findings.empty());
  test::Cleaned result = test::clean_and_compare(proto);
  EXPECT_EQ(result.error, 0);
  EXPECT_TRUE(result.model.proto().functions().empty());
  EXPECT_EQ(graph::opset_version(result.model.proto(), "loc"), 0);
  return result;
}

TEST(Functions, NestedCallsAndNamesThatMeet) {
  const auto result = written_out(R"(g (float[2,3] x) => (float[2,3] y) {
      h = Exp (x)  [one] a = loc.F (h)  [two] b = loc.F (a)  y = Sub (b, h) }
    <domain: "loc", opset_import: ["": 17, "loc": 1]> F (x) => (y) { h = loc.G (x)  y = Tanh (h) }
    <domain: "loc", opset_import: ["": 17]> G (h) => (x) { a = Sigmoid (h)  x = Mul (a, h) })");
  EXPECT_EQ(result.operators(), "Exp Sigmoid Mul Tanh Sigmoid Mul Tanh Sub");
}

TEST(Functions, AttributesGivenDefaultedAndAbsent) {
  written_out(R"(g (float[2,3] x) => (float[2,3] y) {
      a = loc.F <q = 0.25> (x)  b = loc.F (a)  c = loc.D (b)  d = loc.D <q = 0.5> (c)
      y = loc.Outer <p = 0.125> (d) }
    <domain: "loc", opset_import: ["": 17]> F <q> (x) => (y) { n = Neg (x)  y = LeakyRelu <alpha: float = @q> (n) }
    <domain: "loc", opset_import: ["": 17]> D <q: float = 0.75> (x) => (y) { n = Neg (x)  y = LeakyRelu <alpha: float = @q> (n) }
    <domain: "loc", opset_import: ["": 17, "loc": 1]> Outer <p> (x) => (y) { y = loc.F <q: float = @p> (x) })");
}

TEST(Functions, ReferencesAndCallsInsideSubgraphs) {
  written_out(R"(g (float[2,3] x, bool c) => (float[2,3] y) {
      a = loc.F <q = 0.25> (x, c)  y = loc.F (a, c) }
    <domain: "loc", opset_import: ["": 17, "loc": 1]> F <q> (x, c) => (y) {
      y = If (c) <then_branch = t () => (float[2,3] r) { k = Neg (x)  r = LeakyRelu <alpha: float = @q> (k) },
                  else_branch = e () => (float[2,3] r) { r = loc.G (x) }> }
    <domain: "loc", opset_import: ["": 17]> G (x) => (y) { k = Exp (x)  y = Tanh (k) })");
}

TEST(Functions, AbsentArgumentsStayAbsent) {
  written_out(R"(g (float[2,3] x) => (float[2,3] y) <float hi = {0.5}> {
      a = loc.F (x, hi)  y = loc.F (a) }
    <domain: "loc", opset_import: ["": 17]> F (x, hi) => (y) { y = Clip (x, , hi) })");
}

TEST(Functions, LargeConstantIsOneWeight) {
  std::string values = "0.5";
  for (int i = 1; i < 600; ++i) values += ", " + std::to_string(i % 7) + ".5";
  const auto result = written_out(R"(g (float[20,30] x) => (float[20,30] y) {
      a = loc.F (x)  b = Exp (a)  y = loc.F (b) }
    <domain: "loc", opset_import: ["": 17]> F (x) => (y) {
      k = Constant <value = float[20,30] {)" +
                                  values + R"(}> ()  y = Add (x, k) })");
  EXPECT_EQ(result.model.graph().initializer_size(), 1);
}

TEST(Functions, OutputThatIsAnInputOrGivenTwice) {
  graph::Model model = graph::Model::from_proto(with_functions(R"(
    g (float[2] x) => (float[2] p, float[2] q, float[2] r) { p, q, r = loc.F (x) }
    <domain: "loc", opset_import: ["": 17]> F (a) => (b, b, a) { b = Neg (a) })"));
  EXPECT_EQ(inline_functions(model), 1U);
  std::vector<std::string> nodes;
  for (const auto& node : model.graph().node())
    nodes.push_back(node.op_type() + " " + node.input(0) + " " + node.output(0));
  EXPECT_THAT(nodes, ElementsAre("Neg x p", "Identity p q", "Identity x r"));
}

std::vector<std::string> faults(const onnx::ModelProto& proto, const Budgets& budgets = {}) {
  std::vector<std::string> messages;
  for (const Finding& finding : validate(graph::Model::from_proto(proto), budgets).findings)
    messages.push_back(finding.message);
  return messages;
}

TEST(Functions, TooManyArguments) {
  EXPECT_THAT(faults(with_functions(R"(g (float[2] x) => (float[2] y) { y, z = loc.F (x, x) }
    <domain: "loc", opset_import: ["": 17]> F (a) => (b) { b = Neg (a) })")),
              ElementsAre("F writing 'y' has 2 inputs, function 'F' takes at most 1",
                          "F writing 'y' has 2 outputs, function 'F' takes at most 1"));
}

TEST(Functions, TwoOfOneName) {
  EXPECT_THAT(faults(with_functions(R"(g (float[2] x) => (float[2] y) { y = loc.F (x) }
    <domain: "loc", opset_import: ["": 17]> F (a) => (b) { b = Neg (a) }
    <domain: "loc", opset_import: ["": 17]> F (a) => (b) { b = Abs (a) })")),
              ElementsAre("there are two of function 'F' in domain 'loc'"));
}

TEST(Functions, OpsetInWhichAnOperatorMeansSomethingElse) {
  const auto text = [](const std::string& body) {
    return with_functions(R"(g (float[2,3,4] x) => (float[2,3,4] y) { y = loc.F (x) }
    <domain: "loc", opset_import: ["": 11]> F (a) => (b) { )" +
                          body + " }");
  };
  EXPECT_THAT(faults(text("b = Softmax (a)")),
              ElementsAre("function 'F' imports opset 11 of domain 'ai.onnx', the model 17: "
                          "Softmax writing 'b' is not the same in both"));
  // The later versions of these take more types, and that is all.
  EXPECT_THAT(faults(text("c = Neg (a)  b = Add (c, a)")), ElementsAre());
}

TEST(Functions, WrongParametersAreNamedWhereTheyAreUsed) {
  EXPECT_THAT(
      faults(with_functions(R"(g (float[2,3] x) => (y) { [call] y = loc.F <p = [0, 4]> (x) }
    <domain: "loc", opset_import: ["": 17]> F <p> (a) => (b) { [turn] b = Transpose <perm: ints = @p> (a) })")),
      ElementsAre("Transpose 'call/turn': Invalid attribute perm {0, 4}, input shape = {2, 3}"));
}

/// Each function calls the one before twice.
onnx::ModelProto doubling(int depth) {
  std::string text = "g (float[2] x) => (float[2] y) { y = loc.F" + std::to_string(depth) +
                     " (x) } <domain: \"loc\", opset_import: [\"\": 17]> F0 (a) => (b) { b = Neg "
                     "(a) }";
  for (int i = 1; i <= depth; ++i) {
    const std::string below = "loc.F" + std::to_string(i - 1);
    text += " <domain: \"loc\", opset_import: [\"\": 17, \"loc\": 1]> F" + std::to_string(i) +
            " (a) => (b) { c = " + below + " (a)  b = " + below + " (c) }";
  }
  return with_functions(text);
}

TEST(Functions, BudgetOfNodesWrittenOut) {
  EXPECT_THAT(faults(doubling(60)),
              ElementsAre("with its functions written out the model has 1152921504606846976 nodes, "
                          "at most 100000 are allowed (--max-inlined-nodes)"));
  Budgets budgets;
  budgets.inlined_nodes = 31;
  EXPECT_THAT(faults(doubling(5), budgets),
              ElementsAre("with its functions written out the model has 32 nodes, at most 31 are "
                          "allowed (--max-inlined-nodes)"));
  budgets.inlined_nodes = 32;
  EXPECT_THAT(faults(doubling(5), budgets), ElementsAre());
}

TEST(Functions, BudgetOfDepthWrittenOut) {
  std::string text =
      "g (float[2] x, bool c) => (float[2] y) { y = loc.F40 (x, c) } <domain: "
      "\"loc\", opset_import: [\"\": 17]> F0 (a, c) => (b) { b = Neg (a) }";
  for (int i = 1; i <= 40; ++i) {
    text += " <domain: \"loc\", opset_import: [\"\": 17, \"loc\": 1]> F" + std::to_string(i) +
            " (a, c) => (b) { b = If (c) <then_branch = t () => (r) { r = loc.F" +
            std::to_string(i - 1) + " (a, c) }, else_branch = e () => (s) { s = Abs (a) }> }";
  }
  EXPECT_THAT(
      faults(with_functions(text)),
      ElementsAre("with its functions written out its graphs lie 41 deep in one another, at "
                  "most 30 are allowed (--max-nested-graphs)"));
}

TEST(Functions, OverloadsAreToldApart) {
  auto proto = with_functions(R"(g (float[2] x) => (float[2] y) { y = loc.F (x) }
    <domain: "loc", opset_import: ["": 17]> F (a) => (b) { b = Neg (a) }
    <domain: "loc", opset_import: ["": 17]> F (a) => (b) { b = Abs (a) })");
  proto.mutable_functions(1)->set_overload("positive");
  proto.mutable_graph()->mutable_node(0)->set_overload("positive");
  graph::Model model = graph::Model::from_proto(proto);
  EXPECT_TRUE(validate(model).findings.empty());
  inline_functions(model);
  EXPECT_EQ(model.graph().node(0).op_type(), "Abs");
}

}  // namespace
}  // namespace ingot::converters
