// SPDX-License-Identifier: Apache-2.0
#include "verify/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/json.h"
#include "tests/support/expect_error.h"
#include "verify/row_json.h"
#include "verify/tolerance.h"

namespace ingot::verify {
namespace {

using test::expect_error;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<runtime::ValueInfo> kOneFloat{{"y", DType::kFloat, {-1, 2}, true}};

Tensor floats(Shape shape, const std::vector<float>& values) {
  return Tensor::of<float>(std::move(shape), values);
}

OutputRow compare(const Tensor& a, const Tensor& b) {
  Comparison comparison({{"y", a.dtype, a.shape, true}});
  comparison.add("s", std::vector<Tensor>{a}, std::vector<Tensor>{b});
  return comparison.rows().front();
}

std::vector<std::string> default_violations(const OutputRow& row) {
  return violations(row, default_tolerance());
}

TEST(Comparison, MetricsCoverAllSamplesTogether) {
  Comparison comparison(kOneFloat);
  comparison.add("a", std::vector{floats({1, 2}, {10, 0})}, std::vector{floats({1, 2}, {10, 1})});
  comparison.add("b", std::vector{floats({1, 2}, {0, 2})}, std::vector{floats({1, 2}, {0, 5})});
  const OutputRow row = comparison.rows().front();
  EXPECT_EQ(row.samples, 2U);
  EXPECT_EQ(row.elements, 4);
  EXPECT_EQ(row.value("max_abs"), 3);
  EXPECT_EQ(row.value("mean_abs"), 1);
  EXPECT_EQ(row.value("max_rel"), 0.3);
  EXPECT_EQ(row.value("top1"), 1);
  EXPECT_EQ(row.value("text"), std::nullopt);
}

TEST(Comparison, TellsWhereTheLargestErrorIs) {
  Comparison comparison(kOneFloat);
  comparison.add("a", std::vector{floats({2, 2}, {0, 0, 0, 1})},
                 std::vector{floats({2, 2}, {0, 0, 4, 1})});
  comparison.add("b", std::vector{floats({1, 2}, {0, 2})}, std::vector{floats({1, 2}, {0, 3})});
  const OutputRow row = comparison.rows().front();
  ASSERT_TRUE(row.largest_error);
  EXPECT_EQ(row.largest_error->sample, "a");
  EXPECT_THAT(row.largest_error->index, ElementsAre(1, 0));
  EXPECT_EQ(row.largest_error->candidate, 4);
  EXPECT_EQ(row.worst_sample, "a");
  EXPECT_EQ(row.worst_sample_rel_l2, 4);
}

TEST(Comparison, MergeEqualsTheSinglePass) {
  const std::vector<Tensor> a{floats({1, 2}, {1, 2})}, b{floats({1, 2}, {1.5, 2})},
      c{floats({1, 2}, {3, 9})};
  Comparison whole(kOneFloat), left(kOneFloat), right(kOneFloat);
  whole.add("1", a, b);
  whole.add("2", a, c);
  left.add("1", a, b);
  right.add("2", a, c);
  left.merge(right);
  EXPECT_EQ(rows_json(left.rows()), rows_json(whole.rows()));
}

TEST(Comparison, ReadsTextOnlyWhereItIsDeclared) {
  Comparison comparison(kOneFloat, {{"", data::OutputKind::kCtc, {"", "a"}, 0}});
  comparison.add("1", std::vector{floats({2, 2}, {0, 1, 1, 0})},
                 std::vector{floats({2, 2}, {0, 1, 0, 1})});
  comparison.add("2", std::vector{floats({2, 2}, {0, 1, 1, 0})},
                 std::vector{floats({2, 2}, {1, 0, 1, 0})});
  EXPECT_EQ(comparison.rows().front().value("text"), 0.5);
}

TEST(Comparison, RefusesAMeaningOfAnUnknownOutput) {
  expect_error(Code::kInput, "the data declares output 'z', which the model does not have",
               [] { Comparison(kOneFloat, {{"z", data::OutputKind::kCtc, {}, 0}}); });
}

TEST(Comparison, OtherShapeIsAFindingAndAViolation) {
  const OutputRow row = compare(floats({1, 2}, {1, 2}), floats({2, 1}, {1, 2}));
  EXPECT_FALSE(row.comparable());
  EXPECT_THAT(default_violations(row),
              ElementsAre("output 'y': shape [2,1], wanted [1,2] (sample 's')"));
}

TEST(Comparison, OtherTypeIsAFindingAndAViolation) {
  const OutputRow row =
      compare(Tensor::zeros(DType::kInt64, {2}), Tensor::zeros(DType::kInt32, {2}));
  EXPECT_THAT(default_violations(row),
              ElementsAre("output 'y': type int32, wanted int64 (sample 's')"));
}

TEST(Tolerance, DefaultIsAThousandthOfTheLargestReference) {
  EXPECT_THAT(default_violations(compare(floats({2}, {1000, 0}), floats({2}, {1000, 1}))),
              IsEmpty());
  EXPECT_THAT(default_violations(compare(floats({2}, {1000, 0}), floats({2}, {1000, 1.5}))),
              ElementsAre("output 'y': max_rel 0.0015, wanted max_rel<=0.001; largest error in "
                          "sample 's' at [1]: 1.5, wanted 0"));
}

TEST(Tolerance, TinyOutputsAreJudgedByTheirOwnSize) {
  EXPECT_FALSE(default_violations(compare(floats({1}, {1e-9F}), floats({1}, {2e-9F}))).empty());
  EXPECT_THAT(
      default_violations(compare(floats({2}, {1e-30F, 1e30F}), floats({2}, {1e-30F, 1e30F}))),
      IsEmpty());
}

TEST(Tolerance, NanInOneOnlyIsOutside) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(default_violations(compare(floats({2}, {nan, 1}), floats({2}, {nan, 1}))), IsEmpty());
  EXPECT_THAT(default_violations(compare(floats({2}, {nan, 1}), floats({2}, {0, 1}))),
              ElementsAre("output 'y': NaN or infinity in one only, 1 of 2 values; sample 's' at "
                          "[0]: 0, wanted nan"));
}

TEST(Tolerance, OtherTypesHaveToBeExact) {
  const auto ints = [](std::int64_t last) {
    return Tensor::of<std::int64_t>({2}, std::vector<std::int64_t>{1, last});
  };
  EXPECT_THAT(default_violations(compare(ints(2), ints(2))), IsEmpty());
  EXPECT_THAT(
      default_violations(compare(ints(2), ints(3))),
      ElementsAre("output 'y': 1 of 2 int64 values differ; sample 's' at [1]: 3, wanted 2"));
  Tensor text = Tensor::zeros(DType::kString, {1}), other = text;
  other.strings[0] = "b";
  EXPECT_THAT(default_violations(compare(text, other)),
              ElementsAre("output 'y': 1 of 1 string values differ; sample 's' at [0]"));
}

TEST(Tolerance, EmptyOutputsAreEqual) {
  EXPECT_THAT(default_violations(compare(floats({0}, {}), floats({0}, {}))), IsEmpty());
}

TEST(Tolerance, NamedLimitsReplaceTheDefault) {
  const OutputRow row = compare(floats({2}, {1, 0}), floats({2}, {1, 0.01F}));
  const std::vector<metrics::Limit> cosine{metrics::parse_limit("cosine=0.99")};
  EXPECT_THAT(violations(row, cosine), IsEmpty());
  EXPECT_TRUE(meets(row, cosine.front()));
  EXPECT_FALSE(meets(row, metrics::parse_limit("max_abs=0.001")));
}

TEST(Tolerance, LimitOnAnUnmeasuredMetricIsUsage) {
  const std::vector<OutputRow> rows{compare(floats({2}, {1, 0}), floats({2}, {1, 0}))};
  expect_error(Code::kUsage, "limit 'text>=0.9': no output has 'text'",
               [&] { require_measured(rows, std::vector{metrics::parse_limit("text=0.9")}); });
  require_measured(rows, std::vector{metrics::parse_limit("top1=0.9")});
}

TEST(RowJson, ReadsBackWhatItWrote) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const OutputRow row = compare(floats({2, 2}, {1, nan, 3, 4}), floats({2, 2}, {1, 2, 3, 4}));
  const auto document = row_json(row);
  EXPECT_EQ(document["metrics"]["sqnr"], "inf");
  EXPECT_EQ(document["first_unlike"]["reference"], "nan");
  EXPECT_EQ(row_json(row_from_json(Json(document))), document);
}

}  // namespace
}  // namespace ingot::verify
