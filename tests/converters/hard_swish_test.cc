// SPDX-License-Identifier: Apache-2.0
// HardSwish recovered from its parts, and look-alikes left alone.
#include <gtest/gtest.h>

#include "tests/converters/clean_case.h"

namespace ingot {
namespace {

using test::add_initializer;
using test::clean_and_compare;
using test::Cleaned;
using test::kNearExact;
using test::proto_of;

struct Form {
  const char* name;
  const char* nodes;
};

onnx::ModelProto swish_model(const std::string& nodes, int opset = 14, const Shape& shape = {}) {
  auto model = proto_of("g (float[2,5] x) => (float[2,5] y) { " + nodes + " }", opset);
  const auto add = [&](const char* name, float value) {
    add_initializer(model, name, Tensor::of<float>(shape, {value}));
  };
  add("three", 3.0F);
  add("sixth", 1.0F / 6.0F);
  add_initializer(model, "zero", Tensor::of<float>({}, {0.0F}));
  add_initializer(model, "six", Tensor::of<float>({}, {6.0F}));
  add_initializer(model, "five", Tensor::of<float>({}, {5.0F}));
  return model;
}

class Recovered : public ::testing::TestWithParam<Form> {};

TEST_P(Recovered, IsOneNode) {
  for (const Shape& shape : {Shape{}, Shape{1}}) {
    const Cleaned result = clean_and_compare(swish_model(GetParam().nodes, 14, shape));
    EXPECT_EQ(result.operators(), "HardSwish");
    EXPECT_LT(result.error, kNearExact);
  }
}

INSTANTIATE_TEST_SUITE_P(
    RecoverHardSwish, Recovered,
    ::testing::Values(
        Form{"ProductOverSix",
             "a = Add(x, three) c = Clip(a, zero, six) m = Mul(x, c) y = Div(m, six)"},
        Form{"ProductTimesSixth",
             "a = Add(three, x) c = Clip(a, zero, six) m = Mul(c, x) y = Mul(sixth, m)"},
        Form{"GateOverSix",
             "a = Add(x, three) c = Clip(a, zero, six) d = Div(c, six) y = Mul(x, d)"},
        Form{"GateTimesSixth",
             "a = Add(x, three) c = Clip(a, zero, six) d = Mul(c, sixth) y = Mul(d, x)"},
        Form{"HardSigmoid", "s = HardSigmoid<alpha=0.16666667, beta=0.5>(x) y = Mul(x, s)"}),
    [](const auto& row) { return row.param.name; });

class Unlike : public ::testing::TestWithParam<Form> {};

TEST_P(Unlike, StaysAsItIs) {
  const Cleaned result = clean_and_compare(swish_model(GetParam().nodes));
  EXPECT_EQ(result.changes("recover_hard_swish"), 0U);
  EXPECT_EQ(result.error, 0);
}

INSTANTIATE_TEST_SUITE_P(
    RecoverHardSwish, Unlike,
    ::testing::Values(
        Form{"DefaultAlpha", "s = HardSigmoid(x) y = Mul(x, s)"},
        Form{"ClipAtFive",
             "a = Add(x, three) c = Clip(a, zero, five) m = Mul(x, c) y = Div(m, six)"},
        Form{"ClipWithoutLowerBound",
             "a = Add(x, three) c = Clip(a, , six) m = Mul(x, c) y = Div(m, six)"},
        Form{"OverFive", "a = Add(x, three) c = Clip(a, zero, six) m = Mul(x, c) y = Div(m, five)"},
        Form{"SixOverProduct",
             "a = Add(x, three) c = Clip(a, three, six) m = Mul(x, c) y = Div(six, c)"},
        Form{"AnotherFactor",
             "n = Neg(x) a = Add(x, three) c = Clip(a, zero, six) m = Mul(n, c) y = Div(m, six)"},
        Form{"GateReadTwice",
             "a = Add(x, three) c = Clip(a, zero, six) m = Mul(x, c) d = Div(m, six) y = Add(d, "
             "c)"}),
    [](const auto& row) { return row.param.name; });

TEST(RecoverHardSwish, InnerTensorThatIsAnOutputStays) {
  auto model = proto_of(R"(g (float[2,5] x) => (float[2,5] y, float[2,5] c) {
    a = Add(x, three) c = Clip(a, zero, six) m = Mul(x, c) y = Div(m, six) })");
  add_initializer(model, "three", Tensor::of<float>({}, {3.0F}));
  add_initializer(model, "zero", Tensor::of<float>({}, {0.0F}));
  add_initializer(model, "six", Tensor::of<float>({}, {6.0F}));
  const Cleaned result = clean_and_compare(model);
  EXPECT_EQ(result.operators(), "Add Clip Mul Div");
}

TEST(RecoverHardSwish, OperatorIsUnknownBeforeOpset14) {
  const Cleaned result = clean_and_compare(
      swish_model("a = Add(x, three) c = Clip(a, zero, six) m = Mul(x, c) y = Div(m, six)", 13));
  EXPECT_EQ(result.operators(), "Add Clip Mul Div");
}

TEST(RecoverHardSwish, ScalarThatAConstantMakesAVectorStays) {
  auto model = proto_of(R"(g (float x) => (float[1] y) {
    a = Add(x, three) c = Clip(a, zero, six) m = Mul(x, c) y = Div(m, six) })");
  add_initializer(model, "three", Tensor::of<float>({1}, {3.0F}));
  add_initializer(model, "zero", Tensor::of<float>({}, {0.0F}));
  add_initializer(model, "six", Tensor::of<float>({}, {6.0F}));
  EXPECT_EQ(clean_and_compare(model).operators(), "Add Clip Mul Div");
}

}  // namespace
}  // namespace ingot
