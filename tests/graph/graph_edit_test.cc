// SPDX-License-Identifier: Apache-2.0
// The edits that passes share.
#include <gtest/gtest.h>

#include "graph/graph_index.h"
#include "tests/support/model_builder.h"

namespace ingot::graph {
namespace {

Model nested_model() {
  return test::model_from_text(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[4] x, bool c) => (float[4] p, float[4] y)
    <float[4] w = {1, 2, 3, 4}, float[4] unused = {0, 0, 0, 0}, float[4] below = {0, 0, 0, 0}> {
      p = Add (x, w)
      y = If (c) <then_branch = t () => (float[4] a) { a = Add (p, below) },
                  else_branch = e () => (float[4] b) { p = Neg (x)
                                                       b = Neg (p) }>
    })");
}

const onnx::GraphProto& branch(const Model& model, int index) {
  return model.graph().node(1).attribute(index).g();
}

TEST(ReplaceUses, FollowsSubgraphsAndRespectsTheirOwnNames) {
  Model model = nested_model();
  replace_uses(model.graph(), "p", "p2");
  EXPECT_EQ(branch(model, 0).node(0).input(0), "p2");
  EXPECT_EQ(branch(model, 1).node(1).input(0), "p") << "the branch's own p";
  EXPECT_EQ(model.graph().output(0).name(), "p");
  EXPECT_EQ(model.graph().node(0).output(0), "p");
}

TEST(ReplaceUses, RenamesEverySlot) {
  Model model = test::model_from_text(
      "<ir_version: 8, opset_import: [\"\" : 17]> g (float[1] x) => (float[1] y) { y = Mul (x, x) "
      "}");
  replace_uses(model.graph(), "x", "z");
  EXPECT_EQ(model.graph().node(0).input(0), "z");
  EXPECT_EQ(model.graph().node(0).input(1), "z");
  EXPECT_EQ(model.graph().input(0).name(), "x");
}

TEST(EraseNodes, KeepsOrderAndAddresses) {
  Model model = test::model_from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1] x) => (float[1] y) { a = Abs (x)  b = Neg (a)  d = Exp (b)  y = Identity (d) })");
  auto& graph = model.graph();
  const onnx::NodeProto* last = &graph.node(3);
  erase_nodes(graph, {&graph.node(1), &graph.node(2)});
  ASSERT_EQ(graph.node_size(), 2);
  EXPECT_EQ(graph.node(0).op_type(), "Abs");
  EXPECT_EQ(&graph.node(1), last);
}

TEST(EraseUnusedInitializers, CountsSubgraphsInputsAndOutputs) {
  Model model = nested_model();
  auto& graph = model.graph();
  model.add_initializer(graph, "constant_output", test::random_tensor({1}, 1));
  graph.add_output()->set_name("constant_output");
  model.add_initializer(graph, "c", test::random_tensor({1}, 1));
  EXPECT_EQ(erase_unused_initializers(graph), 1U);
  std::string names;
  for (const auto& tensor : graph.initializer()) names += tensor.name() + ' ';
  EXPECT_EQ(names, "w below constant_output c ");
  EXPECT_EQ(erase_unused_initializers(graph), 0U);
}

TEST(AddNode, WritesAllFields) {
  onnx::GraphProto graph;
  const auto& node = add_node(graph, "Gelu", "act", {"x", ""}, {"y"}, "com.microsoft");
  EXPECT_EQ(&node, &graph.node(0));
  EXPECT_EQ(
      node.ShortDebugString(),
      R"(input: "x" input: "" output: "y" name: "act" op_type: "Gelu" domain: "com.microsoft")");
}

TEST(OpsetVersion, TreatsBothNamesOfTheDefaultDomainAlike) {
  onnx::ModelProto model;
  EXPECT_EQ(opset_version(model), 0);
  auto& opset = *model.add_opset_import();
  opset.set_domain("ai.onnx");
  opset.set_version(13);
  EXPECT_EQ(opset_version(model), 13);
  EXPECT_EQ(opset_version(model, "ai.onnx"), 13);
  EXPECT_EQ(opset_version(model, "com.microsoft"), 0);
  set_opset_version(model, "", 17);
  set_opset_version(model, "com.microsoft", 1);
  set_opset_version(model, "com.microsoft", 2);
  EXPECT_EQ(model.opset_import_size(), 2);
  EXPECT_EQ(opset_version(model), 17);
  EXPECT_EQ(opset_version(model, "com.microsoft"), 2);
}

}  // namespace
}  // namespace ingot::graph
