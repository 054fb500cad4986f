// SPDX-License-Identifier: Apache-2.0
// Sorting nodes topologically.
#include <gtest/gtest.h>

#include "graph/graph_index.h"
#include "tests/support/expect_error.h"
#include "tests/support/model_builder.h"

namespace ingot::graph {
namespace {

using test::expect_error;

/// A graph of nodes written as "output: input input", for order only.
onnx::GraphProto graph_of(
    const std::vector<std::pair<std::string, std::vector<std::string>>>& nodes) {
  onnx::GraphProto graph;
  graph.add_input()->set_name("x");
  for (const auto& [output, inputs] : nodes) add_node(graph, "Op", "", inputs, {output});
  return graph;
}

std::string order_of(const onnx::GraphProto& graph) {
  std::string order;
  for (const auto& node : graph.node()) order += node.output(0);
  return order;
}

TEST(SortNodes, LeavesASortedGraphAlone) {
  auto graph = graph_of(
      {{"b", {"x"}}, {"a", {"x"}}, {"d", {"a", ""}}, {"c", {"b", "b"}}, {"e", {"d", "a"}}});
  sort_nodes(graph);
  EXPECT_EQ(order_of(graph), "badce");
}

TEST(SortNodes, MovesOnlyWhatIsReadTooEarly) {
  auto graph = graph_of({{"a", {"x"}}, {"c", {"b"}}, {"d", {"x"}}, {"b", {"a"}}, {"e", {"x"}}});
  const onnx::NodeProto* moved = &graph.node(3);
  sort_nodes(graph);
  EXPECT_EQ(order_of(graph), "abcde");
  EXPECT_EQ(&graph.node(1), moved) << "nodes keep their addresses";
}

TEST(SortNodes, WhatSubgraphsReadComesFirst) {
  auto model = test::proto_from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4] x, bool c) => (float[4] y) {
      y = If (c) <then_branch = t () => (float[4] a) { a = Neg (p) }, else_branch = e () => (float[4] b) { b = Neg (x) }>
      p = Abs (x)
    })");
  sort_nodes(*model.mutable_graph());
  EXPECT_EQ(order_of(model.graph()), "py");
}

TEST(SortNodes, NamesTheCycle) {
  auto graph = graph_of({{"a", {"x"}}, {"b", {"c", "a"}}, {"c", {"b"}}});
  expect_error(Code::kInput, "Op writing 'b' is part of a cycle", [&] { sort_nodes(graph); });
  EXPECT_EQ(order_of(graph), "abc") << "untouched";
  auto self = graph_of({{"a", {"a"}}});
  expect_error(Code::kInput, "Op writing 'a' is part of a cycle", [&] { sort_nodes(self); });
}

TEST(SortNodes, NamesTheTensorNobodyWrites) {
  auto graph = graph_of({{"a", {"outer"}}});
  expect_error(Code::kInput, "tensor 'outer', read by Op writing 'a', is written by nobody",
               [&] { sort_nodes(graph); });
  EXPECT_NO_THROW(sort_nodes(graph, {"outer"}));
}

TEST(SortNodes, NamesTheTensorWrittenTwice) {
  auto graph = graph_of({{"a", {"x"}}, {"a", {"x"}}});
  expect_error(Code::kInput, "tensor 'a' is written by Op writing 'a' and also elsewhere",
               [&] { sort_nodes(graph); });
}

TEST(SortNodes, LongReversedChainsAreSortedAndIndexed) {
  constexpr int kNodes = 100'000;
  Model model = Model::from_proto({});
  auto& graph = model.graph();
  graph.add_input()->set_name("t0");
  for (int i = kNodes; i > 0; --i) {
    add_node(graph, "Relu", "n" + std::to_string(i), {"t" + std::to_string(i - 1)},
             {"t" + std::to_string(i)});
  }
  sort_nodes(graph);
  for (int i = 0; i < kNodes; ++i) ASSERT_EQ(graph.node(i).output(0), "t" + std::to_string(i + 1));
  const GraphIndex index(model, graph);
  EXPECT_EQ(index.only_consumer("t500"), graph.mutable_node(500));
  NameMaker names(model);
  for (int i = 1; i <= kNodes; ++i) ASSERT_EQ(names.fresh("t0"), "t0_" + std::to_string(i));
}

}  // namespace
}  // namespace ingot::graph
