// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/runtime/engine.h"
#include "tests/support/expect_error.h"

namespace ingot::runtime {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

TEST(Session, DescribesInputsAndOutputs) {
  const test::ModelFile model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N,3] x, int64[2] s) => (float[N,3] y, int64[2] t) { y = Relu(x) t = Identity(s) })");
  const Session session(test::engine(), model.path);
  ASSERT_EQ(session.inputs().size(), 2U);
  EXPECT_EQ(session.inputs()[0].name, "x");
  EXPECT_EQ(session.inputs()[0].dtype, DType::kFloat);
  EXPECT_EQ(session.inputs()[0].shape, (Shape{-1, 3}));
  EXPECT_TRUE(session.inputs()[0].is_tensor);
  EXPECT_EQ(session.inputs()[1].dtype, DType::kInt64);
  ASSERT_EQ(session.outputs().size(), 2U);
  EXPECT_EQ(session.outputs()[1].name, "t");
  EXPECT_TRUE(session.overridable_initializers().empty());
}

TEST(Session, RunsAndGivesResultsInTheOrderAskedFor) {
  const test::ModelFile model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N] x) => (float[N] y, float[N] z) { y = Neg(x) z = Relu(x) })");
  Session session(test::engine(), model.path);
  const Tensor x = Tensor::of<float>({2}, std::vector<float>{-1, 2});
  const Results all = session.run({{"x", x.view()}});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_THAT(all.view(0).as<float>(), ElementsAre(1, -2));
  EXPECT_THAT(all.view(1).as<float>(), ElementsAre(0, 2));
  const auto some = session.run_copy({{"x", x.view()}}, {"z"});
  ASSERT_EQ(some.size(), 1U);
  EXPECT_THAT(some[0].as<float>(), ElementsAre(0, 2));
  EXPECT_EQ(some[0].shape, Shape{2});
}

TEST(Session, GivesTheSameUnderEveryOptionAndLeavesTheInputAlone) {
  const test::ModelFile model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { a = Mul(x, x) y = Sqrt(a) })");
  const Tensor x = Tensor::of<float>({2}, std::vector<float>{-3, 4});
  for (const auto level :
       {Optimization::kNone, Optimization::kBasic, Optimization::kExtended, Optimization::kAll}) {
    SessionOptions options;
    options.optimization = level;
    options.threads = 0;
    options.spinning = true;
    options.prepacking = false;
    options.memory_pattern = false;
    Session session(test::engine(), model.path, options);
    EXPECT_THAT(session.run_copy({{"x", x.view()}})[0].as<float>(), ElementsAre(3, 4));
  }
  EXPECT_THAT(x.as<float>(), ElementsAre(-3, 4));
}

TEST(Session, ResultsOutliveIt) {
  const test::ModelFile model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { y = Neg(x) })");
  const Tensor x = Tensor::of<float>({2}, std::vector<float>{1, 2});
  auto session = std::make_unique<Session>(test::engine(), model.path);
  const Results results = session->run({{"x", x.view()}});
  session.reset();
  EXPECT_THAT(results.view(0).as<float>(), ElementsAre(-1, -2));
}

TEST(Session, TakesAndGivesTexts) {
  const test::ModelFile model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (string[N] x) => (string[N] y) { y = Identity(x) })");
  Session session(test::engine(), model.path);
  const std::vector<std::string> texts{"", "naïve", std::string("a\0b", 3)};
  Tensor x{DType::kString, {3}, {}, texts};
  const auto y = session.run_copy({{"x", x.view()}});
  EXPECT_EQ(y[0].dtype, DType::kString);
  EXPECT_THAT(y[0].strings, ElementsAreArray(texts));
}

TEST(Session, TakesAndGivesTensorsWithoutElements) {
  const test::ModelFile model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N,3] x) => (float[M,3] y) { y = Concat<axis=0>(x, x) })");
  Session session(test::engine(), model.path);
  const Tensor x = Tensor::zeros(DType::kFloat, {0, 3});
  const auto y = session.run_copy({{"x", x.view()}});
  EXPECT_EQ(y[0].shape, (Shape{0, 3}));
  EXPECT_TRUE(y[0].bytes.empty());
}

TEST(Session, TakesAndGivesScalars) {
  const test::ModelFile model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float x) => (float y) { y = Neg(x) })");
  Session session(test::engine(), model.path);
  const Tensor x = Tensor::of<float>({}, std::vector<float>{5});
  const auto y = session.run_copy({{"x", x.view()}});
  EXPECT_EQ(y[0].shape, Shape{});
  EXPECT_THAT(y[0].as<float>(), ElementsAre(-5));
}

TEST(Session, TakesHalfAndBfloat16) {
  const test::ModelFile model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float16[2] h, bfloat16[2] b) => (float16[2] i, bfloat16[2] c, float[2] f) {
      i = Identity(h) c = Identity(b) f = Cast<to=1>(b) })");
  Session session(test::engine(), model.path);
  Tensor h = Tensor::zeros(DType::kFloat16, {2}), b = Tensor::zeros(DType::kBfloat16, {2});
  h.as_mutable<std::uint16_t>()[1] = 0x3C00;
  b.as_mutable<std::uint16_t>()[1] = 0x3F80;
  const auto results = session.run_copy({{"h", h.view()}, {"b", b.view()}});
  EXPECT_EQ(results[0].dtype, DType::kFloat16);
  EXPECT_THAT(results[0].as<std::uint16_t>(), ElementsAre(0, 0x3C00));
  EXPECT_EQ(results[1].dtype, DType::kBfloat16);
  EXPECT_THAT(results[1].as<std::uint16_t>(), ElementsAre(0, 0x3F80));
  EXPECT_THAT(results[2].as<float>(), ElementsAre(0, 1));
}

TEST(Session, TakesPackedInt4) {
  const test::ModelFile model(R"(<ir_version: 10, opset_import: ["" : 21]>
    g (int4[3] x, float s) => (float[3] y) { y = DequantizeLinear(x, s) })");
  Session session(test::engine(), model.path);
  // Elements 1, -2, 7: the even index in the low nibble.
  const Tensor x{DType::kInt4, {3}, {std::byte{0xE1}, std::byte{0x07}}, {}};
  const Tensor s = Tensor::of<float>({}, std::vector<float>{0.5});
  const auto y = session.run_copy({{"x", x.view()}, {"s", s.view()}});
  EXPECT_THAT(y[0].as<float>(), ElementsAre(0.5, -1, 3.5));
}

TEST(Session, AnInitializerThatIsAnInputMayBeFed) {
  auto proto = test::proto_from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1] x, float[1] w) => (float[1] y) { y = Add(x, w) })");
  test::add_initializer(proto, "w", Tensor::of<float>({1}, std::vector<float>{10}));
  const TempDir folder;
  const auto path = test::write_model(proto, folder.path());
  Session session(test::engine(), path);
  ASSERT_EQ(session.inputs().size(), 1U);
  ASSERT_EQ(session.overridable_initializers().size(), 1U);
  EXPECT_EQ(session.overridable_initializers()[0].name, "w");
  const Tensor x = Tensor::of<float>({1}, std::vector<float>{1});
  EXPECT_THAT(session.run_copy({{"x", x.view()}})[0].as<float>(), ElementsAre(11));
  EXPECT_THAT(session.run_copy({{"x", x.view()}, {"w", x.view()}})[0].as<float>(), ElementsAre(2));
}

TEST(Session, AnOutputThatIsASequenceIsNoTensor) {
  const test::ModelFile model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (seq(float[2]) q, float[2] y) { q = SequenceConstruct(x) y = Neg(x) })");
  Session session(test::engine(), model.path);
  EXPECT_FALSE(session.outputs()[0].is_tensor);
  const Tensor x = Tensor::zeros(DType::kFloat, {2});
  const Results results = session.run({{"x", x.view()}});
  EXPECT_EQ(results.view(1).shape, Shape{2});
  test::expect_error(Code::kUnsupported,
                     "'" + model.path.string() + "': output 'q' is a sequence, wanted a tensor",
                     [&] { results.view(0); });
}

TEST(Session, FindsExternalWeightsBesideTheModel) {
  auto proto = test::proto_from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { y = Add(x, w) })");
  auto& w = test::add_initializer(proto, "w", Tensor::of<float>({2}, std::vector<float>{1, 2}));
  const TempDir folder;
  test::write_bytes(folder.path() / "w.bin", w.raw_data());
  w.clear_raw_data();
  w.set_data_location(onnx::TensorProto::EXTERNAL);
  auto& location = *w.add_external_data();
  location.set_key("location");
  location.set_value("w.bin");
  Session session(test::engine(), test::write_model(proto, folder.path()));
  const Tensor x = Tensor::zeros(DType::kFloat, {2});
  EXPECT_THAT(session.run_copy({{"x", x.view()}})[0].as<float>(), ElementsAre(1, 2));
}

TEST(Session, WritesTheOptimizedModel) {
  const test::ModelFile model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { a = Identity(x) b = Identity(a) y = Neg(b) })");
  SessionOptions options;
  options.optimized_model = model.folder.path() / "optimized.onnx";
  const Session session(test::engine(), model.path, options);
  EXPECT_EQ(test::parse_model(options.optimized_model).graph().node_size(), 1);
}

TEST(Session, RunsOnSeveralThreadsAtATime) {
  const test::ModelFile model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N] x) => (float[N] y) { y = Neg(x) })");
  Session session(test::engine(), model.path);
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      const Tensor x = Tensor::of<float>({1}, std::vector<float>{static_cast<float>(t + 1)});
      for (int i = 0; i < 100; ++i) {
        const Results results = session.run({{"x", x.view()}});
        if (results.view(0).as<float>()[0] != -static_cast<float>(t + 1)) ++wrong[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, ElementsAre(0, 0, 0, 0));
}

}  // namespace
}  // namespace ingot::runtime
