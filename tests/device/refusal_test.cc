// SPDX-License-Identifier: Apache-2.0
// What ingot-run does not run. The bundle's library leaves a mark when it is loaded.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/hash.h"
#include "base/json.h"
#include "tests/device/lines_bundle.h"

namespace ingot::device {
namespace {

class Refusal : public testing::Test {
 protected:
  Refusal() : options_(lines_options(folder_.path(), TRAP_RUNTIME)) {
    manifests::pack(options_);
    mark_ = folder_.path() / "mark";
    setenv("INGOT_TEST_TRAP", mark_.c_str(), 1);
    write_line(folder_.path() / "line.png", {1});
  }
  ~Refusal() override { unsetenv("INGOT_TEST_TRAP"); }

  std::string bundle() const { return options_.destination.string(); }
  fs::path at(const std::string& path) const { return options_.destination / path; }
  std::vector<std::string> run_words() const {
    return {"run", bundle(), "--input", (folder_.path() / "line.png").string()};
  }
  std::vector<std::string> files() const {
    std::vector<std::string> paths;
    for (const auto& entry : fs::recursive_directory_iterator(options_.destination)) {
      if (entry.is_regular_file())
        paths.push_back(entry.path().lexically_relative(options_.destination));
    }
    std::ranges::sort(paths);
    return paths;
  }

  TempDir folder_;
  manifests::PackOptions options_;
  fs::path mark_;
};

TEST_F(Refusal, TheMarkIsLeftByAGoodBundle) {
  const bench::ProcessEnd end = ingot_run(run_words());
  EXPECT_EQ(end.exit_status, 5);
  EXPECT_NE(end.errors.find("is ONNX Runtime 1.0.0, wanted 1.21 or newer"), std::string::npos)
      << end.errors;
  EXPECT_TRUE(fs::exists(mark_));
}

TEST_F(Refusal, OneFlippedBitInAnyFileIsRefusedBeforeAnythingIsLoaded) {
  ASSERT_EQ(files().size(), 7U);
  for (const std::string& path : files()) {
    const std::size_t bit = fs::file_size(at(path)) * 8 / 2 + 1;
    flip_bit(at(path), bit);
    const bench::ProcessEnd run = ingot_run(run_words());
    EXPECT_EQ(run.exit_status, 3) << path;
    EXPECT_EQ(run.output, "");
    EXPECT_NE(run.errors.find(path), std::string::npos) << run.errors;
    EXPECT_EQ(ingot_run({"bench", bundle()}).exit_status, 3) << path;
    const bench::ProcessEnd check = ingot_run({"check", bundle()});
    EXPECT_EQ(check.exit_status, path == "manifest.json" && !check.errors.empty() ? 3 : 1) << path;
    EXPECT_NE((check.output + check.errors).find(path), std::string::npos)
        << check.output << check.errors;
    EXPECT_FALSE(fs::exists(mark_)) << path;
    flip_bit(at(path), bit);
  }
  EXPECT_EQ(ingot_run({"check", bundle()}).exit_status, 0);
}

TEST_F(Refusal, ARefusedRunNamesFileExpectedAndActual) {
  const std::string good = bytes_of(at("preprocess/symbols.txt"));
  put(at("preprocess/symbols.txt"), "a\nc\n");
  const std::string finding = "E_HASH_MISMATCH 'preprocess/symbols.txt': expected sha256 " +
                              sha256_hex(good) + ", got sha256 " + sha256_hex("a\nc\n");
  EXPECT_EQ(ingot_run(run_words()).errors,
            "error: the bundle '" + bundle() +
                "' is not what its manifest says, and was not run\n  " + finding + "\n");
  std::vector<std::string> words = run_words();
  words.push_back("--json");
  const bench::ProcessEnd end = ingot_run(words);
  EXPECT_EQ(end.output, "");
  const Json json = Json::parse(end.errors);
  EXPECT_EQ(json.at("code"), "E_HASH_MISMATCH");
  EXPECT_EQ(json.at("path"), "preprocess/symbols.txt");
  EXPECT_EQ(json.at("expected"), "sha256 " + sha256_hex(good));
  EXPECT_EQ(json.at("findings").size(), 1U);
  EXPECT_EQ(json.at("error").at("code"), "input");
  EXPECT_EQ(ingot_run({"check", bundle()}).output,
            "'" + bundle() + "' is not what its manifest says:\n  " + finding + "\n");
}

TEST_F(Refusal, CheckAnswersInJson) {
  Json json = Json::parse(ingot_run({"check", bundle(), "--json"}).output);
  EXPECT_EQ(json.at("schema"), "ingot.bundle.check");
  EXPECT_EQ(json.at("code"), "OK");
  EXPECT_EQ(json.at("files"), 6);
  EXPECT_EQ(json.at("findings"), Json::array());
  put(at("extra"), "x");
  const bench::ProcessEnd end = ingot_run({"check", bundle(), "--json"});
  EXPECT_EQ(end.exit_status, 1);
  json = Json::parse(end.output);
  EXPECT_EQ(json.at("code"), "E_FILE_EXTRA");
  EXPECT_EQ(json.at("path"), "extra");
}

TEST_F(Refusal, MissingExtraLinkedAndReModedFilesAreRefused) {
  const auto expect_refused = [&](const char* what) {
    EXPECT_EQ(ingot_run(run_words()).exit_status, 3) << what;
    EXPECT_EQ(ingot_run({"check", bundle()}).exit_status, 1) << what;
    EXPECT_FALSE(fs::exists(mark_)) << what;
  };
  put(at("model/evil.so"), "x");
  expect_refused("extra");
  fs::remove(at("model/evil.so"));
  fs::rename(at("model/lines.data"), folder_.path() / "aside");
  expect_refused("missing");
  fs::create_symlink(folder_.path() / "aside", at("model/lines.data"));
  expect_refused("link");
  fs::remove(at("model/lines.data"));
  fs::rename(folder_.path() / "aside", at("model/lines.data"));
  fs::permissions(at("model/lines.data"), fs::perms::owner_exec, fs::perm_options::add);
  expect_refused("mode");
}

TEST_F(Refusal, AMalformedManifestIsBadInputForAllCommands) {
  put(at("manifest.json"), "{");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"check", bundle()}, {"bench", bundle()}, run_words()}) {
    const bench::ProcessEnd end = ingot_run(words);
    EXPECT_EQ(end.exit_status, 3);
    EXPECT_EQ(end.errors.find("error: '" + at("manifest.json").string() +
                              "' line 1 column 2: not valid JSON"),
              0U)
        << end.errors;
  }
  EXPECT_EQ(ingot_run({"check", (folder_.path() / "none").string()}).exit_status, 3);
  EXPECT_FALSE(fs::exists(mark_));
}

TEST(Usage, IsExplained) {
  EXPECT_EQ(ingot_run({}).exit_status, 2);
  EXPECT_EQ(ingot_run({"--help"}).exit_status, 0);
  EXPECT_EQ(ingot_run({"run", "--help"}).exit_status, 0);
  const auto errors = [](const std::vector<std::string>& words) {
    const bench::ProcessEnd end = ingot_run(words);
    EXPECT_EQ(end.exit_status, 2);
    EXPECT_EQ(end.output, "");
    return end.errors;
  };
  EXPECT_EQ(
      errors({"chekc", "x"}),
      "error: unknown command 'chekc'; did you mean 'check'?\n  hint: see 'ingot-run --help'\n");
  EXPECT_EQ(errors({"check"}),
            "error: 'check' wants one bundle folder: DIR\n  hint: see 'ingot-run check --help'\n");
  EXPECT_EQ(errors({"run", "x"}),
            "error: 'run' wants inputs: --input FILE\n  hint: see 'ingot-run run --help'\n");
  EXPECT_EQ(errors({"bench", "--model", "m"}),
            "error: '--model' wants the library to run it with: --runtime FILE\n  hint: see "
            "'ingot-run bench --help'\n");
  EXPECT_EQ(
      errors({"check", "x", "--json", "--threads=0"}),
      R"({"error":{"code":"usage","message":"'--threads' is '0', an integer from 1 to 1024 is wanted","context":[],"hint":"see 'ingot-run check --help'"}})"
      "\n");
}

}  // namespace
}  // namespace ingot::device
