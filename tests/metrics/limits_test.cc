// SPDX-License-Identifier: Apache-2.0
#include "metrics/limits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "tests/support/expect_error.h"

namespace ingot::metrics {
namespace {

using test::expect_error;

TEST(Limits, ReadsAPlainNumber) {
  const Limit limit = parse_limit("cosine=0.99");
  EXPECT_EQ(limit.metric->name, "cosine");
  EXPECT_EQ(limit.value, 0.99);
  EXPECT_EQ(limit.text(), "cosine>=0.99");
}

TEST(Limits, AcceptsADirectionThatAgrees) {
  EXPECT_EQ(parse_limit("max_abs<=1e-3").value, 1e-3);
  EXPECT_EQ(parse_limit("sqnr>=-3").value, -3);
}

TEST(Limits, ReadsSizesAndTimesWithTheirUnit) {
  EXPECT_EQ(parse_limit("size=6MiB").value, 6.0 * 1024 * 1024);
  EXPECT_EQ(parse_limit("latency.p95=20ms").value, 0.02);
  EXPECT_EQ(parse_limit("size=6MiB").text(), "size<=6.0 MiB");
}

TEST(Limits, HoldsOnTheBetterSideAndAtTheLimit) {
  EXPECT_TRUE(parse_limit("max_abs=1").holds(1));
  EXPECT_FALSE(parse_limit("max_abs=1").holds(1.5));
  EXPECT_TRUE(parse_limit("cosine=0.9").holds(0.9));
  EXPECT_FALSE(parse_limit("cosine=0.9").holds(0.8));
}

TEST(Limits, NanNeverHolds) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(parse_limit("max_abs=1").holds(nan));
  EXPECT_FALSE(parse_limit("cosine=-1").holds(nan));
}

TEST(Limits, ErrorsNameWhatWasSeenAndWanted) {
  const auto fails = [](const std::string& text, const std::string& message) {
    expect_error(Code::kUsage, message, [&] { parse_limit(text); });
  };
  fails("cosin=0.9", "unknown metric 'cosin'; did you mean 'cosine'?");
  fails("cosine", "limit 'cosine' has no value; wanted 'cosine=0.9'");
  fails("cosine>0.9", "limit 'cosine>0.9' has no value; wanted 'cosine=0.9'");
  fails("cosine=", "limit of 'cosine' has no value; wanted 'cosine=0.9'");
  fails("size=", "limit of 'size' has no value; wanted 'size=6MiB'");
  fails("first", "limit 'first' has no value; wanted 'first=20ms'");
  fails("cosine=high", "limit of 'cosine': 'high' is not a number");
  fails("cosine=nan", "limit of 'cosine': 'nan' is not a number");
  fails("cosine=0.9x", "limit of 'cosine': '0.9x' is not a number");
  fails("text=1.5", "limit of 'text' is 1.5; wanted 0 to 1");
  fails("max_abs=-1", "limit of 'max_abs' is -1; wanted at least 0");
  fails("cosine<=0.9",
        "limit 'cosine<=0.9' points the wrong way: more of 'cosine' is better; wanted "
        "'cosine=0.9'");
  fails("size>=6MiB",
        "limit 'size>=6MiB' points the wrong way: less of 'size' is better; wanted 'size=6MiB'");
  fails("latency.p95=20",
        "time '20' has no unit; wanted a number and a unit, such as '20ms', '1.5s' or '2min'");
}

TEST(Limits, OnlyKnownMetricsAreTaken) {
  expect_error(Code::kUsage, "unknown metric 'size'",
               [] { parse_limit("size=1MB", comparison_metrics()); });
  expect_error(Code::kUsage, "unknown metric 'cosine'",
               [] { make_limit("cosine", "1", bench_metrics()); });
}

TEST(Metrics, NamesAreUniqueAndRowsWhole) {
  std::set<std::string_view> names;
  for (const Metric& metric : all_metrics()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
    EXPECT_FALSE(metric.formula.empty()) << metric.name;
    EXPECT_LE(metric.least, metric.most) << metric.name;
    EXPECT_EQ(find_metric(metric.name), &metric);
  }
  EXPECT_EQ(comparison_metrics().size() + bench_metrics().size(), all_metrics().size());
  EXPECT_EQ(find_metric("nothing"), nullptr);
}

TEST(Metrics, BetterGoesByDirectionAndNanIsWorst) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(is_better(*find_metric("max_abs"), 1, 2));
  EXPECT_FALSE(is_better(*find_metric("cosine"), 0.1, 0.2));
  EXPECT_FALSE(is_better(*find_metric("cosine"), nan, 0));
  EXPECT_TRUE(is_better(*find_metric("cosine"), 0, nan));
  EXPECT_FALSE(is_better(*find_metric("cosine"), nan, nan));
}

}  // namespace
}  // namespace ingot::metrics
