// SPDX-License-Identifier: Apache-2.0
#include "metrics/agreement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "metrics/ctc.h"
#include "tests/support/expect_error.h"

namespace ingot::metrics {
namespace {

using test::expect_error;
using ::testing::ElementsAre;

Tensor floats(Shape shape, const std::vector<float>& values) {
  return Tensor::of<float>(std::move(shape), values);
}

/// One-hot [steps, classes] for the given winners.
Tensor steps(const std::vector<int>& winners, std::int64_t classes) {
  std::vector<float> values(winners.size() * static_cast<std::size_t>(classes), 0.0F);
  for (std::size_t i = 0; i < winners.size(); ++i) {
    values[i * static_cast<std::size_t>(classes) + static_cast<std::size_t>(winners[i])] = 1;
  }
  return floats({static_cast<std::int64_t>(winners.size()), classes}, values);
}

TEST(Ctc, CollapsesRepeatsThenRemovesBlanks) {
  EXPECT_THAT(ctc_collapse(steps({0, 1, 1, 0, 1, 2, 2, 0}, 3).view(), 0), ElementsAre(1, 1, 2));
  EXPECT_THAT(ctc_collapse(steps({0, 1, 1, 0, 1, 2, 2, 0}, 3).view(), 2),
              ElementsAre(0, 1, 0, 1, 0));
}

TEST(Ctc, TiesGoToTheLowestIndexAndNanLoses) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(ctc_collapse(floats({3, 3}, {0, 5, 5, nan, 1, 0, nan, nan, nan}).view(), 0),
              ElementsAre(1));
  EXPECT_THAT(ctc_collapse(floats({2, 2}, {nan, -1, 0, nan}).view(), 7), ElementsAre(1, 0));
}

TEST(Ctc, ReadsEveryLineOfABatchApart) {
  const auto lines = ctc_collapse_batch(floats({2, 2, 2}, {0, 1, 0, 1, 1, 0, 0, 1}).view(), 0);
  EXPECT_THAT(lines, ElementsAre(ElementsAre(1), ElementsAre(1)));
}

TEST(Ctc, RefusesWhatHasNoSteps) {
  expect_error(Code::kInput,
               "a ctc output of type float32 and shape [3]; wanted float [steps,classes] or "
               "[lines,steps,classes]",
               [] { ctc_collapse(floats({3}, {1, 2, 3}).view(), 0); });
  expect_error(Code::kInput, "a ctc output of 2 lines; wanted 1",
               [] { ctc_collapse(floats({2, 1, 1}, {1, 2}).view(), 0); });
}

TEST(Agreement, Top1CountsRowsOfTheLastAxis) {
  Agreement agreement;
  add_top1(agreement, floats({2, 2, 2}, {1, 2, 3, 1, 5, 5, 0, 1}).view(),
           floats({2, 2, 2}, {0, 9, 1, 3, 5, 5, 0, 1}).view());
  EXPECT_EQ(agreement.count(), 4);
  EXPECT_EQ(agreement.share(), 0.75);
}

TEST(Agreement, TextComparesWholeLines) {
  Agreement agreement;
  add_text(agreement, steps({1, 1, 0, 2}, 3).view(), steps({1, 0, 0, 2}, 3).view(), 0);
  add_text(agreement, steps({1, 1, 0, 2}, 3).view(), steps({1, 0, 1, 2}, 3).view(), 0);
  EXPECT_EQ(agreement.share(), 0.5);
}

TEST(Agreement, NothingCountedHasNoShare) { EXPECT_EQ(Agreement().share(), std::nullopt); }

TEST(Agreement, MergeEqualsTheSinglePass) {
  Agreement left, right, whole;
  for (const bool agrees : {true, false, true}) whole.add(agrees);
  left.add(true);
  right.add(false);
  right.add(true);
  left.merge(right);
  EXPECT_EQ(left.share(), whole.share());
  EXPECT_EQ(left.hits(), 2);
}

TEST(Unequal, FindsTheFirstOfAnyType) {
  const Tensor a = Tensor::of<std::int64_t>({3}, std::vector<std::int64_t>{1, 2, 3});
  const Tensor b = Tensor::of<std::int64_t>({3}, std::vector<std::int64_t>{1, 5, 4});
  EXPECT_EQ(count_unequal(a.view(), a.view()).count, 0);
  EXPECT_EQ(count_unequal(a.view(), b.view()).count, 2);
  EXPECT_EQ(count_unequal(a.view(), b.view()).first, 1);
}

TEST(Unequal, ComparesStringsByTheirText) {
  Tensor a = Tensor::zeros(DType::kString, {2}), b = a;
  b.strings[1] = "x";
  EXPECT_EQ(count_unequal(a.view(), b.view()).first, 1);
}

TEST(Unequal, IgnoresTheUnusedHalfOfTheLastByte) {
  Tensor a = Tensor::zeros(DType::kInt4, {3}), b = a;
  b.bytes[1] = std::byte{0xf0};
  EXPECT_EQ(count_unequal(a.view(), b.view()).count, 0);
  b.bytes[0] = std::byte{0x10};
  EXPECT_EQ(count_unequal(a.view(), b.view()).first, 1);
}

}  // namespace
}  // namespace ingot::metrics
