// SPDX-License-Identifier: Apache-2.0
// Named dimensions given a size.
#include "converters/fix_dimensions.h"

#include <gtest/gtest.h>

#include "graph/graph_index.h"
#include "tests/support/expect_error.h"
#include "tests/support/model_builder.h"

namespace ingot::converters {
namespace {

graph::Model model() {
  return test::model_from_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[batch,seq] ids, float[batch,4] mask, bool p) => (float[batch,seq] y) <float[batch,seq] a> {
      a = Abs(ids)
      y = If(p) <then_branch = t () => (float[batch,seq] b) { b = Neg(a) },
                 else_branch = e () => (float[batch,seq] c) { c = Abs(a) }> })");
}

std::vector<std::int64_t> dims(const onnx::ValueInfoProto& info) {
  return graph::declared_type(info).shape.value_or(Shape{});
}

TEST(FixDimensions, EveryPlaceGetsTheSize) {
  graph::Model fixed = model();
  fix_dimensions(fixed, std::vector<FixedDimension>{{"batch", 2}});
  const auto& graph = fixed.graph();
  EXPECT_EQ(dims(graph.input(0)), (Shape{2, -1}));
  EXPECT_EQ(dims(graph.input(1)), (Shape{2, 4}));
  EXPECT_EQ(dims(graph.output(0)), (Shape{2, -1}));
  EXPECT_EQ(dims(graph.value_info(0)), (Shape{2, -1}));
  EXPECT_EQ(dims(graph.node(1).attribute(0).g().output(0)), (Shape{2, -1}));
}

TEST(FixDimensions, UnknownNameIsRefusedWithTheNearest) {
  graph::Model fixed = model();
  test::expect_error(
      Code::kUsage,
      "--fix-dim 'bach': no input has a dimension of this name; did you mean 'batch'?",
      [&] { fix_dimensions(fixed, std::vector<FixedDimension>{{"bach", 2}}); });
}

TEST(FixDimensions, NameGivenTwiceIsRefused) {
  graph::Model fixed = model();
  test::expect_error(Code::kUsage, "--fix-dim 'seq' is given twice", [&] {
    fix_dimensions(fixed, std::vector<FixedDimension>{{"seq", 2}, {"seq", 3}});
  });
}

TEST(ParseFixedDimension, TakesTheLastEqualsSign) {
  const FixedDimension fixed = parse_fixed_dimension("a=b=12");
  EXPECT_EQ(fixed.name, "a=b");
  EXPECT_EQ(fixed.size, 12);
}

TEST(ParseFixedDimension, AnythingElseIsRefused) {
  for (const char* text : {"batch", "=3", "batch=", "batch=0", "batch=-1", "batch=1x"}) {
    test::expect_error(
        Code::kUsage,
        std::string("--fix-dim '") + text + "': NAME=N is wanted, N a whole number of at least 1",
        [&] { parse_fixed_dimension(text); });
  }
}

}  // namespace
}  // namespace ingot::converters
