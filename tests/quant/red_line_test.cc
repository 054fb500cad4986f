// SPDX-License-Identifier: Apache-2.0
#include "quant/red_line.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ingot::quant {
namespace {

verify::OutputRow row(const std::string& name, data::OutputKind kind,
                      std::vector<std::pair<const char*, double>> values) {
  verify::OutputRow result;
  result.output = name;
  result.dtype = DType::kFloat;
  result.kind = kind;
  for (const auto& [metric, value] : values)
    result.metrics.push_back({metrics::find_metric(metric), value});
  return result;
}

TEST(RedLine, JudgesTextWhereItIsDeclaredAndCosineElsewhere) {
  const std::vector<verify::OutputRow> rows{
      row("lines", data::OutputKind::kCtc, {{"cosine", 0.1}, {"text", 0.95}}),
      row("mask", data::OutputKind::kNone, {{"cosine", 0.89}})};
  const std::vector<Judged> judged = RedLine({}).judge(rows);
  ASSERT_EQ(judged.size(), 2U);
  EXPECT_EQ(judged[0].limit.metric->name, "text");
  EXPECT_TRUE(judged[0].holds);
  EXPECT_EQ(judged[1].limit.metric->name, "cosine");
  EXPECT_FALSE(judged[1].holds);
}

TEST(RedLine, TakesTheUsersLimitsInstead) {
  const std::vector<verify::OutputRow> rows{
      row("lines", data::OutputKind::kCtc, {{"cosine", 0.99}, {"text", 0.5}})};
  const std::vector<Judged> judged = RedLine({metrics::parse_limit("cosine=0.98")}).judge(rows);
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_TRUE(judged[0].holds);
}

TEST(RedLine, FailsAnOutputThatCouldNotBeCompared) {
  verify::OutputRow broken = row("y", data::OutputKind::kNone, {{"cosine", 1}});
  broken.findings.push_back("shape differs");
  EXPECT_FALSE(RedLine({}).judge(std::vector{broken})[0].holds);
}

TEST(RedLine, DoesNotJudgeIntegerOutputs) {
  verify::OutputRow ids = row("ids", data::OutputKind::kNone, {});
  ids.dtype = DType::kInt64;
  EXPECT_TRUE(RedLine({}).judge(std::vector{ids}).empty());
}

TEST(RedLine, RefusesALimitThatNoOutputHas) {
  const std::vector<verify::OutputRow> rows{row("y", data::OutputKind::kNone, {{"cosine", 1}})};
  try {
    RedLine({metrics::parse_limit("text=0.9")}).require_effect(rows);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUsage);
    EXPECT_STREQ(error.what(), "--min text>=0.9: no output of the model has this metric");
  }
}

TEST(Slack, IsZeroAtTheLimitAndOneAtPerfection) {
  EXPECT_DOUBLE_EQ(slack(metrics::parse_limit("text=0.9"), 0.9), 0);
  EXPECT_DOUBLE_EQ(slack(metrics::parse_limit("text=0.9"), 1), 1);
  EXPECT_NEAR(slack(metrics::parse_limit("text=0.9"), 0.8), -1, 1e-12);
  EXPECT_DOUBLE_EQ(slack(metrics::parse_limit("max_abs=0.5"), 0.25), 0.5);
  EXPECT_DOUBLE_EQ(slack(metrics::parse_limit("text=1"), 1), 1);
  EXPECT_LT(slack(metrics::parse_limit("text=1"), 0.99), 0);
  EXPECT_LT(slack(metrics::parse_limit("cosine=0.9"), std::nan("")), 0);
}

TEST(ReachesGoal, AsksForRoomAboveTheLine) {
  const metrics::Limit text = metrics::parse_limit("text=0.9");
  EXPECT_FALSE(reaches_goal(std::vector<Judged>{{"y", text, 0.96, true}}));
  EXPECT_TRUE(reaches_goal(std::vector<Judged>{{"y", text, 0.975, true}}));
  const metrics::Limit cosine = metrics::parse_limit("cosine=0.9");
  EXPECT_FALSE(reaches_goal(std::vector<Judged>{{"y", cosine, 0.99, true}}));
  EXPECT_TRUE(reaches_goal(std::vector<Judged>{{"y", cosine, 0.996, true}}));
}

}  // namespace
}  // namespace ingot::quant
