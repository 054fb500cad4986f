// SPDX-License-Identifier: Apache-2.0
// convert to the runtime's own format.
#include "graph/ort_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converters/convert.h"
#include "runtime/session.h"
#include "tests/support/expect_error.h"
#include "tests/support/model_builder.h"
#include "tests/support/same_bytes.h"

namespace ingot::converters {
namespace {

using test::expect_error;
using test::random_tensor;
using ::testing::ElementsAre;

class ConvertToOrt : public ::testing::Test {
 protected:
  ConvertToOrt() {
    options_.input = at("in.onnx");
    options_.output = at("out.ort");
    options_.format = Format::kOrt;
    options_.runtime = INGOT_TEST_RUNTIME;
    options_.executable = INGOT_TEST_CHILD;
    options_.check_seconds = 60;  // a machine under load is no reason to fail
    options_.threads = 1;
  }

  std::filesystem::path at(const std::string& name) const { return folder_.path() / name; }
  void write(const onnx::ModelProto& model) { test::write_model(model, folder_.path(), "in.onnx"); }
  void write_conv() {
    auto model = test::proto_from_text(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[1,3,8,8] x) => (float[1,64,8,8] y) { c = Conv(x, w) y = Relu(c) })");
    test::add_initializer(model, "w", random_tensor({64, 3, 1, 1}, 1));
    write(model);
  }
  ConvertReport run() { return convert(options_, reporter_); }
  std::vector<Tensor> outputs_of(const std::string& name, const Tensor& x) const {
    runtime::Session session(runtime::Library::open(INGOT_TEST_RUNTIME), at(name));
    return session.run_copy({{"x", x.view()}});
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

  TempDir folder_;
  ConvertOptions options_;
  RecordingReporter reporter_;
};

TEST_F(ConvertToOrt, WritesACheckedFileThatTheRuntimeRuns) {
  write_conv();
  const ConvertReport report = run();
  EXPECT_TRUE(report.written) << report.verdict;
  EXPECT_EQ(report.verdict, "the result is the same as the original in the runtime");
  EXPECT_TRUE(graph::is_ort_file(options_.output));
  EXPECT_FALSE(graph::is_ort_file(options_.input));
  EXPECT_EQ(report.bytes_after, std::filesystem::file_size(options_.output));
  EXPECT_THAT(files(), ElementsAre("in.onnx", "out.ort"));
  const Tensor x = random_tensor({1, 3, 8, 8}, 3);
  const auto wanted = outputs_of("in.onnx", x), got = outputs_of("out.ort", x);
  for (std::size_t i = 0; i < wanted[0].as<float>().size(); ++i)
    EXPECT_NEAR(got[0].as<float>()[i], wanted[0].as<float>()[i], 1e-5);
}

TEST_F(ConvertToOrt, SameBytesTwice) {
  write_conv();
  run();
  const std::string first = test::read_bytes(options_.output);
  options_.overwrite = Overwrite::kYes;
  run();
  EXPECT_TRUE(test::same_bytes(test::read_bytes(options_.output), first));
}

TEST_F(ConvertToOrt, TheOriginalItIsHeldAgainstRunsWithTheSameFusions) {
  // The runtime's other layout of the convolution sums in another order; what follows makes that
  // rounding noise as large as the values, as quantisation steps do with less.
  auto model = test::proto_from_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[1,64,8,8] x) => (float[1,64,8,8] y) <float large = {10000000.0}> {
      c = Conv<pads = [1, 1, 1, 1]>(x, w)
      m = Mul(c, large)
      y = Sin(m)
    })");
  test::add_initializer(model, "w", random_tensor({64, 64, 3, 3}, 1));
  write(model);
  const ConvertReport report = run();
  EXPECT_TRUE(report.written) << report.verdict;
  EXPECT_EQ(report.check->rows.at(0).value("max_abs"), 0);
}

TEST_F(ConvertToOrt, ALoopInABranchKeepsItsOuterWeights) {
  auto model = test::proto_from_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[4] x) => (float[4] y) <int64 three = {3}, bool go = {1}> {
      total = ReduceSum<keepdims = 0>(x)
      zero = Constant<value_float = 0.0>()
      positive = Greater(total, zero)
      y = If(positive)<
        then_branch = a () => (float[4] a_out) {
          a_out = Loop(three, go, x)<body = b (int64 i, bool c, float[4] s) => (bool c_out, float[4] s_out) {
            c_out = Identity(c)
            s_out = Add(s, w)
          }>
        },
        else_branch = e () => (float[4] e_out) { e_out = Sub(x, w) }>
    })");
  test::add_initializer(model, "w", Tensor::of<float>({4}, {1, 2, 4, 8}));
  write(model);
  EXPECT_TRUE(run().written);
  // Three times the weights are added, or they are taken away once.
  EXPECT_THAT(outputs_of("out.ort", Tensor::of<float>({4}, {1, 1, 1, 1}))[0].as<float>(),
              ElementsAre(4, 7, 13, 25));
  EXPECT_THAT(outputs_of("out.ort", Tensor::of<float>({4}, {-1, -1, -1, -1}))[0].as<float>(),
              ElementsAre(-2, -3, -5, -9));
}

TEST_F(ConvertToOrt, AnOperatorTheRuntimeLacksIsNamedAndNothingIsWritten) {
  write(test::proto_from_text(R"(<ir_version: 8, opset_import: ["": 17, "acme.ops": 1]>
    g (float[2] x) => (float[2] y) { y = acme.ops.MyOp(x) })"));
  try {
    run();
    ADD_FAILURE() << "written";
  } catch (const Error& error) {
    EXPECT_STREQ(code_name(error.code()), code_name(Code::kUnsupported));
    EXPECT_EQ(error.message(),
              "'" + options_.input.string() + "': ONNX Runtime: Load model from " +
                  options_.input.string() +
                  " failed:Fatal error: acme.ops:MyOp(-1) is not a registered function/op"
                  "; it has the foreign operators 'acme.ops.MyOp'");
  }
  EXPECT_THAT(files(), ElementsAre("in.onnx"));
}

TEST_F(ConvertToOrt, WithoutACheckTheRuntimeIsStillNeeded) {
  write_conv();
  options_.check = false;
  EXPECT_TRUE(run().written);
  EXPECT_TRUE(graph::is_ort_file(options_.output));
}

TEST_F(ConvertToOrt, ARuntimeThatCrashesIsAFailureOfTheEngine) {
  write_conv();
  options_.executable = at("child_killed");
  std::filesystem::create_symlink(INGOT_TEST_CHILD, options_.executable);
  expect_error(Code::kEngine,
               "'" + options_.input.string() +
                   "': the runtime ended by signal 9 (Killed) while writing the ORT format",
               [&] { run(); });
  EXPECT_THAT(files(), ElementsAre("child_killed", "in.onnx"));
}

TEST_F(ConvertToOrt, TheEndingMustFitTheFormat) {
  write_conv();
  options_.output = at("out.onnx");
  expect_error(Code::kUsage,
               "'" + options_.output.string() +
                   "' does not end in '.ort', by which the runtime tells the ORT format from ONNX: "
                   "the ORT format is to be written",
               [&] { run(); });
  options_.output = at("out.ort");
  options_.format = Format::kOnnx;
  expect_error(Code::kUsage,
               "'" + options_.output.string() +
                   "' ends in '.ort', by which the runtime tells the ORT format from ONNX: ONNX is "
                   "to be written",
               [&] { run(); });
}

TEST_F(ConvertToOrt, ExternalDataIsContradictory) {
  write_conv();
  options_.external_bytes = 1;
  expect_error(Code::kUsage, "--external-data has no effect on the ORT format, which is one file",
               [&] { run(); });
}

TEST_F(ConvertToOrt, AFileInTheFormatIsNoInput) {
  write_conv();
  run();
  options_.input = at("out.ort");
  options_.output = at("again.ort");
  expect_error(Code::kUnsupported,
               "'" + options_.input.string() +
                   "' is in the ORT format, which only the runtime reads; an ONNX model is wanted",
               [&] { run(); });
}

}  // namespace
}  // namespace ingot::converters
