// SPDX-License-Identifier: Apache-2.0
// Names that meet others, held against the runtime where it loads the original.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converters/clean_case.h"

namespace ingot::converters {
namespace {

using ::testing::ElementsAre;

TEST(RenameClashes, InnerNamesThatTheRuntimeTakes) {
  graph::Model model = graph::Model::from_proto(
      test::proto_of("g (float16[2] x) => (float16[2] y) { InsertedPrecisionFreeCast_x = Neg (x) "
                     "b = Softplus (InsertedPrecisionFreeCast_x) y = Exp (b) }"));
  RecordingReporter reporter;
  const CleanReport report = clean(model, {}, reporter);
  EXPECT_EQ(model.graph().node(0).output(0), "inner/InsertedPrecisionFreeCast_x");
  EXPECT_EQ(model.graph().node(1).input(0), "inner/InsertedPrecisionFreeCast_x");
  EXPECT_EQ(report.changes[0].reason, "is now 'inner/InsertedPrecisionFreeCast_x'");
}

TEST(RenameClashes, InputsAndOutputsKeepTheirsAndAreNamed) {
  graph::Model model = graph::Model::from_proto(
      test::proto_of("g (float[2] InsertedPrecisionFreeCast_x) => (float[2] y) { y = Neg "
                     "(InsertedPrecisionFreeCast_x) }"));
  RecordingReporter reporter;
  const CleanReport report = clean(model, {}, reporter);
  ASSERT_EQ(report.left.size(), 1U);
  EXPECT_EQ(report.left[0].subject, "'InsertedPrecisionFreeCast_x'");
}

TEST(RenameClashes, BodyMayUseTheNamesAroundItForItsOwn) {
  const auto result = test::clean_and_compare(test::proto_of(R"(
    g (float[2] x, bool c) => (float[2] y) <int64 n = {3}> { o = Neg (x)
      q = Loop (n, c, x) <body = b (int64 i, bool go, float[2] o) => (bool more, float[2] y) <float[2] x = {10, 20}> {
        more = Identity (go)  y = Add (o, x) }>
      y = Mul (q, o) })"));
  EXPECT_EQ(result.error, 0);
  EXPECT_EQ(result.changes("rename_clashes"), 3U);
}

}  // namespace
}  // namespace ingot::converters
