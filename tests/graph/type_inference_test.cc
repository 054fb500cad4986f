// SPDX-License-Identifier: Apache-2.0
// Types in graphs of any depth, and what operators say against their nodes.
#include "graph/type_inference.h"

#include <gtest/gtest.h>

#include "graph/graph_index.h"
#include "graph/type_text.h"
#include "tests/support/model_builder.h"

namespace ingot::graph {
namespace {

const onnx::GraphProto& subgraph(const onnx::GraphProto& graph, int node, int attribute) {
  return graph.node(node).attribute(attribute).g();
}

std::string text(const GraphTypes& types, const onnx::GraphProto& graph, const std::string& name) {
  const onnx::TypeProto* type = types.find(graph, name);
  return type == nullptr ? "nothing" : type_text(*type);
}

TEST(GraphTypes, BranchesSeeTheirOwnValuesAndThoseAround) {
  const Model model = test::model_from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2,3] x, bool c) => (float[3,2] y) { h = Abs (x)
      y = If (c) <then_branch = t () => (float[3,2] r) { k = Neg (h)  r = Transpose (k) },
                  else_branch = e () => (float[3,2] r) { k = Cast <to = 7> (h)
                                                         s = Transpose (k)  r = Cast <to = 1> (s) }> })");
  const GraphTypes types = infer_graph_types(model);
  const auto& then = subgraph(model.graph(), 1, 0);
  const auto& otherwise = subgraph(model.graph(), 1, 1);
  EXPECT_EQ(text(types, then, "k"), "float32[2,3]");
  EXPECT_EQ(text(types, otherwise, "k"), "int64[2,3]");
  EXPECT_EQ(text(types, otherwise, "h"), "float32[2,3]");
  EXPECT_EQ(text(types, model.graph(), "k"), "nothing");
  EXPECT_EQ(text(types, model.graph(), "y"), "float32[3,2]");
  EXPECT_TRUE(types.faults().empty());
}

TEST(GraphTypes, BodyOfALoopGetsWhatTheNodePasses) {
  const Model model = test::model_from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x, int64 n, bool c) => (float[2] y, float[k,2] z) {
      y, z = Loop (n, c, x) <body = b (int64 i, bool go, v) => (bool more, w, s) {
        more = Identity (go)  w = Neg (v)  s = Abs (v) }> })");
  const GraphTypes types = infer_graph_types(model);
  const auto& body = subgraph(model.graph(), 0, 0);
  EXPECT_EQ(text(types, body, "v"), "float32");
  EXPECT_EQ(text(types, body, "s"), "float32");
  EXPECT_EQ(types.find(model.graph(), "z")->tensor_type().elem_type(), onnx::TensorProto::FLOAT);
}

/// `depth` graphs inside one another, each with two branches; the deeper one is the first.
onnx::GraphProto nested(int depth) {
  onnx::GraphProto graph;
  graph.set_name("g" + std::to_string(depth));
  const std::string name = "r" + std::to_string(depth);
  auto& node = *graph.add_node();
  node.add_output(name);
  auto& output = *graph.add_output();
  output.set_name(name);
  if (depth == 0) {
    node.set_op_type("Neg");
    node.add_input("x");
    return graph;
  }
  node.set_op_type("If");
  node.add_input("c");
  for (const char* branch : {"then_branch", "else_branch"}) {
    auto& attribute = *node.add_attribute();
    attribute.set_name(branch);
    attribute.set_type(onnx::AttributeProto::GRAPH);
    *attribute.mutable_g() = nested(branch[0] == 't' ? depth - 1 : 0);
  }
  return graph;
}

TEST(GraphTypes, DepthCostsNoMoreThanItsNodes) {
  onnx::ModelProto proto = test::proto_from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x, bool c) => (y) { y = Neg (x) })");
  auto& graph = *proto.mutable_graph();
  graph.clear_node();
  *graph.mutable_node() = nested(28).node();
  graph.mutable_output(0)->set_name("r28");
  const Model model = Model::from_proto(std::move(proto));
  // Two visits per level would be 2^28.
  const GraphTypes types = infer_graph_types(model);
  EXPECT_EQ(text(types, model.graph(), "r28"), "float32[2]");
  const onnx::GraphProto* inner = &model.graph();
  for (int depth = 28; depth > 0; --depth) inner = &subgraph(*inner, 0, 0);
  EXPECT_EQ(text(types, *inner, "r0"), "float32[2]");
}

TEST(GraphTypes, TypesOutliveEditsThatKeepNames) {
  Model model = test::model_from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2,3] x) => (float[3,2] y) { a = Abs (x)  y = Transpose (a) })");
  const GraphTypes types = infer_graph_types(model);
  model.graph().mutable_node()->DeleteSubrange(0, 1);
  model.graph().mutable_node(0)->set_output(0, "other");
  EXPECT_EQ(text(types, model.graph(), "a"), "float32[2,3]");
  EXPECT_EQ(text(types, model.graph(), "y"), "float32[3,2]");
}

TEST(GraphTypes, OperatorsSpeakAgainstTheirNodes) {
  const Model model = test::model_from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2,3] x) => (y) { [t] a = Transpose <perm = [0, 5]> (x)  [u] b = Abs (a)
                              [m] y = MatMul (x, x) })");
  const auto types = infer_graph_types(model);
  const auto& faults = types.faults();
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].node->name(), "t");
  EXPECT_EQ(faults[0].message, "Invalid attribute perm {0, 5}, input shape = {2, 3}");
  EXPECT_EQ(faults[1].node->name(), "m");
}

TEST(GraphTypes, WhatIsNotKnownIsNoFault) {
  const Model model = test::model_from_text(R"(<ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    g (float[2,3] x, bool c) => (y) { a = my.Op (x)  b = Cast <to = 1> (a)  d = Concat <axis = 7> (a, x)
      y = If (c) <then_branch = t () => (p) { p = my.Op (x) },
                  else_branch = e () => (q) { q = Neg (x) }> })");
  EXPECT_TRUE(infer_graph_types(model).faults().empty());
}

TEST(GraphTypes, ValuesOfShapesCanBeLeftOut) {
  // The target is [-1, 4] only through arithmetic: the runtime loads this, as it does a model whose
  // wrong branch never runs.
  const Model model = test::model_from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2,3] x) => (y) <int64[2] k = {-3, 1}> {
      s = Shape (x)  d = Add (s, k)  y = Reshape (x, d) })");
  EXPECT_EQ(infer_graph_types(model).faults().size(), 1U);
  EXPECT_TRUE(infer_graph_types(model, {.follow_shapes = false}).faults().empty());
}

}  // namespace
}  // namespace ingot::graph
