// SPDX-License-Identifier: Apache-2.0
// `quantize` from file to file on a small network, in the runtime.
#include "quant/quantize.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "data/npz.h"
#include "tests/support/expect_error.h"
#include "tests/support/model_builder.h"

namespace ingot::quant {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Two convolutions and a classifier, twelve samples.
class QuantizeTest : public ::testing::Test {
 protected:
  QuantizeTest() {
    onnx::ModelProto proto = test::proto_from_text(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[n,16,8,8] x) => (float[n,16] y) {
        a = Conv(x, w1, b1) r = Relu(a) c = Conv<pads = [1,1,1,1]>(r, w2) h = HardSwish(c)
        p = GlobalAveragePool(h) f = Flatten(p) y = MatMul(f, w3)
      })");
    test::add_initializer(proto, "w1", test::random_tensor({32, 16, 1, 1}, 1));
    test::add_initializer(proto, "b1", test::random_tensor({32}, 2));
    test::add_initializer(proto, "w2", test::random_tensor({64, 32, 3, 3}, 3, 0.2F));
    test::add_initializer(proto, "w3", test::random_tensor({64, 16}, 4));
    options_.input = test::write_model(proto, folder_.path());
    options_.output = folder_.path() / "out.onnx";
    options_.runtime = INGOT_TEST_RUNTIME;
    options_.executable = INGOT_TEST_CHILD;
    options_.check_seconds = 60;
    const std::filesystem::path samples = folder_.path() / "samples";
    std::filesystem::create_directory(samples);
    for (unsigned i = 0; i < 12; ++i) {
      data::write_npz(samples / fmt::format("{:02}.npz", i),
                      {{"x", test::random_tensor({1 + i % 3, 16, 8, 8}, 10 + i)}});
    }
    options_.data = {samples};
  }

  Report run() { return quantize(options_, reporter_); }

  TempDir folder_;
  Options options_;
  RecordingReporter reporter_;
};

TEST_F(QuantizeTest, WritesASmallerModelThatHoldsTheRedLine) {
  const Report report = run();
  EXPECT_TRUE(report.accepted());
  EXPECT_EQ(report.verdict, "the red line holds");
  EXPECT_LT(report.bytes_after, report.bytes_before * 4 / 10);
  ASSERT_EQ(report.judged.size(), 1U);
  EXPECT_GT(report.judged[0].value, 0.995);
  EXPECT_EQ(std::filesystem::file_size(options_.output), report.bytes_after);
}

TEST_F(QuantizeTest, NamesAReasonForEveryNodeAndWeight) {
  const Report report = run();
  const Json json = parse_json(report.json(), "report");
  EXPECT_EQ(json["schema"], "ingot.quantize");
  EXPECT_EQ(json["plan"]["nodes"].size(), 7U);
  for (const Json& node : json["plan"]["nodes"]) EXPECT_NE(node["reason"], "") << node;
  for (const Json& weight : json["plan"]["weights"]) EXPECT_NE(weight["reason"], "") << weight;
}

TEST_F(QuantizeTest, GivesTheSameBytesForOneThreadAndTwo) {
  options_.threads = 1;
  const std::string one = plan_to_json(run().plan);
  const std::string model = test::read_bytes(options_.output);
  options_.threads = 2;
  options_.overwrite = Overwrite::kYes;
  EXPECT_EQ(plan_to_json(run().plan), one);
  EXPECT_EQ(test::read_bytes(options_.output), model);
}

TEST_F(QuantizeTest, RefusesBelowTheRedLineAndWritesNothing) {
  options_.minimums = {metrics::parse_limit("sqnr=200")};
  options_.evaluations = 3;
  const Report report = run();
  EXPECT_FALSE(report.accepted());
  EXPECT_EQ(report.verdict, "refused: below the red line; nothing was written");
  EXPECT_FALSE(std::filesystem::exists(options_.output));
  EXPECT_LE(report.trials.size(), 3U);
}

TEST_F(QuantizeTest, NamesTheWorstNodesWhenItRefuses) {
  options_.minimums = {metrics::parse_limit("sqnr=200")};
  options_.search = false;
  const std::string text = run().text();
  EXPECT_THAT(text, HasSubstr("worst nodes  '"));
  EXPECT_THAT(text, HasSubstr("dB from its float output"));
}

TEST_F(QuantizeTest, RefusesAModelThatIsNotValid) {
  onnx::ModelProto proto = test::parse_model(options_.input);
  proto.mutable_graph()->mutable_node(2)->set_input(0, "nowhere");
  test::write_model(proto, folder_.path());
  try {
    run();
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kInput);
    EXPECT_THAT(error.what(), HasSubstr("'nowhere'"));
  }
}

TEST_F(QuantizeTest, WritesBelowTheLineWhenTheLossIsAccepted) {
  options_.minimums = {metrics::parse_limit("sqnr=200")};
  options_.search = false;
  options_.accept_loss = true;
  const Report report = run();
  EXPECT_TRUE(report.accepted());
  EXPECT_EQ(report.verdict, "below the red line, written all the same (--accept-loss)");
  EXPECT_TRUE(report.trials.empty());
}

TEST_F(QuantizeTest, KeepsWhatItIsToldToKeep) {
  options_.keep = {parse_keep("op:MatMul=float16"), parse_keep("c")};
  const Report report = run();
  EXPECT_EQ(report.plan.find_node("y")->form, Form::kFloat);
  EXPECT_EQ(report.plan.find_node("y")->reason, "kept by 'op:MatMul'");
  EXPECT_EQ(report.plan.find_weight("w3")->storage, Storage::kFloat16);
  EXPECT_EQ(report.plan.find_weight("w2")->storage, Storage::kFloat32);
}

TEST_F(QuantizeTest, RefusesAPatternWithoutMatch) {
  options_.keep = {parse_keep("op:Softmaks")};
  try {
    run();
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUsage);
    EXPECT_THAT(error.what(), StartsWith("--keep 'op:Softmaks' matches no node of the model"));
  }
}

TEST_F(QuantizeTest, RefusesToCalibrateWithoutData) {
  options_.data.clear();
  test::expect_error(Code::kUsage, "scheme int8 is static: it needs calibration samples (--data)",
                     [&] { run(); });
}

TEST_F(QuantizeTest, RefusesAnUnknownSchemeWithTheNearest) {
  options_.scheme = "int9";
  test::expect_error(Code::kUsage, "unknown scheme 'int9'; did you mean 'int8'?", [&] { run(); });
}

TEST_F(QuantizeTest, RefusesToOverwrite) {
  write_text_file(options_.output, "mine");
  EXPECT_THROW(run(), Error);
  EXPECT_EQ(test::read_bytes(options_.output), "mine");
}

TEST_F(QuantizeTest, WarnsOfFewSamples) {
  options_.max_samples = 3;
  run();
  ASSERT_FALSE(reporter_.warnings.empty());
  EXPECT_THAT(reporter_.warnings[0], HasSubstr("only 3 calibration samples"));
}

}  // namespace
}  // namespace ingot::quant
