// SPDX-License-Identifier: Apache-2.0
#include "graph/summary.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "graph/onnx_release.h"
#include "tests/support/model_builder.h"

namespace ingot::graph {
namespace {

Summary nested_summary() {
  return summarize(test::model_from_text(R"(
    <ir_version: 8, opset_import: ["" : 17, "com.example" : 1],
     producer_name: "tester", producer_version: "2.0", metadata_props: ["task" : "none"]>
    g (float[N, 3, 48, 5] x, bool c, float16[?] h) => (float[4] y)
    <float[4] w = {1, 2, 3, 4}, int8[2, 3] q = {1, 2, 3, 4, 5, 6}> {
      k = Constant <value = float[5] {1, 2, 3, 4, 5}> ()
      z = com.example.Odd (x, k)
      y = If (c) <then_branch = t () => (float[4] a) <float[4] b = {1, 2, 3, 4}> { a = Add (w, b) },
                  else_branch = e () => (float[4] d) { d = Neg (w) }>
    })"));
}

TEST(Summarize, NamesTheModel) {
  const Summary summary = nested_summary();
  EXPECT_EQ(summary.ir_version, 8);
  EXPECT_EQ(summary.producer, "tester 2.0");
  EXPECT_EQ(summary.graph_name, "g");
  using Versions = std::vector<std::pair<std::string, std::int64_t>>;
  EXPECT_EQ(summary.opset_imports, (Versions{{"ai.onnx", 17}, {"com.example", 1}}));
  using Entries = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(summary.metadata, (Entries{{"task", "none"}}));
  EXPECT_EQ(summary.file_bytes, 0u);
  EXPECT_FALSE(summary.external_weights);
}

TEST(Summarize, WritesTypesWithTheNamesOfOpenDimensions) {
  const Summary summary = nested_summary();
  ASSERT_EQ(summary.inputs.size(), 3u);
  EXPECT_EQ(summary.inputs[0].type, "float32[N,3,48,5]");
  EXPECT_EQ(summary.inputs[0].dtype, DType::kFloat);
  EXPECT_EQ(summary.inputs[1].type, "bool[]");
  EXPECT_EQ(summary.inputs[2].type, "float16[?]");
  ASSERT_EQ(summary.outputs.size(), 1u);
  EXPECT_EQ(summary.outputs[0].name, "y");
}

TEST(Summarize, WritesTypesThatAreNoTensorsOrHaveNoRank) {
  onnx::ModelProto proto = test::proto_from_text(R"(
    <ir_version: 8, opset_import: ["" : 17]> g (float[1] x) => (float[1] y) { y = Abs (x) })");
  auto* type = proto.mutable_graph()->add_input()->mutable_type();
  auto* map = type->mutable_sequence_type()->mutable_elem_type()->mutable_map_type();
  map->set_key_type(onnx::TensorProto::INT64);
  map->mutable_value_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
  proto.mutable_graph()->add_input()->set_name("untyped");
  auto* ranked = proto.mutable_graph()->add_input()->mutable_type()->mutable_tensor_type();
  ranked->set_elem_type(onnx::TensorProto::BOOL);
  const Summary summary = summarize(Model::from_proto(std::move(proto)));
  EXPECT_EQ(summary.inputs[1].type, "sequence(map(int64, float32))");
  EXPECT_EQ(summary.inputs[1].dtype, DType::kUndefined);
  EXPECT_EQ(summary.inputs[2].type, "undefined");
  EXPECT_EQ(summary.inputs[3].type, "bool") << "a tensor of unknown rank";
}

TEST(Summarize, CountsOperatorsOfSubgraphsToo) {
  const Summary summary = nested_summary();
  const std::map<std::string, std::uint64_t> wanted{
      {"Add", 1}, {"Constant", 1}, {"If", 1}, {"Neg", 1}, {"com.example.Odd", 1}};
  EXPECT_EQ(summary.operator_counts, wanted);
  EXPECT_EQ(summary.node_count, 5u);
  EXPECT_EQ(summary.subgraph_count, 2u);
  EXPECT_EQ(summary.function_count, 0u);
}

TEST(Summarize, AddsUpWeightsWhereverTheyAre) {
  const Summary summary = nested_summary();
  // Floats: 4 in w, 5 in the Constant, 4 in the branch; int8: 6.
  EXPECT_EQ(summary.parameter_count, 19u);
  EXPECT_EQ(summary.weight_bytes, 13u * 4 + 6);
  ASSERT_EQ(summary.by_dtype.size(), 2u);
  EXPECT_EQ(summary.by_dtype.at(DType::kFloat).tensor_count, 3u);
  EXPECT_EQ(summary.by_dtype.at(DType::kFloat).parameter_count, 13u);
  EXPECT_EQ(summary.by_dtype.at(DType::kFloat).size_bytes, 52u);
  EXPECT_EQ(summary.by_dtype.at(DType::kInt8).size_bytes, 6u);
}

TEST(Summarize, ListsTheLargestFirstAndEqualOnesInFileOrder) {
  const Summary summary = nested_summary();
  ASSERT_EQ(summary.largest.size(), 4u);
  EXPECT_EQ(summary.largest[0].name, "k");
  EXPECT_EQ(summary.largest[0].size_bytes, 20u);
  EXPECT_EQ(summary.largest[1].name, "w");
  EXPECT_EQ(summary.largest[2].name, "b");
  EXPECT_EQ(summary.largest[3].name, "q");
  EXPECT_EQ(summary.largest[3].shape, (Shape{2, 3}));
}

TEST(Summarize, ListsNoMoreThanAskedFor) {
  const Model model = test::model_from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1] x) => (float[1] y) <float[1] a = {1}, float[2] b = {1, 2}> { y = Add (x, a) })");
  EXPECT_EQ(summarize(model, 1).largest.size(), 1u);
  EXPECT_EQ(summarize(model, 1).largest[0].name, "b");
  EXPECT_TRUE(summarize(model, 0).largest.empty());
  EXPECT_EQ(summarize(model, 0).parameter_count, 3u);
}

TEST(Summarize, MarksInputsThatHaveADefault) {
  const Summary summary = summarize(test::model_from_text(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[1] x, float[1] w = {2}) => (float[1] y) { y = Add (x, w) })"));
  EXPECT_FALSE(summary.inputs.at(0).has_initializer);
  EXPECT_TRUE(summary.inputs.at(1).has_initializer);
}

TEST(Summarize, KnowsFileSizeAndOutsideWeights) {
  const TempDir dir;
  onnx::ModelProto proto = test::proto_from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2000] x) => (float[2000] y) { y = Add (x, w) })");
  test::add_initializer(proto, "w", test::random_tensor({2000}, 1));
  const auto inline_path = test::write_model(proto, dir.path());
  const Summary inside = summarize(Model::load(inline_path));
  EXPECT_EQ(inside.file_bytes, std::filesystem::file_size(inline_path));
  EXPECT_FALSE(inside.external_weights);
  const auto path = dir.path() / "external.onnx";
  Model::load(inline_path).save(path, {.external_bytes = 1});
  const Summary outside = summarize(Model::load(path));
  EXPECT_TRUE(outside.external_weights);
  EXPECT_EQ(outside.weight_bytes, 8000u);
}

TEST(OnnxRelease, CoversTheOpsetsWeSpeak) {
  const OnnxRelease release = onnx_release();
  EXPECT_EQ(release.min_opset, 1);
  EXPECT_GE(release.max_opset, 21);
  EXPECT_GE(release.ir_version, 10);
  EXPECT_FALSE(release.version.empty());
}

}  // namespace
}  // namespace ingot::graph
