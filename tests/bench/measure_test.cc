// SPDX-License-Identifier: Apache-2.0
// The measuring against a shell script in ingot-run's place: what it is asked, in which order, and
// what becomes of its answers.
#include "bench/measure.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "tests/support/expect_error.h"

namespace ingot::bench {
namespace {

namespace fs = std::filesystem;
using test::expect_error;

RunDocument process(double load, std::vector<double> latencies, std::uint64_t peak_bytes) {
  RunDocument run;
  run.runtime_version = "1.32.0";
  run.inputs = "data";
  run.load_seconds = load;
  run.first_seconds = 2 * load;
  run.latency_seconds = std::move(latencies);
  run.preprocess_seconds = {0.5, 1.5};
  run.peak_bytes = peak_bytes;
  return run;
}

TEST(Summarize, PoolsLatenciesTakesMediansOfLoadsAndTheLargestMemory) {
  Subject subject;
  subject.model = "m.onnx";
  subject.size_bytes = 42;
  const Result result =
      summarize(subject, {process(1, {1, 2}, 10), process(9, {3, 4}, 30), process(2, {5}, 20)});
  EXPECT_EQ(result.subject, "m.onnx");
  EXPECT_EQ(result.size_bytes, 42U);
  EXPECT_EQ(result.processes, 3);
  EXPECT_EQ(result.runs, 5);
  EXPECT_DOUBLE_EQ(result.latency_p50, 3);
  EXPECT_DOUBLE_EQ(result.latency_p95, 4.8);
  EXPECT_DOUBLE_EQ(result.latency_least, 1);
  EXPECT_DOUBLE_EQ(result.latency_mean, 3);
  EXPECT_DOUBLE_EQ(result.preprocess_p50, 1);
  EXPECT_DOUBLE_EQ(result.load, 2);
  EXPECT_DOUBLE_EQ(result.first, 4);
  EXPECT_EQ(result.peak_bytes, 30U);
  EXPECT_EQ(result.p50_of_processes, (std::vector<double>{1.5, 3.5, 5}));
}

/// A folder with a script that plays ingot-run: it notes its arguments and answers with `document`
/// (or fails).
class FakeRunner {
 public:
  explicit FakeRunner(const std::string& body) {
    std::ofstream script(path());
    script << "#!/bin/sh\necho \"$@\" >>'" << log().string() << "'\n" << body << '\n';
    script.close();
    fs::permissions(path(), fs::perms::owner_all);
  }
  fs::path path() const { return folder_.path() / "ingot-run"; }
  fs::path log() const { return folder_.path() / "log"; }
  std::string asked() const { return read_text_file(log()); }

 private:
  TempDir folder_;
};

std::string answer(int latency_ns) {
  return fmt::format(
      R"(echo '{{"schema":"ingot.run.bench","schema_version":1,"verified":false,"bundle":null,"model":"m","runtime":"r","runtime_version":"1.32.0",)"
      R"("threads":1,"inputs":"generated","samples":1,"warmup":0,"runs":1,"verify_ns":0,"runtime_load_ns":1,"load_ns":1,"first_ns":1,)"
      R"("cold_start_ns":3,"latency_ns":[{}],"decode_ns":[0],"preprocess_ns":[0],"memory":{{"peak_bytes":7}}}}')",
      latency_ns);
}

Options options_for(const FakeRunner& runner, int processes) {
  Options options;
  options.runner = runner.path();
  options.runs = 5;
  options.warmup = 0;
  options.processes = processes;
  return options;
}

TEST(Measure, AsksForEachProcessWithItsOptions) {
  const FakeRunner runner(answer(1000));
  Options options = options_for(runner, 2);
  options.data = {"a.npz", "b.npz"};
  const Result result = measure({"", "m.onnx", "lib.so", 0}, options);
  const std::string line =
      "bench --model m.onnx --runtime lib.so --runs 5 --warmup 0 --json --threads 1 --data a.npz "
      "b.npz\n";
  EXPECT_EQ(runner.asked(), line + line);
  EXPECT_EQ(result.processes, 2);
  EXPECT_DOUBLE_EQ(result.latency_p50, 1e-6);
  EXPECT_EQ(result.peak_bytes, 7U);
}

TEST(Measure, ABundleIsNamedByItsFolder) {
  const FakeRunner runner(answer(1000));
  measure({"out/lines", "", "", 0}, options_for(runner, 1));
  EXPECT_EQ(runner.asked(), "bench out/lines --runs 5 --warmup 0 --json --threads 1\n");
}

TEST(Compare, InterleavesTheProcessesAndTakesTheMedianOfThePairs) {
  const FakeRunner runner("case \"$3\" in\na.onnx) " + answer(4000) + ";;\n*) " + answer(1000) +
                          ";;\nesac");
  const Comparison comparison =
      compare({"", "a.onnx", "r", 0}, {"", "b.onnx", "r", 0}, options_for(runner, 2));
  EXPECT_DOUBLE_EQ(comparison.latency_ratio, 0.25);
  EXPECT_EQ(comparison.ratio_of_pairs.size(), 2U);
  std::string order;
  const std::string asked = runner.asked();
  for (std::size_t at = asked.find(".onnx"); at != std::string::npos;
       at = asked.find(".onnx", at + 1))
    order += asked[at - 1];
  EXPECT_EQ(order, "abab");
}

TEST(Measure, AFailedProcessIsTheErrorItDescribes) {
  const FakeRunner runner(
      R"(echo '{"error":{"code":"environment","message":"'"'r'"' is missing","hint":""}}'; exit 5)");
  expect_error(Code::kEnvironment, "'r' is missing",
               [&] { measure({"", "m.onnx", "r", 0}, options_for(runner, 1)); });
}

TEST(Measure, RefusesNumbersOutOfRange) {
  Options options;
  options.runs = 0;
  expect_error(Code::kUsage, "the number of runs is 0; wanted at least 1",
               [&] { measure({}, options); });
  options.runs = 1;
  options.warmup = -1;
  expect_error(Code::kUsage, "the number of warm-up runs is -1; wanted at least 0",
               [&] { measure({}, options); });
}

TEST(FindRunner, IsBesideIngotOrAnEnvironmentError) {
  const FakeRunner runner("");
  EXPECT_EQ(find_runner(runner.path().parent_path() / "ingot"), runner.path());
  expect_error(Code::kEnvironment,
               "'/nowhere/ingot-run' is missing: every measurement runs in a fresh ingot-run",
               [] { find_runner("/nowhere/ingot"); });
}

TEST(ResultJson, HasSchemaAndUnits) {
  const Json json =
      Json::parse(result_json(summarize({"", "m.onnx", "r", 42}, {process(1, {1, 2}, 10)})));
  EXPECT_EQ(json["schema"], "ingot.bench");
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_TRUE(json["bundle_id"].is_null());
  EXPECT_EQ(json["latency_seconds"]["p50"], 1.5);
  EXPECT_EQ(json["memory_peak_bytes"], 10);
}

}  // namespace
}  // namespace ingot::bench
