// SPDX-License-Identifier: Apache-2.0
// Every form of the table, written into a model and run in ONNX Runtime, against the product by the
// definition with the dequantized weight, in double.
#include "quant/forms/forms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "quant/emit.h"
#include "runtime/session.h"
#include "tests/support/model_builder.h"

namespace ingot::quant {
namespace {

constexpr std::int64_t kRows = 6, kInputs = 96, kOutputs = 40;

graph::Model built(const std::string& text,
                   const std::vector<std::pair<std::string, Tensor>>& weights, int opset = 17) {
  onnx::ModelProto proto = test::proto_from_text(
      "<ir_version: 8, opset_import: [\"\": " + std::to_string(opset) + "]> " + text);
  for (const auto& [name, tensor] : weights) test::add_initializer(proto, name, tensor);
  return graph::Model::from_proto(std::move(proto));
}

/// Gives every site the form and writes the model.
void write(graph::Model& model, Form form) {
  const Sites sites = find_sites(model);
  Plan plan;
  for (const Site& site : sites.sites) {
    NodePlan node;
    node.node = site.node;
    node.form = form_row(form).objection(site, form_row(form)).empty() ? form : Form::kRows;
    plan.nodes.push_back(node);
    plan.ranges[site.input] = {-2, 2};
    plan.ranges[site.output] = {-20, 20};
  }
  emit(model, sites, plan);
}

Tensor run(const graph::Model& model, const runtime::Feeds& feeds) {
  const TempDir folder;
  model.save(folder.path() / "m.onnx");
  runtime::Session session(runtime::Library::open(INGOT_TEST_RUNTIME), folder.path() / "m.onnx");
  return session.run_copy(feeds).at(0);
}

std::vector<float> product(const Tensor& x, const Tensor& w, const Tensor& b, float alpha = 1,
                           float beta = 1) {
  const std::int64_t inputs = w.shape[0], outputs = w.shape[1];
  std::vector<float> y;
  for (std::int64_t r = 0; r < x.count() / inputs; ++r) {
    for (std::int64_t o = 0; o < outputs; ++o) {
      double sum = 0;
      for (std::int64_t i = 0; i < inputs; ++i) {
        sum += static_cast<double>(x.as<float>()[static_cast<std::size_t>(r * inputs + i)]) *
               static_cast<double>(w.as<float>()[static_cast<std::size_t>(i * outputs + o)]);
      }
      y.push_back(static_cast<float>(static_cast<double>(alpha) * sum) +
                  beta * b.as<float>()[static_cast<std::size_t>(o)]);
    }
  }
  return y;
}

/// What 8 and 4 bits are good for on normal numbers.
double least_db(Form form) {
  return std::string_view(form_name(form)).starts_with("blocks4") ? 15 : 30;
}

class MatMulForms : public ::testing::TestWithParam<Form> {};

TEST_P(MatMulForms, ComputeAMatMulWithBias) {
  const Tensor x = test::random_tensor({kRows, kInputs}, 1),
               w = test::random_tensor({kInputs, kOutputs}, 2),
               b = test::random_tensor({kOutputs}, 3);
  graph::Model model =
      built("g (float[2,3,96] x) => (float[2,3,40] y) { m = MatMul(x, w) y = Add(m, b) }",
            {{"w", w}, {"b", b}});
  write(model, GetParam());
  Tensor batch = x;
  batch.shape = {2, 3, kInputs};
  const Tensor y = run(model, {{"x", batch.view()}});
  EXPECT_GT(sqnr_db(product(x, w, b), y.as<float>()), least_db(GetParam()));
}

TEST_P(MatMulForms, ComputeAGemmWithAlphaBetaAndTransposedWeight) {
  const Tensor x = test::random_tensor({kRows, kInputs}, 1),
               w = test::random_tensor({kInputs, kOutputs}, 2),
               b = test::random_tensor({kOutputs}, 3);
  Tensor turned = Tensor::zeros(DType::kFloat, {kOutputs, kInputs});
  for (std::int64_t i = 0; i < kInputs; ++i) {
    for (std::int64_t o = 0; o < kOutputs; ++o)
      turned.as_mutable<float>()[static_cast<std::size_t>(o * kInputs + i)] =
          w.as<float>()[static_cast<std::size_t>(i * kOutputs + o)];
  }
  graph::Model model = built(
      "g (float[6,96] x) => (float[6,40] y) { y = Gemm<transB = 1, alpha = 0.5, beta = 2.0>(x, w, "
      "b) }",
      {{"w", turned}, {"b", b}});
  write(model, GetParam());
  const Tensor y = run(model, {{"x", x.view()}});
  EXPECT_GT(sqnr_db(product(x, w, b, 0.5F, 2), y.as<float>()), least_db(GetParam()));
}

TEST_P(MatMulForms, ReadAWeightOfAnOuterGraphOnce) {
  const Tensor x = test::random_tensor({kRows, kInputs}, 1),
               w = test::random_tensor({kInputs, kOutputs}, 2);
  graph::Model model = built(
      "g (bool c, float[6,96] x) => (float[6,40] y) { y = If(c) <then_branch = a () => "
      "(float[6,40] p) "
      "{ p = MatMul(x, w) }, else_branch = b () => (float[6,40] q) { n = Neg(x) q = MatMul(n, w) "
      "}> }",
      {{"w", w}});
  if (GetParam() == Form::kStatic) {  // nested graphs are not calibrated
    EXPECT_THROW(write(model, GetParam()), Error);
    return;
  }
  write(model, GetParam());
  for (const onnx::TensorProto& tensor : model.graph().initializer()) EXPECT_NE(tensor.name(), "w");
  for (const bool branch : {true, false}) {
    Tensor c = Tensor::zeros(DType::kBool, {});
    c.as_mutable<std::uint8_t>()[0] = branch ? 1 : 0;
    const Tensor y = run(model, {{"c", c.view()}, {"x", x.view()}});
    std::vector<float> want = product(x, w, Tensor::zeros(DType::kFloat, {kOutputs}));
    if (!branch) std::transform(want.begin(), want.end(), want.begin(), std::negate<>());
    EXPECT_GT(sqnr_db(want, y.as<float>()), least_db(GetParam())) << branch;
  }
}

TEST_P(MatMulForms, TreatRowsOfZeros) {
  const Tensor w = test::random_tensor({kInputs, kOutputs}, 2);
  graph::Model model =
      built("g (float[6,96] x) => (float[6,40] y) { y = MatMul(x, w) }", {{"w", w}});
  write(model, GetParam());
  const Tensor y = run(model, {{"x", Tensor::zeros(DType::kFloat, {kRows, kInputs}).view()}});
  for (const float value : y.as<float>()) EXPECT_EQ(value, 0);
}

INSTANTIATE_TEST_SUITE_P(All, MatMulForms,
                         ::testing::Values(Form::kStatic, Form::kDynamic, Form::kPerToken,
                                           Form::kBlocks8x128, Form::kBlocks8x32,
                                           Form::kBlocks4x128, Form::kBlocks4x64,
                                           Form::kBlocks4x32),
                         [](const auto& row) {
                           std::string name = form_name(row.param);
                           std::erase(name, '-');
                           return name;
                         });

TEST(TableForms, GatherTheirRows) {
  const Tensor table = test::random_tensor({50, 64}, 4);
  const Tensor index = Tensor::of<std::int64_t>({2, 2}, std::vector<std::int64_t>{0, 49, 7, 7});
  // A table of its own, and one that a second Gather shares.
  for (const Form form : {Form::kRows, Form::kBlocks4x32}) {
    graph::Model model = built(
        "g (int64[2,2] i) => (float[2,2,64] y, float[2,2,64] z) { y = Gather(t, i) z = Gather(t, "
        "i) }",
        {{"t", table}});
    write(model, form);
    const Tensor y = run(model, {{"i", index.view()}});
    std::vector<float> want;
    for (const std::int64_t row : {0, 49, 7, 7}) {
      const auto line = table.as<float>().subspan(static_cast<std::size_t>(row) * 64, 64);
      want.insert(want.end(), line.begin(), line.end());
    }
    EXPECT_GT(sqnr_db(want, y.as<float>()), form == Form::kRows ? 38 : 18);
  }
}

TEST(TableForms, ShareTheBytesOfATiedProduct) {
  const Tensor table = test::random_tensor({64, 32}, 4);
  graph::Model model = built(
      "g (int64[4] i) => (float[4,64] y) { e = Gather(w, i) t = Transpose<perm = [1, 0]>(w) "
      "y = MatMul(e, t) }",
      {{"w", table}});
  write(model, Form::kBlocks4x32);
  std::size_t bytes = 0;
  for (const onnx::TensorProto& tensor : model.graph().initializer())
    bytes += model.view(tensor).bytes.size();
  EXPECT_LT(bytes, 64U * 32 * 4 / 6) << "stored once, in 4 bits";
  const Tensor index = Tensor::of<std::int64_t>({4}, std::vector<std::int64_t>{0, 63, 7, 8});
  EXPECT_EQ(run(model, {{"i", index.view()}}).shape, (Shape{4, 64}));
}

TEST(LstmForm, StaysNearTheFloatLstm) {
  const Tensor w = test::random_tensor({2, 64, 24}, 1, 0.3F),
               r = test::random_tensor({2, 64, 16}, 2, 0.3F),
               h = test::random_tensor({2, 3, 16}, 3), p = test::random_tensor({2, 48}, 4, 0.3F),
               x = test::random_tensor({5, 3, 24}, 5);
  const std::string text =
      "g (float[5,3,24] x) => (float[5,2,3,16] y) "
      "{ y = LSTM<hidden_size = 16, direction = \"bidirectional\">(x, w, r, , , h, h, p) }";
  const std::vector<std::pair<std::string, Tensor>> weights{{"w", w}, {"r", r}, {"h", h}, {"p", p}};
  const Tensor want = run(built(text, weights), {{"x", x.view()}});
  graph::Model model = built(text, weights);
  write(model, Form::kDynamic);
  EXPECT_EQ(model.graph().node(0).op_type(), "DynamicQuantizeLSTM");
  EXPECT_GT(sqnr_db(want.as<float>(), run(model, {{"x", x.view()}}).as<float>()), 30);
}

TEST(FormTable, NamesAreFoundAgain) {
  for (const FormRow& row : forms()) EXPECT_EQ(form_from_name(row.name), row.form);
  EXPECT_FALSE(form_from_name("int3").has_value());
}

}  // namespace
}  // namespace ingot::quant
