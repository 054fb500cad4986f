// SPDX-License-Identifier: Apache-2.0
// All stages on a small model, with the real runtime.
#include "pipeline/build.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "manifests/integrity.h"
#include "tests/pipeline/small_project.h"
#include "tests/support/expect_error.h"

namespace ingot::pipeline {
namespace {

namespace fs = std::filesystem;
using test::expect_error;
using test::SmallProject;

BuildOptions small_options() {
  BuildOptions options;
  options.runtime = INGOT_TEST_RUNTIME;
  options.executable = INGOT_TEST_INGOT;
  options.runner = INGOT_TEST_RUNNER;
  options.ingot_version = "0.1.0";
  options.bench_processes = 1;
  options.bench_runs = 2;
  return options;
}

BuildResult run(const fs::path& project, const BuildOptions& options = small_options()) {
  RecordingReporter reporter;
  return build(read_project(project), options, reporter);
}

/// Names in a folder, sorted.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

constexpr const char* kLimits =
    "cosine = 0.99\n\"size.ratio\" = 0.5\n\"memory.peak\" = \"8GiB\"\n\"latency.p95\" = \"60s\"";

TEST(Build, ThatHoldsItsLimitsLeavesASoundBundleAndNothingElse) {
  const SmallProject small;
  const BuildResult result = run(small.project(kLimits));
  EXPECT_TRUE(result.accepted) << result.text;
  EXPECT_FALSE(result.up_to_date);
  const Json json = Json::parse(result.json);
  EXPECT_EQ(json["verdict"], "every limit holds");
  EXPECT_EQ(json["gate"].size(), 4U);
  EXPECT_LT(json["size_bytes"]["quantized"].get<int>(),
            json["size_bytes"]["original"].get<int>() / 2);
  std::string stages;
  for (const Json& stage : json["stages"]) stages += stage["stage"].get<std::string>() + " ";
  EXPECT_EQ(stages, "convert quantize verify bench gate pack check ");

  manifests::Bundle bundle(small.bundle());
  EXPECT_TRUE(bundle.check().empty());
  EXPECT_EQ(bundle.manifest().bundle_id, json["bundle"]["id"]);
  EXPECT_EQ(bundle.manifest().name, "small");
  EXPECT_EQ(bundle.manifest().model.source_sha256, json["made_from"]["source_sha256"]);
  EXPECT_EQ(bundle.manifest().model.quantization->plan_sha256, json["plan_sha256"]);
  EXPECT_EQ(bundle.manifest().find("report/plan.json")->sha256, json["plan_sha256"]);
  EXPECT_EQ(names_in(small.path()),
            (std::vector<std::string>{"calib", "eval", "ingot.toml", "model.onnx", "out"}));
  EXPECT_EQ(names_in(small.path() / "out"), std::vector<std::string>{"small"});
}

TEST(Build, ASecondOneHasNothingToDoUntilAnInputChanges) {
  const SmallProject small;
  const BuildResult first = run(small.project(kLimits));
  const auto written = fs::last_write_time(small.bundle() / "manifest.json");
  const BuildResult second = run(small.path() / "ingot.toml");
  EXPECT_TRUE(second.accepted);
  EXPECT_TRUE(second.up_to_date);
  EXPECT_EQ(fs::last_write_time(small.bundle() / "manifest.json"), written);
  EXPECT_EQ(Json::parse(second.json)["bundle"], Json::parse(first.json)["bundle"]);

  small.write_samples("eval", 6, 300);
  expect_error(Code::kUsage,
               "'" + small.bundle().string() +
                   "' exists already and was made from something else: the evaluation data changed",
               [&] { run(small.path() / "ingot.toml"); });
  BuildOptions forced = small_options();
  forced.overwrite = Overwrite::kYes;
  EXPECT_FALSE(run(small.path() / "ingot.toml", forced).up_to_date);
  EXPECT_TRUE(run(small.path() / "ingot.toml").up_to_date);

  const fs::path report = small.bundle() / "report" / "build.txt";
  test::write_bytes(report, test::read_bytes(report) + "!");
  EXPECT_THROW(run(small.path() / "ingot.toml"), Error);
}

TEST(Build, BelowALimitPacksNothingAndKeepsTheOldBundle) {
  const SmallProject small;
  const BuildResult result = run(small.project("cosine = 0.9\nsize = \"1kB\""));
  EXPECT_FALSE(result.accepted);
  EXPECT_EQ(Json::parse(result.json)["verdict"],
            "gate: 1 of 2 limits do not hold; nothing was packed");
  EXPECT_NE(result.text.find("  FAILS  size<=1000 B "), std::string::npos) << result.text;
  EXPECT_FALSE(fs::exists(small.path() / "out"));

  ASSERT_TRUE(run(small.project(kLimits)).accepted);
  const std::string manifest = test::read_bytes(small.bundle() / "manifest.json");
  BuildOptions forced = small_options();
  forced.overwrite = Overwrite::kYes;
  EXPECT_FALSE(run(small.project("size = \"1kB\""), forced).accepted);
  EXPECT_EQ(test::read_bytes(small.bundle() / "manifest.json"), manifest);
}

TEST(Build, ALimitThatWasNotMeasuredFails) {
  const SmallProject small;
  const BuildResult result = run(small.project("text = 0.1"));
  EXPECT_FALSE(result.accepted);
  EXPECT_EQ(Json::parse(result.json)["gate"][0]["source"], "not measured");
  EXPECT_FALSE(fs::exists(small.path() / "out"));
}

TEST(Build, ARedLineThatDoesNotHoldEndsIt) {
  const SmallProject small;
  const BuildResult result =
      run(small.project("cosine = 0.5", "scheme = \"int8\"\nmin = [\"sqnr=200\"]\nsearch = false"));
  EXPECT_FALSE(result.accepted);
  const Json json = Json::parse(result.json);
  EXPECT_EQ(json["verdict"], "quantize: refused: below the red line; nothing was written");
  EXPECT_FALSE(json.contains("bench"));
  EXPECT_EQ(json["gate"][0]["source"], "not measured");
  EXPECT_EQ(json["red_line"][0]["holds"], false);
  EXPECT_EQ(names_in(small.path()),
            (std::vector<std::string>{"calib", "eval", "ingot.toml", "model.onnx"}));
}

TEST(Build, KeepsItsIntermediateFilesWhereItIsTold) {
  const SmallProject small;
  BuildOptions options = small_options();
  options.work = small.path() / "work";
  EXPECT_TRUE(run(small.project(kLimits), options).accepted);
  EXPECT_EQ(names_in(options.work), (std::vector<std::string>{"converted.onnx", "model.onnx"}));
  options.overwrite = Overwrite::kYes;
  expect_error(Code::kUsage, "the work folder '" + options.work.string() + "' is not empty",
               [&] { run(small.path() / "ingot.toml", options); });
}

TEST(Build, ModelAndPlanHaveTheSameBytesForAnyNumberOfThreads) {
  const SmallProject small;
  BuildOptions options = small_options();
  options.threads = 1;
  ASSERT_TRUE(run(small.project(kLimits), options).accepted);
  const std::string model = test::read_bytes(small.bundle() / "model" / "model.onnx");
  const std::string plan = test::read_bytes(small.bundle() / "report" / "plan.json");
  options.threads = 2;
  options.overwrite = Overwrite::kYes;
  ASSERT_TRUE(run(small.path() / "ingot.toml", options).accepted);
  EXPECT_EQ(test::read_bytes(small.bundle() / "model" / "model.onnx"), model);
  EXPECT_EQ(test::read_bytes(small.bundle() / "report" / "plan.json"), plan);
}

}  // namespace
}  // namespace ingot::pipeline
