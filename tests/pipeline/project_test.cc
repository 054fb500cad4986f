// SPDX-License-Identifier: Apache-2.0
#include "pipeline/project.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/pipeline/small_project.h"
#include "tests/support/expect_error.h"

namespace ingot::pipeline {
namespace {

namespace fs = std::filesystem;
using test::expect_error;
using test::SmallProject;

constexpr std::string_view kComplete = R"([model]
source = "model.onnx"
name = "small"
version = "1.0.0"
license = "Apache-2.0"
[data]
calibration = "calib"
evaluation = "eval"
[quantize]
scheme = "int8"
keep = ["op:Softmax", "/head/*=float16"]
min = ["cosine=0.99"]
search = false
evaluations = 7
samples = 4
calibration = "minmax"
[limits]
size = "6MiB"
"latency.p95" = "20ms"
"latency.ratio" = 0.8
cosine = 0.95
[bundle]
output = "out/small-1.0.0"
files = ["eval/0.npz", "model.onnx=LICENSES/model.txt"]
)";

/// The complete file with its first `from` replaced by `to`.
fs::path edited(const SmallProject& small, std::string_view from, std::string_view to) {
  std::string text(kComplete);
  text.replace(text.find(from), from.size(), to);
  const fs::path file = small.path() / "ingot.toml";
  write_text_file(file, text);
  return file;
}

void expect_refused(std::string_view from, std::string_view to, const std::string& message) {
  static const SmallProject small;
  const fs::path file = edited(small, from, to);
  const std::string folder = small.path().string() + "/";
  std::string wanted = message;
  for (std::size_t at = wanted.find("{}"); at != std::string::npos; at = wanted.find("{}"))
    wanted.replace(at, 2, folder);
  expect_error(Code::kInput, wanted, [&] { read_project(file); });
}

TEST(Project, ReadsEverySection) {
  const SmallProject small;
  const Project project = read_project(edited(small, "[model]", "[model]"));
  EXPECT_EQ(project.source, small.path() / "model.onnx");
  EXPECT_EQ(project.name, "small");
  EXPECT_EQ(project.version, "1.0.0");
  EXPECT_EQ(project.license, "Apache-2.0");
  EXPECT_EQ(project.calibration, small.path() / "calib");
  EXPECT_EQ(project.evaluation, small.path() / "eval");
  EXPECT_EQ(project.scheme, "int8");
  ASSERT_EQ(project.keep.size(), 2U);
  EXPECT_EQ(project.keep[1].storage, quant::Storage::kFloat16);
  ASSERT_EQ(project.minimums.size(), 1U);
  EXPECT_EQ(project.minimums[0].text(), "cosine>=0.99");
  EXPECT_FALSE(project.search);
  EXPECT_EQ(project.evaluations, 7);
  EXPECT_EQ(project.samples, 4U);
  EXPECT_EQ(project.ranges, quant::CalibrationMethod::kMinMax);
  EXPECT_EQ(project.output, small.path() / "out/small-1.0.0");
  ASSERT_EQ(project.files.size(), 2U);
  EXPECT_EQ(project.files[0].name, "data/0.npz");
  EXPECT_EQ(project.files[1].name, "LICENSES/model.txt");
}

TEST(Project, HasLimitsInTheOrderOfTheMetrics) {
  const SmallProject small;
  std::string texts;
  for (const metrics::Limit& limit : read_project(edited(small, "[model]", "[model]")).limits)
    texts += limit.text() + "; ";
  EXPECT_EQ(texts, "cosine>=0.95; size<=6.0 MiB; latency.p95<=20.0 ms; latency.ratio<=0.8; ");
}

TEST(Project, ResolvesPathsAgainstItsOwnFolder) {
  const SmallProject small;
  fs::create_directory(small.path() / "sub");
  edited(small, "\"model.onnx\"", "\"../model.onnx\"");
  write_text_file(small.path() / "sub" / "ingot.toml", R"([model]
source = "../model.onnx"
name = "n"
version = "1"
[data]
calibration = "../calib"
evaluation = "../eval"
[quantize]
scheme = "int8"
[limits]
[bundle]
output = "out/"
)");
  const Project project = read_project(small.path() / "sub" / "ingot.toml");
  EXPECT_EQ(project.source, small.path() / "model.onnx");
  EXPECT_EQ(project.output, small.path() / "sub" / "out");
  EXPECT_TRUE(project.limits.empty());
}

TEST(Project, RefusesUnknownKeysWithTheNearest) {
  expect_refused(
      "evaluation =", "evaluaton =",
      "'{}ingot.toml' line 8: unknown key 'evaluaton' in [data]; did you mean 'evaluation'?");
  expect_refused("[quantize]", "[quantise]",
                 "'{}ingot.toml' line 9: unknown key 'quantise'; did you mean 'quantize'?");
  expect_refused(
      "search", "serach",
      "'{}ingot.toml' line 13: unknown key 'serach' in [quantize]; did you mean 'search'?");
}

TEST(Project, RefusesUnknownMetrics) {
  expect_refused(
      "cosine = 0.95", "cosin = 0.95",
      "'{}ingot.toml' line 21: unknown metric 'cosin' in [limits]; did you mean 'cosine'?");
  expect_refused("\"latency.p95\"", "latency.p95",
                 "'{}ingot.toml' line 19: unknown metric 'latency' in [limits]; a name with a dot "
                 "is quoted: \"latency.p50\" = …");
}

TEST(Project, RefusesLimitsItCannotRead) {
  expect_refused("cosine = 0.95", "cosine = 2",
                 "'{}ingot.toml' line 21: limit of 'cosine' is 2; wanted -1 to 1");
  expect_refused("cosine = 0.95", "cosine = true",
                 "'{}ingot.toml' line 21: 'cosine' is true, wanted a finite number");
}

TEST(Project, RefusesWhatTheSchemeDoesNotKnow) {
  expect_refused("\"int8\"", "\"int9\"",
                 "'{}ingot.toml' line 10: unknown scheme 'int9'; did you mean 'int8'?");
  expect_refused("evaluations = 7", "evaluations = 0",
                 "'{}ingot.toml' line 14: 'evaluations' is 0, wanted an integer of at least 1");
  expect_refused("min = [\"cosine=0.99\"]", "min = [\"size=1MiB\"]",
                 "'{}ingot.toml' line 12: unknown metric 'size'");
}

TEST(Project, RefusesNamesNoManifestTakes) {
  expect_refused("\"small\"", "\"a b\"",
                 "'{}ingot.toml' line 3: 'name' is 'a b', wanted 1 to 100 letters, digits, '.', "
                 "'_', '+' or '-'");
  expect_refused("version = \"1.0.0\"\n", "",
                 "'{}ingot.toml' line 1: 'version' is missing, wanted 1 to 100 letters, digits, "
                 "'.', '_', '+' or '-'");
}

TEST(Project, RefusesFilesThatAreNotThere) {
  expect_refused("\"model.onnx\"", "\"none.onnx\"",
                 "'{}ingot.toml' line 2: 'source' names '{}none.onnx', which does not exist");
  expect_refused("\"calib\"", "\"calibs\"",
                 "'{}ingot.toml' line 7: 'calibration' names '{}calibs', which does not exist");
  expect_refused("eval/0.npz", "eval/x.npz",
                 "'{}ingot.toml' line 24: 'files' names '{}eval/x.npz', which does not exist");
}

TEST(Project, RefusesPathsNoBundleTakes) {
  expect_refused("LICENSES/model.txt", "../model.txt",
                 "'{}ingot.toml' line 24: '../model.txt' cannot be a path in a bundle: a component "
                 "begins with '.'");
}

TEST(Project, ThatIsNotThereIsAnInputError) {
  expect_error(Code::kInput, "cannot open '/nowhere/ingot.toml': no such file or directory",
               [] { read_project("/nowhere/ingot.toml"); });
}

}  // namespace
}  // namespace ingot::pipeline
