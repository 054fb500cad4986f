// SPDX-License-Identifier: Apache-2.0
// What emission writes, run in ONNX Runtime, against the definition computed here element by
// element.
#include "quant/emit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "quant/sites.h"
#include "runtime/session.h"
#include "tests/support/model_builder.h"

namespace ingot::quant {
namespace {

constexpr std::int64_t kRows = 5, kInputs = 48, kOutputs = 24;

struct Case {
  Tensor x = test::random_tensor({kRows, kInputs}, 1, 2.0F);
  Tensor w = test::random_tensor({kInputs, kOutputs}, 2);
  Tensor b = test::random_tensor({kOutputs}, 3);
};

Plan static_plan(const Sites& sites) {
  Plan plan;
  for (const Site& site : sites.sites) {
    NodePlan node;
    node.node = site.node;
    node.form = Form::kStatic;
    plan.nodes.push_back(node);
    plan.ranges[site.input] = {-2, 2};
    plan.ranges[site.output] = {-12, 12};
  }
  return plan;
}

Tensor run(const graph::Model& model, const Tensor& x) {
  const TempDir folder;
  model.save(folder.path() / "m.onnx");
  runtime::Session session(runtime::Library::open(INGOT_TEST_RUNTIME), folder.path() / "m.onnx");
  return session.run_copy({{"x", x.view()}}).at(0);
}

/// uint8 of `x` by the definition of QuantizeLinear.
int quantized(float x, ActivationParams params) {
  return static_cast<int>(std::clamp(
      std::nearbyint(x / params.scale) + static_cast<float>(params.zero_point), 0.0F, 255.0F));
}

/// Σ (xq − zp)·wq in integers, times both scales, plus bias: row-major [rows, outputs].
std::vector<double> by_definition(const Case& c) {
  const ActivationParams params = uint8_params({-2, 2});
  const ChannelWeights w =
      quantize_weights(c.w.as<float>(), ChannelLayout::along({kInputs, kOutputs}, 1));
  std::vector<double> y;
  for (std::int64_t r = 0; r < kRows; ++r) {
    for (std::int64_t o = 0; o < kOutputs; ++o) {
      std::int64_t sum = 0;
      for (std::int64_t i = 0; i < kInputs; ++i) {
        const int q =
            quantized(c.x.as<float>()[static_cast<std::size_t>(r * kInputs + i)], params) -
            params.zero_point;
        sum += q * w.values[static_cast<std::size_t>(i * kOutputs + o)];
      }
      const auto channel = static_cast<std::size_t>(o);
      y.push_back(static_cast<double>(sum) * static_cast<double>(params.scale) *
                      static_cast<double>(w.scales[channel]) +
                  static_cast<double>(c.b.as<float>()[channel]));
    }
  }
  return y;
}

graph::Model built(const std::string& text,
                   const std::vector<std::pair<std::string, Tensor>>& weights) {
  onnx::ModelProto proto =
      test::proto_from_text("<ir_version: 8, opset_import: [\"\": 17]> " + text);
  for (const auto& [name, tensor] : weights) test::add_initializer(proto, name, tensor);
  return graph::Model::from_proto(std::move(proto));
}

void expect_near(const Tensor& got, const std::vector<double>& want, double tolerance) {
  const auto values = got.as<float>();
  ASSERT_EQ(values.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i)
    ASSERT_NEAR(static_cast<double>(values[i]), want[i], tolerance) << "at " << i;
}

TEST(EmitStatic, MatMulComputesTheDefinition) {
  const Case c;
  graph::Model model =
      built("g (float[5,48] x) => (float[5,24] y) { m = MatMul(x, w) y = Add(m, b) }",
            {{"w", c.w}, {"b", c.b}});
  const Sites sites = find_sites(model);
  Plan plan = static_plan(sites);
  emit(model, sites, plan);
  expect_near(run(model, c.x), by_definition(c), 1e-5);
}

TEST(EmitStatic, GemmWithTransposedWeightComputesTheSame) {
  const Case c;
  Tensor transposed = Tensor::zeros(DType::kFloat, {kOutputs, kInputs});
  for (std::int64_t i = 0; i < kInputs; ++i) {
    for (std::int64_t o = 0; o < kOutputs; ++o) {
      transposed.as_mutable<float>()[static_cast<std::size_t>(o * kInputs + i)] =
          c.w.as<float>()[static_cast<std::size_t>(i * kOutputs + o)];
    }
  }
  graph::Model model =
      built("g (float[5,48] x) => (float[5,24] y) { y = Gemm<transB = 1>(x, w, b) }",
            {{"w", transposed}, {"b", c.b}});
  const Sites sites = find_sites(model);
  Plan plan = static_plan(sites);
  emit(model, sites, plan);
  expect_near(run(model, c.x), by_definition(c), 1e-5);
}

// A 1×1 convolution over 5 positions is the same product; its output goes through uint8 once more,
// so one step of that is allowed.
TEST(EmitStatic, ConvComputesTheDefinitionToOneStep) {
  const Case c;
  Tensor image = Tensor::zeros(DType::kFloat, {1, kInputs, 1, kRows});
  Tensor kernel = Tensor::zeros(DType::kFloat, {kOutputs, kInputs, 1, 1});
  for (std::int64_t i = 0; i < kInputs; ++i) {
    for (std::int64_t r = 0; r < kRows; ++r) {
      image.as_mutable<float>()[static_cast<std::size_t>(i * kRows + r)] =
          c.x.as<float>()[static_cast<std::size_t>(r * kInputs + i)];
    }
    for (std::int64_t o = 0; o < kOutputs; ++o) {
      kernel.as_mutable<float>()[static_cast<std::size_t>(o * kInputs + i)] =
          c.w.as<float>()[static_cast<std::size_t>(i * kOutputs + o)];
    }
  }
  graph::Model model = built("g (float[1,48,1,5] x) => (float[1,24,1,5] y) { y = Conv(x, w, b) }",
                             {{"w", kernel}, {"b", c.b}});
  const Sites sites = find_sites(model);
  Plan plan = static_plan(sites);
  emit(model, sites, plan);
  const std::vector<double> rows = by_definition(c);
  std::vector<double> want;
  for (std::int64_t o = 0; o < kOutputs; ++o) {
    for (std::int64_t r = 0; r < kRows; ++r)
      want.push_back(rows[static_cast<std::size_t>(r * kOutputs + o)]);
  }
  expect_near(run(model, image), want, 24.0 / 255 * 0.51);
}

TEST(EmitStatic, TwoConvsInARowShareTheUint8Tensor) {
  graph::Model model =
      built("g (float[1,32,8,8] x) => (float[1,32,8,8] y) { a = Conv(x, w) y = Conv(a, v) }",
            {{"w", test::random_tensor({32, 32, 1, 1}, 4)},
             {"v", test::random_tensor({32, 32, 1, 1}, 5)}});
  const Sites sites = find_sites(model);
  Plan plan = static_plan(sites);
  emit(model, sites, plan);
  const auto quantizers =
      std::count_if(model.graph().node().begin(), model.graph().node().end(),
                    [](const onnx::NodeProto& n) { return n.op_type() == "QuantizeLinear"; });
  EXPECT_EQ(quantizers, 3) << "input, between, output";
}

TEST(EmitStorage, Int8AndFloat16CarryTheWeightsOfThePlan) {
  const Case c;
  const Tensor w = test::random_tensor({64, 32}, 6), v = test::random_tensor({32, 48}, 7);
  graph::Model model =
      built("g (float[5,64] x) => (float[5,48] y) { m = MatMul(x, w) y = MatMul(m, v) }",
            {{"w", w}, {"v", v}});
  const Sites sites = find_sites(model);
  Plan plan;
  plan.weights.push_back({"w", Storage::kInt8, "", "", {}, 0, 0});
  plan.weights.push_back({"v", Storage::kFloat16, "", "", {}, 0, 0});
  emit(model, sites, plan);
  EXPECT_EQ(plan.weights[0].bytes_after, 64U * 32 + 32 * 4);
  EXPECT_EQ(plan.weights[1].bytes_after, 32U * 48 * 2);
  const ChannelLayout layout = ChannelLayout::along({64, 32}, 1);
  const std::vector<float> stored =
      dequantize_weights(quantize_weights(w.as<float>(), layout), layout);
  const Tensor x = test::random_tensor({5, 64}, 8);
  std::vector<double> want;
  for (std::size_t r = 0; r < 5; ++r) {
    for (std::size_t o = 0; o < 48; ++o) {
      double sum = 0;
      for (std::size_t k = 0; k < 32; ++k) {
        double inner = 0;
        for (std::size_t i = 0; i < 64; ++i)
          inner += static_cast<double>(x.as<float>()[r * 64 + i]) *
                   static_cast<double>(stored[i * 32 + k]);
        sum += inner * static_cast<double>(half_to_float(float_to_half(v.as<float>()[k * 48 + o])));
      }
      want.push_back(sum);
    }
  }
  expect_near(run(model, x), want, 1e-4);
}

TEST(Probes, MeasureTheErrorOfTheDefinition) {
  const Case c;
  graph::Model model =
      built("g (float[5,48] x) => (float[5,24] y) { m = MatMul(x, w) y = Add(m, b) }",
            {{"w", c.w}, {"b", c.b}});
  const Sites sites = find_sites(model);
  const std::vector<Probe> probes =
      add_probes(model, sites, std::vector<ProbeRequest>{{"m", Form::kStatic}},
                 {{"x", {-2, 2}}, {"y", {-12, 12}}});
  ASSERT_EQ(probes.size(), 1U);
  const TempDir folder;
  model.save(folder.path() / "m.onnx");
  runtime::Session session(runtime::Library::open(INGOT_TEST_RUNTIME), folder.path() / "m.onnx");
  const std::vector<Tensor> scalars =
      session.run_copy({{"x", c.x.view()}}, {probes[0].signal, probes[0].noise});
  const std::vector<double> integer = by_definition(c);
  double signal = 0, noise = 0;
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t o = 0; o < kOutputs; ++o) {
      double y = static_cast<double>(c.b.as<float>()[o]);
      for (std::size_t i = 0; i < kInputs; ++i)
        y += static_cast<double>(c.x.as<float>()[r * kInputs + i]) *
             static_cast<double>(c.w.as<float>()[i * kOutputs + o]);
      signal += y * y;
      noise += (y - integer[r * kOutputs + o]) * (y - integer[r * kOutputs + o]);
    }
  }
  EXPECT_NEAR(static_cast<double>(scalars[0].as<float>()[0]), signal, signal * 1e-4);
  EXPECT_NEAR(static_cast<double>(scalars[1].as<float>()[0]), noise, noise * 1e-2);
}

}  // namespace
}  // namespace ingot::quant
