// SPDX-License-Identifier: Apache-2.0
#include "verify/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "data/npz.h"
#include "tests/support/expect_error.h"
#include "tests/support/model_builder.h"

namespace ingot::verify {
namespace {

using test::expect_error;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// Two models in a folder, and the check between them.
class CheckTest : public ::testing::Test {
 protected:
  std::filesystem::path model(const std::string& name, const std::string& graph) {
    return test::write_model(
        test::proto_from_text("<ir_version: 8, opset_import: [\"\": 17]> " + graph), folder_.path(),
        name);
  }
  CheckResult check(const std::string& original, const std::string& result) {
    return check_in_runtime(model("a.onnx", original), model("b.onnx", result), options_);
  }
  /// The child's executable under a name that makes it misbehave.
  void misbehave(const std::string& name) {
    options_.executable = folder_.path() / name;
    std::filesystem::create_symlink(INGOT_TEST_CHILD, options_.executable);
  }

  CheckTest() {
    options_.executable = INGOT_TEST_CHILD;
    options_.runtime = INGOT_TEST_RUNTIME;
    options_.seconds = 60;  // a machine under load is no reason to fail
  }
  TempDir folder_;
  CheckOptions options_;
};

const std::string kDouble = "g (float[n, 3] x) => (float[n, 3] y) { y = Add(x, x) }";
const std::string kTwice =
    "g (float[n, 3] x) => (float[n, 3] y) <float two = {2}> { y = Mul(x, two) }";
const std::string kTriple =
    "g (float[n, 3] x) => (float[n, 3] y) <float three = {3}> { y = Mul(x, three) }";

TEST_F(CheckTest, OutputThatTheRuntimeItselfMovesIsHeldToThat) {
  // What is left of x is smaller than what rounding 0.21 x one way or another makes of it; the
  // runtime fuses Conv and BatchNormalization, and rounds another way than both do.
  const std::string rest = "c = Mul(x, k) d = Sub(b, c) e = Mul(x, t) y = Add(d, e) }";
  const std::string head =
      "g (float[1,1,8,8] x) => (float[1,1,8,8] y) <float[1,1,1,1] w = {0.3}, float[1] s = {0.7}, "
      "float[1] z = {0}, float[1] o = {1}, float k = {0.21}, float t = {0.000002}> { ";
  const CheckResult result =
      check(head + "a = Conv(x, w) b = BatchNormalization<epsilon = 0.0>(a, s, z, z, o) " + rest,
            head + "a = Mul(x, w) b = Mul(a, s) " + rest);
  EXPECT_EQ(result.outcome, CheckOutcome::kSame) << result.reason;
  ASSERT_EQ(result.rows.size(), 1U);
  EXPECT_GT(result.rows[0].value("max_rel").value_or(0), 1e-3);
  EXPECT_THAT(result.notes,
              ElementsAre(HasSubstr("the runtime's own optimisations alone move it by")));
}

TEST_F(CheckTest, SameFunctionOnGeneratedInputs) {
  const CheckResult result = check(kDouble, kTwice);
  EXPECT_EQ(result.outcome, CheckOutcome::kSame) << result.reason;
  EXPECT_TRUE(result.generated);
  EXPECT_EQ(result.samples, 3U);
  ASSERT_EQ(result.rows.size(), 1U);
  // Batches of 1, 2 and 3.
  EXPECT_EQ(result.rows[0].elements, 18);
  EXPECT_EQ(result.rows[0].value("max_abs"), 0);
}

TEST_F(CheckTest, OtherFunctionDiffers) {
  const CheckResult result = check(kDouble, kTriple);
  EXPECT_EQ(result.outcome, CheckOutcome::kDiffers) << result.reason;
  ASSERT_EQ(result.violations.size(), 1U);
  EXPECT_THAT(result.violations[0], StartsWith("output 'y': max_rel 0.5, wanted max_rel<=0.001"));
  EXPECT_NEAR(*result.rows[0].value("rel_l2"), 0.5, 1e-6);
}

TEST_F(CheckTest, LimitsReplaceTheDefault) {
  options_.limits = {metrics::parse_limit("cosine=0.99")};
  EXPECT_EQ(check(kDouble, kTriple).outcome, CheckOutcome::kSame);
}

TEST_F(CheckTest, GivenSamplesAreUsedUpToTheirMaximum) {
  for (const char* name : {"s0.npz", "s1.npz", "s2.npz"}) {
    data::write_npz(folder_.path() / name,
                    {{"x", Tensor::of<float>({1, 3}, std::vector<float>{1, 2, 3})}});
    options_.data.push_back(folder_.path() / name);
  }
  options_.max_samples = 2;
  const CheckResult result = check(kDouble, kTriple);
  EXPECT_EQ(result.outcome, CheckOutcome::kDiffers) << result.reason;
  EXPECT_FALSE(result.generated);
  EXPECT_EQ(result.samples, 2U);
  EXPECT_EQ(result.rows[0].value("max_abs"), 3);
}

TEST_F(CheckTest, BadSamplesAreAnErrorOfTheInput) {
  const auto sample = folder_.path() / "s.npz";
  data::write_npz(sample, {{"other", Tensor::zeros(DType::kFloat, {1, 3})}});
  options_.data = {sample};
  try {
    check(kDouble, kTwice);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kInput);
    EXPECT_THAT(error.what(), HasSubstr("'x'"));
  }
}

TEST_F(CheckTest, MissingOutputDiffers) {
  const CheckResult result =
      check("g (float[3] x) => (float[3] y, float[3] z) { y = Neg(x) z = Abs(x) }",
            "g (float[3] x) => (float[3] y) { y = Neg(x) }");
  EXPECT_EQ(result.outcome, CheckOutcome::kDiffers) << result.reason;
  EXPECT_THAT(result.violations,
              ElementsAre("output 'z' is missing in the candidate, which has 'y'"));
  EXPECT_EQ(result.rows.size(), 1U);
}

TEST_F(CheckTest, StringsAndIntegersPassBetweenTheChildren) {
  const std::string graph =
      "g (string[2] s, int64[2] i) => (string[2] t, int64[2] j) { t = Identity(s) j = Neg(i) }";
  const CheckResult result = check(graph, graph);
  EXPECT_EQ(result.outcome, CheckOutcome::kSame) << result.reason;
  EXPECT_EQ(result.rows.size(), 2U);
  EXPECT_EQ(result.rows[0].elements, 6);
}

TEST_F(CheckTest, IntegersThatIndexASmallTableAreFound) {
  const std::string graph =
      "g (int64[n] i) => (float[n] y) <float[2] table = {1, 2}> { y = Gather(table, i) }";
  const CheckResult result = check(graph, graph);
  EXPECT_EQ(result.outcome, CheckOutcome::kSame) << result.reason;
  EXPECT_EQ(result.samples, 3U);
}

TEST_F(CheckTest, RandomOriginalIsNotChecked) {
  const std::string graph =
      "g (float[8] x) => (float[8] y) { [noise] n = RandomNormalLike(x) y = Add(x, n) }";
  const CheckResult result = check(graph, graph);
  EXPECT_EQ(result.outcome, CheckOutcome::kNotChecked);
  EXPECT_EQ(result.reason,
            "the original does not repeat itself: output 'y' differs between two runs on the same "
            "input; random numbers are drawn in RandomNormalLike "
            "'noise'");
}

TEST_F(CheckTest, OriginalThatDoesNotLoadIsNotChecked) {
  const CheckResult result =
      check("g (float[3] x) => (float[3] y) { y = NoSuchOperator(x) }", kTwice);
  EXPECT_EQ(result.outcome, CheckOutcome::kNotChecked);
  EXPECT_THAT(result.reason, StartsWith("the original does not load: "));
  EXPECT_THAT(result.reason, HasSubstr("NoSuchOperator"));
}

TEST_F(CheckTest, ResultThatDoesNotLoadIsBroken) {
  const CheckResult result =
      check(kDouble, "g (float[n, 3] x) => (float[n, 3] y) { y = NoSuchOperator(x) }");
  EXPECT_EQ(result.outcome, CheckOutcome::kBroken);
  EXPECT_THAT(result.reason, StartsWith("the result does not load: "));
}

TEST_F(CheckTest, ResultThatDoesNotRunIsBroken) {
  const CheckResult result = check(
      "g (float[n] x) => (float[m] y) { y = Neg(x) }",
      "g (float[n] x) => (float[m] y) <float[7] a = {1, 2, 3, 4, 5, 6, 7}> { y = Mul(x, a) }");
  EXPECT_EQ(result.outcome, CheckOutcome::kBroken) << result.violations.size();
  EXPECT_THAT(result.reason, StartsWith("the result does not run: "));
}

TEST_F(CheckTest, LargeModelIsNotChecked) {
  options_.model_bytes = 513;
  options_.max_bytes = 512;
  const CheckResult result = check(kDouble, kTwice);
  EXPECT_EQ(result.outcome, CheckOutcome::kNotChecked);
  EXPECT_EQ(result.reason, "the model has 513 B, more than the 512 B up to which it is checked");
}

TEST_F(CheckTest, CrashOnTheOriginalIsNotChecked) {
  misbehave("child_killed");
  const CheckResult result = check(kDouble, kTwice);
  EXPECT_EQ(result.outcome, CheckOutcome::kNotChecked);
  EXPECT_EQ(result.reason, "the runtime ended by signal 9 (Killed) on the original");
}

TEST_F(CheckTest, CrashOnTheResultIsBroken) {
  misbehave("child_killed_on_result");
  const CheckResult result = check(kDouble, kTwice);
  EXPECT_EQ(result.outcome, CheckOutcome::kBroken);
  EXPECT_EQ(result.reason, "the runtime ended by signal 9 (Killed) on the result");
}

TEST_F(CheckTest, OriginalThatHangsIsNotChecked) {
  misbehave("child_hanging");
  options_.seconds = 0.2;
  const CheckResult result = check(kDouble, kTwice);
  EXPECT_EQ(result.outcome, CheckOutcome::kNotChecked);
  EXPECT_EQ(result.reason, "the original did not load and run within 0.2 s");
}

TEST_F(CheckTest, ChildWithoutAnswerIsNotChecked) {
  misbehave("child_mute");
  EXPECT_EQ(check(kDouble, kTwice).reason, "the runtime ended by exit code 3 on the original");
}

TEST_F(CheckTest, MissingRuntimeIsAnErrorOfTheEnvironment) {
  options_.runtime = folder_.path() / "none.so";
  try {
    check(kDouble, kTwice);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kEnvironment);
  }
}

}  // namespace
}  // namespace ingot::verify
