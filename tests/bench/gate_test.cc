// SPDX-License-Identifier: Apache-2.0
#include "bench/gate.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace ingot::bench {
namespace {

using metrics::Limit;
using metrics::parse_limit;

TEST(Gate, HoldsAtTheLimitAndOnItsBetterSide) {
  const std::vector<Limit> limits{parse_limit("latency.p50=20ms"), parse_limit("cosine=0.9")};
  const std::vector<Measured> measured{{"latency.p50", 0.02, "150 runs"},
                                       {"cosine", 0.95, "output 'y'"}};
  const auto rows = judge(limits, measured);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_TRUE(rows[0].holds);
  EXPECT_EQ(rows[0].value, 0.02);
  EXPECT_EQ(rows[0].source, "150 runs");
  EXPECT_TRUE(rows[1].holds);
  EXPECT_TRUE(holds(rows));
}

TEST(Gate, FailsWhenOneRowDoes) {
  const std::vector<Limit> limits{parse_limit("latency.p50=20ms"), parse_limit("size=1MiB")};
  const std::vector<Measured> measured{{"latency.p50", 0.01, ""}, {"size", 1048577, ""}};
  const auto rows = judge(limits, measured);
  EXPECT_TRUE(rows.at(0).holds);
  EXPECT_FALSE(rows.at(1).holds);
  EXPECT_FALSE(holds(rows));
}

TEST(Gate, MetricThatWasNotMeasuredDoesNotHold) {
  const std::vector<Limit> limits{parse_limit("text=0.5")};
  const auto rows = judge(limits, {});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_FALSE(rows[0].holds);
  EXPECT_FALSE(rows[0].value.has_value());
  EXPECT_EQ(rows[0].source, "not measured");
  EXPECT_FALSE(holds(rows));
}

TEST(Gate, JudgesTheWorstOfSeveralValues) {
  const std::vector<Limit> limits{parse_limit("cosine=0.9"), parse_limit("max_abs=1")};
  const std::vector<Measured> measured{{"cosine", 0.99, "output 'a'"},
                                       {"cosine", 0.8, "output 'b'"},
                                       {"max_abs", 0.5, "output 'a'"},
                                       {"max_abs", 2, "output 'b'"}};
  const auto rows = judge(limits, measured);
  EXPECT_EQ(rows.at(0).value, 0.8);
  EXPECT_EQ(rows.at(0).source, "output 'b'");
  EXPECT_FALSE(rows.at(0).holds);
  EXPECT_EQ(rows.at(1).value, 2);
}

TEST(Gate, NanIsTheWorstAndNeverHolds) {
  const std::vector<Limit> limits{parse_limit("max_abs=inf")};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Measured> measured{{"max_abs", nan, "output 'a'"},
                                       {"max_abs", 1, "output 'b'"}};
  const auto rows = judge(limits, measured);
  EXPECT_EQ(rows.at(0).source, "output 'a'");
  EXPECT_FALSE(rows.at(0).holds);
}

TEST(Gate, WithoutLimitsHolds) { EXPECT_TRUE(holds(judge({}, {}))); }

TEST(MeasuredValues, HaveTheNamesOfTheBenchMetrics) {
  Result result;
  result.size_bytes = 100;
  result.processes = 3;
  result.runs = 150;
  for (const Measured& one : measured_values(result))
    EXPECT_NE(metrics::find_metric(one.metric), nullptr) << one.metric;
  EXPECT_EQ(measured_values(result).size(), 6U);
  result.size_bytes = 0;  // unknown is not zero
  EXPECT_EQ(measured_values(result).size(), 5U);
}

}  // namespace
}  // namespace ingot::bench
