// SPDX-License-Identifier: Apache-2.0
// The whole conversion with its check in the runtime.
#include "converters/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.h"
#include "tests/support/model_builder.h"
#include "tests/support/same_bytes.h"

namespace ingot::converters {
namespace {

using test::add_initializer;
using test::random_tensor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Convert : public ::testing::Test {
 protected:
  Convert() {
    options_.input = folder_.path() / "in.onnx";
    options_.output = folder_.path() / "out.onnx";
    options_.runtime = INGOT_TEST_RUNTIME;
    options_.executable = INGOT_TEST_CHILD;
    options_.check_seconds = 60;  // a machine under load is no reason to fail
    options_.threads = 1;
  }

  void write(const onnx::ModelProto& model) { test::write_model(model, folder_.path(), "in.onnx"); }

  void write_conv() {
    auto model = test::proto_from_text(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[1,3,8,8] x) => (float[1,64,8,8] y) { c = Conv(x, w) y = Mul(c, s) })");
    add_initializer(model, "w", random_tensor({64, 3, 1, 1}, 1));
    add_initializer(model, "s", random_tensor({1}, 2));
    write(model);
  }

  /// y is rounding noise: folding changes it altogether.
  void write_ill_conditioned() {
    auto model = test::proto_from_text(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[1,3,8,8] x) => (float[1,4,8,8] y) { c = Conv(x, w) m = Mul(c, s) d = Conv(x, v) y = Sub(m, d) })");
    const Tensor weight = random_tensor({4, 3, 1, 1}, 1);
    Tensor scaled = weight;
    for (float& value : scaled.as_mutable<float>()) value *= 1.1F;
    add_initializer(model, "w", weight);
    add_initializer(model, "v", scaled);
    add_initializer(model, "s", Tensor::of<float>({1}, {1.1F}));
    write(model);
  }

  ConvertReport run() { return convert(options_, reporter_); }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }

  TempDir folder_;
  ConvertOptions options_;
  RecordingReporter reporter_;
};

TEST_F(Convert, WritesACheckedModel) {
  write_conv();
  const ConvertReport report = run();
  EXPECT_TRUE(report.written);
  EXPECT_EQ(report.verdict, "the result is the same as the original in the runtime");
  ASSERT_TRUE(report.check);
  EXPECT_EQ(report.check->outcome, verify::CheckOutcome::kSame) << report.check->reason;
  EXPECT_EQ(test::parse_model(options_.output).graph().node_size(), 1);
  EXPECT_EQ(report.bytes_after, std::filesystem::file_size(options_.output));
  EXPECT_THAT(files(), ElementsAre("in.onnx", "out.onnx"));
  EXPECT_TRUE(reporter_.warnings.empty());
}

TEST_F(Convert, SameBytesTwice) {
  write_conv();
  run();
  const std::string first = test::read_bytes(options_.output);
  options_.overwrite = Overwrite::kYes;
  run();
  EXPECT_TRUE(test::same_bytes(test::read_bytes(options_.output), first));
}

TEST_F(Convert, DifferingResultIsNotWritten) {
  write_ill_conditioned();
  const ConvertReport report = run();
  EXPECT_FALSE(report.written);
  EXPECT_EQ(report.verdict, "refused: the result differs from the original; nothing was written");
  EXPECT_THAT(report.check->violations, ElementsAre(HasSubstr("'y'")));
  EXPECT_THAT(files(), ElementsAre("in.onnx"));
  EXPECT_THAT(report.text(false), HasSubstr("verdict: refused: the result differs"));
}

TEST_F(Convert, DifferingResultLeavesTheOldFile) {
  write_ill_conditioned();
  test::write_bytes(options_.output, "old");
  options_.overwrite = Overwrite::kYes;
  EXPECT_FALSE(run().written);
  EXPECT_EQ(test::read_bytes(options_.output), "old");
}

TEST_F(Convert, ExactKeepsAnIllConditionedModel) {
  write_ill_conditioned();
  options_.passes.exact = true;
  EXPECT_TRUE(run().written);
}

TEST_F(Convert, ExistingOutputIsRefused) {
  write_conv();
  test::write_bytes(options_.output, "old");
  test::expect_error(Code::kUsage, "'" + options_.output.string() + "' exists already",
                     [&] { run(); });
  EXPECT_EQ(test::read_bytes(options_.output), "old");
}

TEST_F(Convert, ExistingDataOfTheOutputIsRefused) {
  write_conv();
  test::write_bytes(folder_.path() / "out.onnx.data", "old");
  test::expect_error(Code::kUsage, "'" + options_.output.string() + ".data' exists already",
                     [&] { run(); });
}

TEST_F(Convert, ExternalDataLiesBesideTheModel) {
  write_conv();
  options_.external_bytes = 1;
  const ConvertReport report = run();
  EXPECT_TRUE(report.written);
  EXPECT_THAT(files(), ElementsAre("in.onnx", "out.onnx", "out.onnx.data"));
  const auto model = test::parse_model(options_.output);
  EXPECT_EQ(model.graph().initializer(0).external_data(0).value(), "out.onnx.data");
  EXPECT_EQ(report.bytes_after, std::filesystem::file_size(options_.output) +
                                    std::filesystem::file_size(folder_.path() / "out.onnx.data"));
}

TEST_F(Convert, ShapesThatTheRuntimeReadsStayInside) {
  auto proto = test::proto_from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 1, 2, 6] x) => (float[N, M] y) <int64[2] shape = {4, -1}, float[4] scales = {1, 1, 2, 1}> {
      r = Resize <mode = "nearest"> (x, , scales)
      h = Add (r, w)
      y = Reshape (h, shape)
    })");
  test::add_initializer(proto, "w", test::random_tensor({4, 6}, 1));
  test::write_model(proto, folder_.path(), "in.onnx");
  options_.external_bytes = 1;
  const ConvertReport report = run();
  EXPECT_EQ(report.verdict, "the result is the same as the original in the runtime");
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "out.onnx.data"));
}

TEST_F(Convert, WithoutACheckThatIsSaid) {
  write_conv();
  options_.check = false;
  options_.runtime.clear();
  const ConvertReport report = run();
  EXPECT_TRUE(report.written);
  EXPECT_THAT(reporter_.warnings, ElementsAre("not checked in the runtime: --no-check"));
  EXPECT_EQ(report.verdict, "written without a check");
}

TEST_F(Convert, ModelThatIsTooLargeToCheckIsWrittenOrRefused) {
  write_conv();
  options_.check_max_bytes = 10;
  EXPECT_TRUE(run().written);
  EXPECT_THAT(reporter_.warnings, ElementsAre(HasSubstr("not checked in the runtime: ")));
  options_.require_check = true;
  options_.overwrite = Overwrite::kYes;
  const ConvertReport report = run();
  EXPECT_FALSE(report.written);
  EXPECT_THAT(report.verdict, HasSubstr("refused: not checked in the runtime: "));
}

TEST_F(Convert, RequireCheckAndNoCheckContradict) {
  write_conv();
  options_.check = false;
  options_.require_check = true;
  test::expect_error(Code::kUsage, "--require-check and --no-check contradict each other",
                     [&] { run(); });
}

TEST_F(Convert, BadModelIsRefusedBeforeAnythingIsWritten) {
  write(test::proto_from_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] y) { y = Add(x, ghost) })"));
  test::expect_error(
      Code::kInput,
      "'" + options_.input.string() + "': Add writing 'y' reads 'ghost', which nobody writes",
      [&] { run(); });
  EXPECT_THAT(files(), ElementsAre("in.onnx"));
}

TEST_F(Convert, MissingFolderOfTheOutput) {
  write_conv();
  options_.output = folder_.path() / "missing" / "out.onnx";
  try {
    run();
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr((folder_.path() / "missing").string()));
  }
}

TEST_F(Convert, ForeignOperatorIsKeptAndNotChecked) {
  write(test::proto_from_text(R"(<ir_version: 8, opset_import: ["": 17, "acme.ops": 1]>
    g (float[2] x) => (float[2] y) { y = acme.ops.B(x) })"));
  const ConvertReport report = run();
  EXPECT_TRUE(report.written);
  EXPECT_THAT(report.foreign_operators, ElementsAre("acme.ops.B"));
  EXPECT_THAT(reporter_.warnings, ElementsAre(HasSubstr("not checked in the runtime: ")));
  EXPECT_THAT(report.text(false),
              HasSubstr("kept as it is: operator 'acme.ops.B' of a foreign domain\n"));
}

TEST_F(Convert, OpsetAskedForIsThatOfTheResult) {
  write(test::proto_from_text(R"(<ir_version: 4, opset_import: ["": 7]>
    g (float[2,3] x) => (float[2,3] y) { y = Clip<min=0.0>(x) })"));
  options_.opset = 17;
  const ConvertReport report = run();
  EXPECT_TRUE(report.written);
  EXPECT_EQ(test::parse_model(options_.output).opset_import(0).version(), 17);
  EXPECT_THAT(report.text(true),
              HasSubstr("opset: 7 became 17, IR version: 4 became 8 (asked for by --opset), nodes "
                        "rewritten: 1\n  Clip writing 'y': version 6 became 11: min and max become "
                        "inputs\n"));
  EXPECT_THAT(report.json(), HasSubstr("\"reason\": \"asked for by --opset\""));
}

// ONNX Runtime 1.32 has no kernel of RoiAlign 22.
TEST_F(Convert, OpsetThatTheRuntimeDoesNotRunIsRefused) {
  auto model = test::proto_from_text(R"(<ir_version: 8, opset_import: ["": 16]>
    g (float[1,1,6,6] x) => (float[1,1,1,1] y) <float[1,4] r = {0,0,4,4}, int64[1] b = {0}> {
      y = RoiAlign(x, r, b) })");
  write(model);
  options_.opset = 22;
  try {
    run();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUnsupported);
    EXPECT_THAT(error.message(),
                HasSubstr("the runtime runs the model at opset 16, at opset 22 not: the result"));
    EXPECT_THAT(error.message(), HasSubstr("RoiAlign(22)"));
  }
  EXPECT_THAT(files(), ElementsAre("in.onnx"));
}

TEST_F(Convert, ReportNamesEveryChange) {
  write_conv();
  const ConvertReport report = run();
  EXPECT_THAT(report.text(true),
              HasSubstr("fold_affine_back: Conv writing 'c' took in Mul writing 'y'\n"));
  EXPECT_THAT(report.text(false),
              HasSubstr("nodes: 2 before, 1 after; weights: 772 B before, 768 B after\n"));
  EXPECT_THAT(report.json(), HasSubstr("\"schema\": \"ingot.convert\""));
  EXPECT_THAT(report.json(), HasSubstr("\"outcome\": \"same\""));
}

}  // namespace
}  // namespace ingot::converters
