// SPDX-License-Identifier: Apache-2.0
#include "graph/graph_index.h"

#include <gtest/gtest.h>

#include "tests/support/model_builder.h"

namespace ingot::graph {
namespace {

Model branchy_model() {
  return test::model_from_text(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[4] x, bool c, float[4] d) => (float[4] y, float[4] p) <float[4] w = {1, 2, 3, 4}, float[4] d = {0, 0, 0, 0}> {
      p = Add (x, w)
      q = Mul (p, p)
      r = Relu (q)
      s = Clip (r, , w)
      y = If (c) <then_branch = t () => (float[4] a) { a = Add (s, w) },
                  else_branch = e () => (float[4] b) { s2 = Identity (x)
                                                       b = If (c) <then_branch = u () => (float[4] v) { v = Neg (q) },
                                                                   else_branch = f () => (float[4] z) { z = Neg (s2) }> }>
    })");
}

TEST(GraphIndex, KnowsProducersAndUses) {
  Model model = branchy_model();
  const GraphIndex index(model, model.graph());
  EXPECT_EQ(index.producer("q"), model.graph().mutable_node(1));
  EXPECT_EQ(index.producer("x"), nullptr);
  EXPECT_EQ(index.producer("none"), nullptr);
  EXPECT_EQ(index.producer(""), nullptr);
  const auto& uses = index.uses("p");
  ASSERT_EQ(uses.size(), 2U);
  EXPECT_EQ(uses[0].node, model.graph().mutable_node(1));
  EXPECT_EQ(uses[0].slot, 0);
  EXPECT_EQ(uses[1].slot, 1);
  ASSERT_EQ(index.uses("w").size(), 2U);
  EXPECT_EQ(index.uses("w")[1].slot, 2);
  EXPECT_TRUE(index.uses("").empty());
  EXPECT_TRUE(index.uses("y").empty());
}

TEST(GraphIndex, SeesWhatSubgraphsRead) {
  Model model = branchy_model();
  const GraphIndex index(model, model.graph());
  for (const char* name : {"s", "w", "x", "c", "q"}) EXPECT_TRUE(index.used_below(name)) << name;
  for (const char* name : {"s2", "a", "r", "d", "v"}) EXPECT_FALSE(index.used_below(name)) << name;
}

TEST(GraphIndex, OnlyConsumerCountsEveryUse) {
  Model model = branchy_model();
  const GraphIndex index(model, model.graph());
  EXPECT_EQ(index.only_consumer("r"), model.graph().mutable_node(3));
  EXPECT_EQ(index.only_consumer("p"), nullptr) << "two slots and a graph output";
  EXPECT_EQ(index.only_consumer("q"), nullptr) << "read below";
  EXPECT_EQ(index.only_consumer("s"), nullptr) << "only read below";
}

TEST(GraphIndex, InitializersThatAreInputsAreNotConstant) {
  Model model = branchy_model();
  const GraphIndex index(model, model.graph());
  EXPECT_TRUE(index.is_graph_input("d"));
  EXPECT_TRUE(index.is_graph_output("p"));
  EXPECT_EQ(index.initializer("d"), model.graph().mutable_initializer(1));
  EXPECT_EQ(index.constant("d"), std::nullopt);
  ASSERT_NE(index.constant("w"), std::nullopt);
  EXPECT_EQ(index.constant("w")->as<float>()[3], 4.0F);
  EXPECT_EQ(index.constant("x"), std::nullopt);
  EXPECT_EQ(index.constant("p"), std::nullopt);
}

TEST(GraphIndex, ConstantNodesOfEveryForm) {
  Model model = test::model_from_text(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[1] x) => (float[1] y) {
      a = Constant <value = float[2] {1, 2}> ()
      b = Constant <value_float = 0.5> ()
      c = Constant <value_floats = [1.5, 2.5]> ()
      d = Constant <value_int = 7> ()
      e = Constant <value_ints = [3, 4, 5]> ()
      f = Constant <value_string = "s"> ()
      h = Constant <value_strings = ["t", "u"]> ()
      y = Identity (x)
    })");
  const GraphIndex index(model, model.graph());
  EXPECT_EQ(index.constant("a")->as<float>()[1], 2.0F);
  EXPECT_EQ(index.constant("b")->shape, Shape{});
  EXPECT_EQ(index.constant("b")->as<float>()[0], 0.5F);
  EXPECT_EQ(index.constant("c")->shape, Shape{2});
  EXPECT_EQ(index.constant("c")->as<float>()[1], 2.5F);
  EXPECT_EQ(index.constant("d")->shape, Shape{});
  EXPECT_EQ(index.constant("d")->as<std::int64_t>()[0], 7);
  EXPECT_EQ(index.constant("e")->shape, Shape{3});
  EXPECT_EQ(index.constant("e")->as<std::int64_t>()[2], 5);
  EXPECT_EQ(index.constant("f")->strings[0], "s");
  EXPECT_EQ(index.constant("h")->strings[1], "u");
  EXPECT_EQ(index.constant("y"), std::nullopt);
}

TEST(NameMaker, AvoidsNamesOfAllGraphs) {
  const Model model = branchy_model();
  NameMaker names(model);
  EXPECT_EQ(names.fresh("new"), "new");
  EXPECT_EQ(names.fresh("new"), "new_1");
  EXPECT_EQ(names.fresh("new"), "new_2");
  EXPECT_EQ(names.fresh("s2"), "s2_1");
  EXPECT_EQ(names.fresh("w"), "w_1");
  EXPECT_EQ(names.fresh("x"), "x_1");
}

TEST(ForEachGraph, GoesFromOuterToInner) {
  const Model model = branchy_model();
  std::string names;
  for_each_graph(model.proto(), [&](const onnx::GraphProto& graph) { names += graph.name(); });
  EXPECT_EQ(names, "gteuf");
}

TEST(Describe, NamesANodeByNameOrOutput) {
  onnx::NodeProto node;
  node.set_op_type("Conv");
  EXPECT_EQ(describe(node), "Conv without name and outputs");
  EXPECT_EQ(node_key(node), "");
  node.add_output("");
  node.add_output("y");
  EXPECT_EQ(describe(node), "Conv writing 'y'");
  EXPECT_EQ(node_key(node), "y");
  node.set_name("stem/conv");
  EXPECT_EQ(describe(node), "Conv 'stem/conv'");
  EXPECT_EQ(node_key(node), "stem/conv");
}

TEST(Attributes, AreReadAsTheirTypeAndReplaced) {
  onnx::NodeProto node;
  set_attribute(node, "axis", std::int64_t{2});
  set_attribute(node, "alpha", 0.5F);
  set_attribute(node, "pads", std::vector<std::int64_t>{1, 2});
  set_attribute(node, "mode", std::string("linear"));
  EXPECT_EQ(int_attribute(node, "axis", -1), 2);
  EXPECT_EQ(float_attribute(node, "alpha", 0), 0.5F);
  EXPECT_EQ(ints_attribute(node, "pads"), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(string_attribute(node, "mode", ""), "linear");
  EXPECT_EQ(int_attribute(node, "alpha", -1), -1) << "another type";
  EXPECT_EQ(int_attribute(node, "none", -1), -1);
  EXPECT_EQ(string_attribute(node, "none", "d"), "d");
  EXPECT_TRUE(ints_attribute(node, "none").empty());
  set_attribute(node, "pads", std::int64_t{9});
  EXPECT_EQ(node.attribute_size(), 4);
  EXPECT_EQ(int_attribute(node, "pads", -1), 9);
  EXPECT_EQ(find_attribute(node, "pads")->ints_size(), 0);
}

}  // namespace
}  // namespace ingot::graph
