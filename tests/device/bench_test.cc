// SPDX-License-Identifier: Apache-2.0
// The measurement of the built ingot-run: what its JSON promises (docs/formats/run-bench.md), and
// that a signal ends it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

#include <csignal>
#include <thread>

#include "base/json.h"
#include "bench/run_document.h"
#include "data/npz.h"
#include "tests/device/lines_bundle.h"

extern char** environ;

namespace ingot::device {
namespace {

TEST(Bench, OfABundleIsVerifiedAndComplete) {
  TempDir folder;
  const manifests::PackOptions options = lines_options(folder.path(), INGOT_TEST_RUNTIME);
  const std::string id = manifests::pack(options).bundle_id;
  const std::string line = write_line(folder.path() / "line.png", {1, 2}).string();
  const bench::ProcessEnd end = ingot_run({"bench", options.destination.string(), "--input", line,
                                           line, "--runs", "7", "--warmup", "1", "--json"});
  ASSERT_EQ(end.exit_status, 0) << end.errors;
  const Json json = Json::parse(end.output);
  EXPECT_EQ(json.at("verified"), true);
  EXPECT_EQ(json.at("bundle").at("id"), id);
  EXPECT_EQ(json.at("inputs"), "data");
  EXPECT_EQ(json.at("samples"), 2);
  EXPECT_EQ(json.at("latency_ns").size(), 7U);
  EXPECT_EQ(json.at("decode_ns").size(), 7U);
  EXPECT_EQ(json.at("preprocess_ns").size(), 7U);
  EXPECT_GT(json.at("verify_ns"), 0);
  EXPECT_EQ(json.at("cold_start_ns"), json.at("verify_ns").get<std::int64_t>() +
                                          json.at("runtime_load_ns").get<std::int64_t>() +
                                          json.at("load_ns").get<std::int64_t>() +
                                          json.at("first_ns").get<std::int64_t>());
  EXPECT_GT(json.at("memory").at("peak_after_load_bytes"), 1000000);
  EXPECT_GE(json.at("memory").at("peak_bytes"), json.at("memory").at("peak_after_load_bytes"));
  EXPECT_EQ(bench::parse_run_document(end.output, "ingot-run").latency_seconds.size(), 7U);
}

TEST(Bench, OfAPlainModelSaysThatNothingWasVerified) {
  TempDir folder;
  lines_options(folder.path(), INGOT_TEST_RUNTIME);
  const std::vector<std::string> words{
      "bench",     "--model",          (folder.path() / "lines.onnx").string(),
      "--runtime", INGOT_TEST_RUNTIME, "--runs=2"};
  std::vector<std::string> with_json = words;
  with_json.push_back("--json");
  const bench::ProcessEnd end = ingot_run(with_json);
  ASSERT_EQ(end.exit_status, 0) << end.errors;
  const Json json = Json::parse(end.output);
  EXPECT_EQ(json.at("verified"), false);
  EXPECT_EQ(json.at("bundle"), nullptr);
  EXPECT_EQ(json.at("inputs"), "generated");
  EXPECT_EQ(json.at("verify_ns"), 0);
  EXPECT_NE(ingot_run(words).output.find("(unverified)"), std::string::npos);
}

TEST(Bench, TakesTheBuildMachinesData) {
  TempDir folder;
  lines_options(folder.path(), INGOT_TEST_RUNTIME);
  for (const char* name : {"a.npz", "b.npz", "c.npz"}) {
    data::write_npz(folder.path() / name, {{"x", Tensor::zeros(DType::kFloat, {1, 1, 3, 4})}});
  }
  const bench::ProcessEnd end =
      ingot_run({"bench", "--model", (folder.path() / "lines.onnx").string(), "--runtime",
                 INGOT_TEST_RUNTIME, "--data", folder.path().string(), "--runs", "2", "--json"});
  ASSERT_EQ(end.exit_status, 0) << end.errors;
  EXPECT_EQ(Json::parse(end.output).at("samples"), 3);
}

TEST(Bench, ASignalEndsIt) {
  TempDir folder;
  lines_options(folder.path(), INGOT_TEST_RUNTIME);
  const std::string model = (folder.path() / "lines.onnx").string(),
                    output = (folder.path() / "output").string();
  std::vector<std::string> words{INGOT_RUN,          "bench",  "--model", model,      "--runtime",
                                 INGOT_TEST_RUNTIME, "--runs", "1000000", "--warmup", "1000000"};
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 2, output.c_str(), O_WRONLY | O_CREAT, 0600);
  pid_t child = 0;
  ASSERT_EQ(posix_spawn(&child, INGOT_RUN, &actions, nullptr, pointers.data(), environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  // Once the runtime is mapped, the handlers have long been installed.
  const std::string maps = "/proc/" + std::to_string(child) + "/maps";
  while (bytes_of(maps).find("libonnxruntime") == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  kill(child, SIGINT);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130) << bytes_of(output);
}

}  // namespace
}  // namespace ingot::device
