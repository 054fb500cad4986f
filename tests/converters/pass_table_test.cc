// SPDX-License-Identifier: Apache-2.0
// The table of passes against the files it promises, and the options that choose rows.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "converters/pipeline.h"
#include "tests/support/expect_error.h"
#include "tests/support/model_builder.h"

namespace ingot::converters {
namespace {

TEST(PassTable, HasARowForEachFile) {
  std::set<std::string> rows, files;
  for (const Pass& pass : passes()) EXPECT_TRUE(rows.insert(pass.name).second) << pass.name;
  for (const auto& entry : std::filesystem::directory_iterator(INGOT_PASSES_FOLDER)) {
    if (entry.path().extension() == ".cc") files.insert(entry.path().stem().string());
  }
  EXPECT_EQ(rows, files);
}

TEST(PassTable, EveryRowSaysWhyAndWhatItNeverDoes) {
  for (const Pass& pass : passes()) {
    EXPECT_FALSE(std::string(pass.reason).empty()) << pass.name;
    EXPECT_FALSE(std::string(pass.invariant).empty()) << pass.name;
  }
}

const char* const kModel = R"(<ir_version: 8, opset_import: ["": 17]>
  g (float[2] x) => (float[2] y) { a = Identity(x) y = Abs(a) })";

TEST(PassOptions, UnknownRowIsRefusedWithTheNearest) {
  graph::Model model = test::model_from_text(kModel);
  RecordingReporter reporter;
  PassOptions options;
  options.skip = {"remove_identiy"};
  test::expect_error(Code::kUsage, "unknown pass 'remove_identiy'; did you mean 'remove_identity'?",
                     [&] { clean(model, options, reporter); });
}

TEST(PassOptions, SkippedRowDoesNothing) {
  graph::Model model = test::model_from_text(kModel);
  RecordingReporter reporter;
  PassOptions options;
  options.skip = {"remove_identity"};
  const CleanReport report = clean(model, options, reporter);
  EXPECT_EQ(report.nodes_after, 2U);
  EXPECT_EQ(report.counts.size(), passes().size() - 1);
}

TEST(PassOptions, ExactLeavesOutWhatRounds) {
  graph::Model model = test::model_from_text(kModel);
  RecordingReporter reporter;
  PassOptions options;
  options.exact = true;
  for (const PassCount& count : clean(model, options, reporter).counts) {
    for (const Pass& pass : passes()) {
      EXPECT_TRUE(count.pass != pass.name || pass.exact) << pass.name;
    }
  }
}

TEST(CleanReport, SaysWhatWasDoneToWhat) {
  graph::Model model = test::model_from_text(kModel);
  RecordingReporter reporter;
  const CleanReport report = clean(model, {}, reporter);
  EXPECT_EQ(report.nodes_before, 2U);
  EXPECT_EQ(report.nodes_after, 1U);
  EXPECT_EQ(report.rounds, 2);
  ASSERT_EQ(report.changes.size(), 1U);
  EXPECT_EQ(report.changes[0].pass, "remove_identity");
  EXPECT_EQ(report.changes[0].subject, "Identity writing 'a'");
  EXPECT_EQ(report.changes[0].reason, "only passes its input on");
}

}  // namespace
}  // namespace ingot::converters
