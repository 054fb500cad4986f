// SPDX-License-Identifier: Apache-2.0
// Every fault is named, and all of them in one run.
#include "converters/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.h"
#include "tests/support/model_builder.h"

namespace ingot::converters {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

onnx::ModelProto proto_of(const std::string& graph) {
  return test::proto_from_text("<ir_version: 8, opset_import: [\"\": 17]> " + graph);
}

std::vector<std::string> faults(const onnx::ModelProto& proto) {
  std::vector<std::string> messages;
  for (const Finding& finding : validate(graph::Model::from_proto(proto)).findings) {
    messages.push_back(finding.message);
  }
  return messages;
}

std::vector<std::string> faults(const std::string& graph) { return faults(proto_of(graph)); }

TEST(Validate, GoodModelHasNoFinding) {
  EXPECT_THAT(faults(R"(g (float[2,3] x, bool p) => (float[2,3] y) <float k = {2}> {
    y = If(p) <then_branch = t () => (float[2,3] a) { a = Mul(x, k) },
               else_branch = e () => (float[2,3] b) { b = Neg(x) }> })"),
              ElementsAre());
}

TEST(Validate, AllFaultsComeTogether) {
  EXPECT_THAT(faults("g (float[2] x) => (float[2] y, float[2] ghost) { y = Add(x, nothing) z = "
                     "Clip(x, x, x, x) }"),
              ElementsAre("Add writing 'y' reads 'nothing', which nobody writes",
                          HasSubstr("Clip writing 'z': Node"),
                          "output 'ghost' of graph 'g' is written by nobody"));
}

TEST(Validate, UnknownOperatorOfAStandardDomain) {
  const auto model =
      graph::Model::from_proto(proto_of("g (float[2] x) => (float[2] y) { y = Reluu(x) }"));
  const Validation validation = validate(model);
  test::expect_error(Code::kUnsupported,
                     "'m.onnx': operator 'Reluu' of Reluu writing 'y' is unknown in domain "
                     "'ai.onnx', opset 17",
                     [&] { require_valid(validation, "m.onnx"); });
}

TEST(Validate, OperatorOfALaterOpset) {
  EXPECT_THAT(
      faults(test::proto_from_text("<ir_version: 8, opset_import: [\"\": 13]> g (float[2] x) => "
                                   "(float[2] y) { y = HardSwish(x) }")),
      ElementsAre(
          "operator 'HardSwish' of HardSwish writing 'y' is unknown in domain 'ai.onnx', opset 13; "
          "it came with opset 14"));
}

TEST(Validate, ForeignOperatorsAreListed) {
  const auto model = test::model_from_text(R"(<ir_version: 8, opset_import: ["": 17, "acme.ops": 1]>
    g (float[2] x) => (float[2] y) { a = acme.ops.B(x) b = acme.ops.A(a) y = acme.ops.B(b) })");
  const Validation validation = validate(model);
  EXPECT_TRUE(validation.findings.empty());
  EXPECT_THAT(validation.foreign_operators, ElementsAre("acme.ops.A", "acme.ops.B"));
}

TEST(Validate, DomainWithoutImport) {
  EXPECT_THAT(faults("g (float[2] x) => (float[2] y) { y = acme.ops.B(x) }"),
              ElementsAre("B writing 'y' is of domain 'acme.ops', which is not imported"));
}

TEST(Validate, OpsetImports) {
  auto proto = proto_of("g (float[2] x) => (float[2] y) { y = Abs(x) }");
  proto.mutable_opset_import(0)->set_version(-5);
  EXPECT_THAT(faults(proto),
              ElementsAre("the model imports opset -5 of domain 'ai.onnx', at least 1 is wanted"));
  proto.mutable_opset_import(0)->set_version(999);
  EXPECT_THAT(faults(proto),
              ElementsAre(HasSubstr(
                  "the model imports opset 999 of domain 'ai.onnx', the newest known is ")));
  proto.clear_opset_import();
  EXPECT_THAT(faults(proto), ElementsAre("the model imports no operator set"));
}

TEST(Validate, IrVersion) {
  auto proto = proto_of("g (float[2] x) => (float[2] y) { y = Abs(x) }");
  proto.set_ir_version(99);
  EXPECT_THAT(faults(proto),
              ElementsAre(HasSubstr("the model has IR version 99, the newest known is ")));
}

TEST(Validate, NamesWrittenTwice) {
  EXPECT_THAT(faults("g (float[2] x) => (float[2] y) { y = Abs(x) y = Neg(x) }"),
              ElementsAre("Neg writing 'y' writes 'y', which exists already"));
  EXPECT_THAT(faults("g (float[2] x) => (float[2] y) { x = Abs(y) y = Neg(x) }"),
              ElementsAre("Abs writing 'x' writes 'x', which exists already"));
}

TEST(Validate, InitializersOfOneName) {
  auto proto = proto_of("g (float[2] x) => (float[2] y) { y = Mul(x, w) }");
  test::add_initializer(proto, "w", test::random_tensor({2}, 1));
  test::add_initializer(proto, "w", test::random_tensor({2}, 2));
  EXPECT_THAT(faults(proto), ElementsAre("there are two initializers 'w'"));
}

TEST(Validate, CycleNamesANode) {
  EXPECT_THAT(faults("g (float[2] x) => (float[2] y) { a = Add(x, b) b = Abs(a) y = Neg(b) }"),
              ElementsAre(HasSubstr("is part of a cycle")));
}

TEST(Validate, SubgraphThatWritesAnOuterName) {
  EXPECT_THAT(faults(R"(g (float[2] x, bool p) => (float[2] y) { h = Abs(x)
    y = If(p) <then_branch = t () => (float[2] h) { h = Neg(x) },
               else_branch = e () => (float[2] b) { b = Neg(h) }> })"),
              ElementsAre("Neg writing 'h' writes 'h', a name of a graph around it",
                          "output 'h' of graph 't' is a tensor of a graph around it; an Identity "
                          "between is wanted"));
}

TEST(Validate, SiblingSubgraphsMayUseOneName) {
  EXPECT_THAT(faults(R"(g (float[2] x, bool p) => (float[2] y) {
    y = If(p) <then_branch = t () => (float[2] a) { a = Neg(x) },
               else_branch = e () => (float[2] a) { a = Abs(x) }> })"),
              ElementsAre());
}

TEST(Validate, FaultInASubgraph) {
  EXPECT_THAT(faults(R"(g (float[2] x, bool p) => (float[2] y) {
    y = If(p) <then_branch = t () => (float[2] a) { a = Add(x, ghost) },
               else_branch = e () => (float[2] b) { b = Abs(x) }> })"),
              ElementsAre("Add writing 'a' reads 'ghost', which nobody writes"));
}

TEST(Validate, TypesThatDoNotFit) {
  auto proto = proto_of("g (float[1,2] x) => (float[1,2] y) { [mm] y = MatMul(x, w) }");
  test::add_initializer(proto, "w", Tensor::zeros(DType::kInt64, {2, 2}));
  EXPECT_THAT(
      faults(proto),
      ElementsAre("MatMul 'mm': input 'x' is float32 and input 'w' is int64, one type is wanted"));
  EXPECT_THAT(faults("g (int64[2] x) => (int64[2] y) { [s] y = Sigmoid(x) }"),
              ElementsAre("Sigmoid 's': input 'x' is int64, which 'Sigmoid' does not take"));
}

TEST(Validate, FunctionsThatCallThemselves) {
  const auto proto = test::proto_from_text(R"(<ir_version: 8, opset_import: ["": 17, "loc": 1]>
    g (float[2] x) => (float[2] y) { y = loc.A(x) }
    <domain: "loc", opset_import: ["": 17, "loc": 1]> A (x) => (y) { y = loc.B(x) }
    <domain: "loc", opset_import: ["": 17, "loc": 1]> B (x) => (y) { y = loc.A(x) })");
  EXPECT_THAT(faults(proto), ElementsAre("function 'A' calls 'B' calls 'A': a circle"));
}

TEST(Validate, LocalFunctionIsKnown) {
  const auto proto = test::proto_from_text(R"(<ir_version: 8, opset_import: ["": 17, "loc": 1]>
    g (float[2] x) => (float[2] y) { y = loc.A(x) }
    <domain: "loc", opset_import: ["": 17]> A (x) => (y) { y = Abs(x) })");
  EXPECT_THAT(faults(proto), ElementsAre());
}

TEST(Validate, ParametersThatAnOperatorRejectsInAnyGraph) {
  EXPECT_THAT(faults(R"(g (float[2,3] x, bool p) => (float[3,2] y) {
    y = If(p) <then_branch = t () => (a) { [turn] a = Transpose <perm = [1, 7]> (x) },
               else_branch = e () => (b) { b = Transpose(x) }> })"),
              ElementsAre("Transpose 'turn': Invalid attribute perm {1, 7}, input shape = {2, 3}"));
  // Not in order: judged all the same.
  EXPECT_THAT(
      faults("g (float[2,3] x) => (y) { [turn] y = Transpose <perm = [1, 7]> (a) a = Abs(x) }"),
      ElementsAre("Transpose 'turn': Invalid attribute perm {1, 7}, input shape = {2, 3}"));
}

TEST(Validate, OutputOfAnotherElementTypeThanDeclared) {
  EXPECT_THAT(faults("g (float[2] x) => (double[2] y) { y = Abs(x) }"),
              ElementsAre("output 'y' of graph 'g' is declared float64, and is float32"));
  // The runtime takes a wrong shape for a hint.
  EXPECT_THAT(faults("g (float[2] x) => (float[7,7] y) { y = Abs(x) }"), ElementsAre());
}

TEST(Validate, DefaultOfAnotherTypeThanItsInput) {
  auto proto = proto_of("g (float[2] x, float[3] w) => (float[2] y) { y = Mul(x, w) }");
  test::add_initializer(proto, "w", test::random_tensor({2}, 1));
  EXPECT_THAT(faults(proto),
              ElementsAre("input 'w' is declared float32[3], its initializer is float32[2]"));
}

TEST(Validate, TwoVersionsOfOneDomain) {
  auto proto = proto_of("g (float[2] x) => (float[2] y) { y = Abs(x) }");
  auto& second = *proto.add_opset_import();
  second.set_domain("ai.onnx");
  second.set_version(17);
  EXPECT_THAT(faults(proto), ElementsAre());
  second.set_version(13);
  EXPECT_THAT(faults(proto),
              ElementsAre("the model imports domain 'ai.onnx' in two versions, 17 and 13"));
}

TEST(Validate, AttributesOfForeignOperators) {
  auto proto = test::proto_from_text(R"(<ir_version: 8, opset_import: ["": 17, "my": 1]>
    g (float[2] x) => (y) { [op] y = my.Op <k = 1, k = 2> (x) })");
  EXPECT_THAT(faults(proto), ElementsAre("attribute 'k' of Op 'op' is there twice"));
  proto.mutable_graph()->mutable_node(0)->mutable_attribute(1)->set_name("j");
  proto.mutable_graph()->mutable_node(0)->mutable_attribute(1)->set_f(1);
  EXPECT_THAT(faults(proto), ElementsAre("attribute 'j' of Op 'op' has more than one value"));
}

TEST(Validate, ReferenceToAnAttributeOutsideAFunction) {
  auto proto = proto_of("g (float[2] x) => (float[2] y) { [l] y = LeakyRelu <alpha = 0.5> (x) }");
  proto.mutable_graph()->mutable_node(0)->mutable_attribute(0)->set_ref_attr_name("q");
  EXPECT_THAT(faults(proto), ElementsAre("attribute 'alpha' of LeakyRelu 'l' refers to 'q', an "
                                         "attribute of a function; it lies in none"));
}

TEST(Validate, ModelWithoutOutputOrTypeOfAnInput) {
  auto proto = proto_of("g (float[2] x) => (float[2] y) { y = Abs(x) }");
  proto.mutable_graph()->mutable_input(0)->clear_type();
  proto.mutable_graph()->clear_output();
  EXPECT_THAT(faults(proto), ElementsAre("input 'x' has no type", "the model has no output"));
}

TEST(Validate, BudgetsNameThemselves) {
  const auto proto = proto_of(R"(g (float[1,1,1] long_name, bool p) => (y) {
    y = If(p) <then_branch = t () => (a) { a = Abs(long_name) },
               else_branch = e () => (b) { b = Neg(long_name) }> })");
  const auto with = [&](const Budgets& budgets) {
    std::vector<std::string> messages;
    for (const Finding& finding : validate(graph::Model::from_proto(proto), budgets).findings)
      messages.push_back(finding.message);
    return messages;
  };
  EXPECT_THAT(with({.nested_graphs = 2, .nodes = 3, .name_bytes = 9, .dimensions = 3}),
              ElementsAre());
  EXPECT_THAT(with({.nested_graphs = 1}),
              ElementsAre("its graphs lie 2 deep in one another, at most 1 are allowed "
                          "(--max-nested-graphs)"));
  EXPECT_THAT(with({.nodes = 2}),
              ElementsAre("the model has 3 nodes, at most 2 are allowed (--max-nodes)"));
  EXPECT_THAT(with({.name_bytes = 8}),
              ElementsAre("the name of tensor 'long_name' has 9 bytes, at most 8 are allowed "
                          "(--max-name-bytes)"));
  EXPECT_THAT(with({.dimensions = 2}),
              ElementsAre("input 'long_name' has 3 dimensions, at most 2 are allowed "
                          "(--max-dimensions)"));
}

TEST(Validate, LongAndBrokenNamesAreShownShort) {
  auto proto = proto_of("g (float[2] x) => (float[2] y) { y = Abs(x) }");
  proto.mutable_graph()->mutable_node(0)->set_input(0, std::string(300, 'a'));
  EXPECT_THAT(faults(proto), ElementsAre("Abs writing 'y' reads '" + std::string(200, 'a') +
                                         "… (300 bytes)', which nobody writes"));
  proto.mutable_graph()->mutable_node(0)->set_input(0, "a\xff");
  EXPECT_THAT(faults(proto), ElementsAre("Abs writing 'y' reads 'a\\xff', which nobody writes"));
}

TEST(Validate, OneElementTwiceInASparseTensor) {
  auto proto = proto_of("g (float[4] x) => (float[4] y) { y = Mul(x, w) }");
  auto& sparse = *proto.mutable_graph()->add_sparse_initializer();
  *sparse.mutable_values() = test::tensor_proto("w", Tensor::of<float>({2}, {2.0F, 3.0F}));
  *sparse.mutable_indices() = test::tensor_proto("", Tensor::of<std::int64_t>({2}, {3, 3}));
  sparse.add_dims(4);
  EXPECT_THAT(faults(proto), ElementsAre("sparse tensor 'w' has two values for element 3"));
}

TEST(RequireValid, ListsAllAndCountsTheRest) {
  Validation validation;
  for (int i = 0; i < 22; ++i)
    validation.findings.push_back({Code::kInput, "f" + std::to_string(i)});
  try {
    require_valid(validation, "m.onnx");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), ::testing::StartsWith("'m.onnx' has 22 faults: (1) f0; (2) f1; "));
    EXPECT_THAT(error.message(), ::testing::EndsWith("; (20) f19; and 2 more"));
  }
}

TEST(RequireValid, OneBadFindingMakesItBadInput) {
  const Validation validation{{{Code::kUnsupported, "a"}, {Code::kInput, "b"}}, {}, {}};
  test::expect_error(Code::kInput, "'m.onnx' has 2 faults: (1) a; (2) b",
                     [&] { require_valid(validation, "m.onnx"); });
}

class SparseInitializer : public ::testing::Test {
 protected:
  std::vector<std::string> faults_with(std::vector<std::int64_t> indices,
                                       std::vector<std::int64_t> dims) {
    auto proto = proto_of("g (float[4] x) => (float[4] y) { y = Mul(x, w) }");
    auto& sparse = *proto.mutable_graph()->add_sparse_initializer();
    *sparse.mutable_values() = test::tensor_proto("w", Tensor::of<float>({1}, {2.0F}));
    const Shape shape{static_cast<std::int64_t>(indices.size())};
    *sparse.mutable_indices() =
        test::tensor_proto("w_at", Tensor::of<std::int64_t>(shape, indices));
    for (const std::int64_t dim : dims) sparse.add_dims(dim);
    return faults(proto);
  }
};

TEST_F(SparseInitializer, GoodOneIsFine) { EXPECT_THAT(faults_with({3}, {4}), ElementsAre()); }

TEST_F(SparseInitializer, IndexBeyondTheTensor) {
  EXPECT_THAT(faults_with({4}, {4}),
              ElementsAre("sparse tensor 'w' has index 4, less than 4 is wanted"));
}

TEST_F(SparseInitializer, NumberOfIndices) {
  EXPECT_THAT(faults_with({1, 2}, {4}),
              ElementsAre("sparse tensor 'w' has indices of shape [2], [1] is wanted"));
}

TEST_F(SparseInitializer, TooLargeWhenDense) {
  EXPECT_THAT(
      faults_with({1}, {1 << 20, 1 << 20}),
      ElementsAre(
          "sparse tensor 'w' would take 4.0 TiB when made dense, at most 1.0 MiB is allowed "
          "(--max-dense-bytes)"));
}

}  // namespace
}  // namespace ingot::converters
