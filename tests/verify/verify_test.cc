// SPDX-License-Identifier: Apache-2.0
#include "verify/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/json.h"
#include "data/npz.h"
#include "tests/support/expect_error.h"
#include "tests/support/model_builder.h"

namespace ingot::verify {
namespace {

using test::expect_error;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// Two models of input x float[4], and samples for them.
class VerifyTest : public ::testing::Test {
 protected:
  VerifyTest() {
    data::write_npz(folder_.path() / "s.npz",
                    {{"x", Tensor::of<float>({4}, std::vector<float>{1, -2, 0, 4})}});
    options_.data = {folder_.path() / "s.npz"};
    options_.runtime = INGOT_TEST_RUNTIME;
    options_.threads = 1;
  }
  std::filesystem::path model(const std::string& name, const std::string& graph) {
    return test::write_model(
        test::proto_from_text("<ir_version: 8, opset_import: [\"\": 17]> g (float[4] x) => " +
                              graph),
        folder_.path(), name);
  }
  Report compare(const std::string& reference, const std::string& candidate) {
    options_.reference = model("a.onnx", reference);
    options_.candidate = model("b.onnx", candidate);
    return verify(options_);
  }

  /// The sample as messages name it.
  std::string sample() const { return "sample '" + options_.data.front().string() + "'"; }

  TempDir folder_;
  Options options_;
};

const std::string kNeg = "(float[4] y) { y = Neg(x) }";

TEST_F(VerifyTest, SameModelIsInside) {
  const Report report = compare(kNeg, kNeg);
  EXPECT_TRUE(report.within());
  EXPECT_EQ(report.samples, 1U);
  EXPECT_EQ(report.limits.front().text(), "max_rel<=0.001");
  EXPECT_EQ(report.rows.front().value("max_abs"), 0);
}

TEST_F(VerifyTest, OtherFunctionIsOutside) {
  const Report report = compare(kNeg, "(float[4] y) { y = Abs(x) }");
  EXPECT_FALSE(report.within());
  EXPECT_THAT(report.violations,
              ElementsAre("output 'y': max_rel 2, wanted max_rel<=0.001; largest error in " +
                          sample() + " at [3]: 4, wanted -4"));
}

TEST_F(VerifyTest, OutputsAreComparedByName) {
  const Report report = compare("(float[4] y, float[4] z) { y = Neg(x) z = Abs(x) }",
                                "(float[4] z, float[4] y) { y = Neg(x) z = Abs(x) }");
  EXPECT_TRUE(report.within());
  EXPECT_THAT(
      report.warnings,
      ElementsAre("the candidate's outputs stand in another order: 'z', 'y'; compared by name"));
}

TEST_F(VerifyTest, RenamedOutputIsOutside) {
  const Report report = compare("(float[4] scores) { scores = Neg(x) }", kNeg);
  EXPECT_FALSE(report.within());
  EXPECT_FALSE(report.compared);
  EXPECT_THAT(report.violations,
              ElementsAre("output 'scores' is missing in the candidate, which has 'y'"));
  EXPECT_THAT(report.warnings, ElementsAre("output 'y' of the candidate is not in the reference"));
}

TEST_F(VerifyTest, RetypedOutputIsOutside) {
  const Report report = compare(kNeg, "(double[4] y) { n = Neg(x) y = Cast<to = 11>(n) }");
  EXPECT_THAT(report.violations,
              ElementsAre("output 'y': type float64, wanted float32 (" + sample() + ")"));
}

TEST_F(VerifyTest, NanInOneModelIsOutside) {
  const Report report = compare(
      "(float[4] r) { r = Div(x, x) }",
      "(float[4] r) <float one = {1}> { z = Mul(x, x) n = Sqrt(z) d = Max(n, one) r = Div(n, d) }");
  ASSERT_FALSE(report.violations.empty());
  EXPECT_THAT(report.violations.front(),
              "output 'r': NaN or infinity in one only, 1 of 4 values; " + sample() +
                  " at [2]: 0, wanted nan");
}

TEST_F(VerifyTest, NanInBothIsInside) {
  const Report report = compare("(float[4] r) { r = Div(x, x) }", "(float[4] r) { r = Div(x, x) }");
  EXPECT_TRUE(report.within());
  EXPECT_EQ(report.rows.front().non_finite_alike, 1);
}

TEST_F(VerifyTest, RandomOperatorCannotBeCompared) {
  const std::string graph = "(float[4] y) { [noise] n = RandomNormalLike(x) y = Add(x, n) }";
  const Report report = compare(graph, graph);
  EXPECT_FALSE(report.within());
  EXPECT_FALSE(report.compared);
  const std::string why =
      " does not repeat itself: output 'y' differs between two runs on the same input; random "
      "numbers are drawn in RandomNormalLike 'noise'";
  EXPECT_THAT(report.violations, ElementsAre("cannot compare: the reference" + why,
                                             "cannot compare: the candidate" + why));
}

TEST_F(VerifyTest, RandomOperatorWithoutEffectIsCompared) {
  const std::string graph =
      "(float[4] y) <float zero = {0}> { n = RandomUniformLike(x) m = Mul(n, zero) y = Add(x, m) }";
  EXPECT_TRUE(compare(graph, graph).within());
}

TEST_F(VerifyTest, CandidateWithAnotherInputCannotBeFed) {
  options_.reference = model("a.onnx", kNeg);
  options_.candidate = test::write_model(
      test::proto_from_text("<ir_version: 8, opset_import: [\"\": 17]> g (float[4] picture) => "
                            "(float[4] y) { y = Neg(picture) }"),
      folder_.path(), "b.onnx");
  const Report report = verify(options_);
  EXPECT_FALSE(report.within());
  EXPECT_THAT(
      report.violations,
      ElementsAre(
          "input 'picture' of the candidate is not an input of the reference, which has 'x'",
          "input 'x' is missing in the candidate, which has 'picture'"));
}

TEST_F(VerifyTest, NamedToleranceIsTheOnlyOne) {
  options_.limits = {metrics::parse_limit("cosine=0.9"), metrics::parse_limit("top1=1")};
  EXPECT_TRUE(compare(kNeg, "(float[4] y) <float k = {-1.1}> { y = Mul(x, k) }").within());
}

TEST_F(VerifyTest, ToleranceOnAMetricNoOutputHasIsUsage) {
  options_.limits = {metrics::parse_limit("text=0.9")};
  expect_error(Code::kUsage, "limit 'text>=0.9': no output has 'text'",
               [&] { compare(kNeg, kNeg); });
}

TEST_F(VerifyTest, SequenceOutputIsUnsupported) {
  const std::string graph = "(seq(float[4]) q) { q = SequenceConstruct(x) }";
  expect_error(Code::kUnsupported,
               "output 'q' of '" + (folder_.path() / "a.onnx").string() +
                   "' is not a tensor; only tensors are compared",
               [&] { compare(graph, graph); });
}

TEST_F(VerifyTest, JsonHasSchemaVerdictAndRows) {
  const Json document = parse_json(compare(kNeg, kNeg).json(), "report");
  EXPECT_EQ(document["schema"], "ingot.verify");
  EXPECT_EQ(document["schema_version"], 1);
  EXPECT_EQ(document["within"], true);
  EXPECT_EQ(document["limits"][0]["most"], 1e-3);
  EXPECT_EQ(document["outputs"][0]["output"], "y");
  EXPECT_EQ(document["outputs"][0]["metrics"]["sqnr"], "inf");
}

}  // namespace
}  // namespace ingot::verify
