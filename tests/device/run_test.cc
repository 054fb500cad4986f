// SPDX-License-Identifier: Apache-2.0
// The built ingot-run on a small bundle with the real ONNX Runtime.
#include <gtest/gtest.h>

#include "base/json.h"
#include "base/parallel.h"
#include "data/npz.h"
#include "runtime/session.h"
#include "tests/device/lines_bundle.h"

namespace ingot::device {
namespace {

class Run : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TempDir;
    options_ = new manifests::PackOptions(lines_options(folder_->path(), INGOT_TEST_RUNTIME));
    id_ = new std::string(manifests::pack(*options_).bundle_id);
  }
  static void TearDownTestSuite() {
    delete folder_;
    delete options_;
    delete id_;
  }

  static fs::path at(const std::string& name) { return folder_->path() / name; }
  static std::string bundle() { return options_->destination.string(); }
  /// Packs with other options beside the shared bundle.
  static std::string pack(const std::string& name, manifests::PackOptions options) {
    options.destination = at(name);
    manifests::pack(options);
    return options.destination.string();
  }

  static TempDir* folder_;
  static manifests::PackOptions* options_;
  static std::string* id_;
};
TempDir* Run::folder_ = nullptr;
manifests::PackOptions* Run::options_ = nullptr;
std::string* Run::id_ = nullptr;

TEST_F(Run, ReadsAPictureWithTheBundlesOwnFiles) {
  const std::string line = write_line(at("line.png"), {1, 1, 0, 2, 0, 2}).string();
  const bench::ProcessEnd end = ingot_run({"run", bundle(), "--input", line});
  EXPECT_EQ(end.exit_status, 0) << end.errors;
  EXPECT_EQ(end.output, "abb\n");
  EXPECT_EQ(end.errors, "");
}

TEST_F(Run, LeavesNothingInTheFoldersOfTheUser) {
  const std::string line = write_line(at("quiet.png"), {1}).string();
  const TempDir home;
  for (const char* name : {"HOME", "TMPDIR", "XDG_CACHE_HOME"})
    ::setenv(name, home.path().c_str(), 1);
  EXPECT_EQ(ingot_run({"run", bundle(), "--input", line}).exit_status, 0);
  EXPECT_TRUE(fs::is_empty(home.path()));
  for (const char* name : {"HOME", "TMPDIR", "XDG_CACHE_HOME"}) ::unsetenv(name);
}

TEST_F(Run, SeveralPicturesAreToldApart) {
  const std::string first = write_line(at("1.png"), {1}).string(),
                    second = write_line(at("2.png"), {2, 0, 1, 0}).string();
  EXPECT_EQ(ingot_run({"run", bundle(), "--input", first, second}).output,
            first + "\ta\n" + second + "\tba\n");
}

TEST_F(Run, JsonSaysWhatRanAndWhatCameOut) {
  const std::string line = write_line(at("json.png"), {2, 1}).string();
  const bench::ProcessEnd end = ingot_run({"run", bundle(), "--input", line, "--json"});
  const Json json = Json::parse(end.output);
  EXPECT_EQ(json.at("schema"), "ingot.run.result");
  EXPECT_EQ(json.at("code"), "OK");
  EXPECT_EQ(json.at("bundle").at("id"), *id_);
  EXPECT_EQ(json.at("runtime_version"), "1.32.0");
  EXPECT_EQ(json.at("threads"), 1);
  const Json& sample = json.at("samples").at(0);
  EXPECT_EQ(sample.at("input"), line);
  EXPECT_GT(sample.at("latency_ns"), 0);
  EXPECT_GT(sample.at("preprocess_ns"), 0);
  EXPECT_EQ(
      sample.at("outputs"),
      Json::parse(
          R"([{"name":"y","datatype":"FP32","shape":[1,2,3],"min":0.0,"max":1.0,"mean":0.3333333333333333,"text":["ba"]}])"));
}

TEST_F(Run, AModelInTheRuntimesOwnFormatReadsTheSame) {
  runtime::SessionOptions session;
  session.optimized_model = at("lines.ort");
  runtime::Session(runtime::Library::open(INGOT_TEST_RUNTIME), at("lines.onnx"), session);
  manifests::PackOptions options = *options_;
  options.model.format = "ort";
  options.model.opset = 0;
  options.model_file = at("lines.ort");
  options.external_locations.clear();
  const std::string line = write_line(at("ort.png"), {1, 1, 0, 2, 0, 2}).string();
  const bench::ProcessEnd end = ingot_run({"run", pack("ort", options), "--input", line});
  EXPECT_EQ(end.exit_status, 0) << end.errors;
  EXPECT_EQ(end.output, "abb\n");
}

TEST_F(Run, NpzGoesInAndComesOut) {
  const Tensor x = Tensor::of<float>({1, 1, 3, 2}, std::vector<float>{0, 1, 2, 3, 4, 5});
  data::write_npz(at("in.npz"), {{"x", x}});
  const std::string out = at("out.npz").string();
  EXPECT_EQ(ingot_run({"run", bundle(), "--input", at("in.npz").string(), "-o", out}).exit_status,
            0);
  const auto arrays = data::read_npz(out);
  ASSERT_EQ(arrays.size(), 1U);
  const auto values = arrays.at("y").as<float>();
  EXPECT_EQ(std::vector<float>(values.begin(), values.end()),
            (std::vector<float>{0, 2, 4, 1, 3, 5}));
  const bench::ProcessEnd again =
      ingot_run({"run", bundle(), "--input", at("in.npz").string(), "-o", out});
  EXPECT_EQ(again.exit_status, 2);
  EXPECT_EQ(again.errors, "error: '" + out + "' exists already\n  hint: --force overwrites it\n");
  EXPECT_EQ(ingot_run({"run", bundle(), "--input", at("in.npz").string(), "-o", out, "--force"})
                .exit_status,
            0);
}

TEST_F(Run, OutputsWithoutAMeaningAreSummedUp) {
  manifests::PackOptions options = *options_;
  options.preprocess.clear();
  const std::string plain = pack("plain", options);
  data::write_npz(at("plain.npz"),
                  {{"x", Tensor::of<float>({1, 1, 3, 1}, std::vector<float>{-1, 2, 5})}});
  EXPECT_EQ(ingot_run({"run", plain, "--input", at("plain.npz").string()}).output,
            "y float32 [1,1,3] min -1 max 5 mean 2\n");
  const bench::ProcessEnd end = ingot_run({"run", plain, "--input", at("line.txt").string()});
  EXPECT_EQ(end.exit_status, 3);
  EXPECT_EQ(
      end.errors,
      "error: '" + at("line.txt").string() +
          "' is not an .npz file, and no preprocessing of pictures is declared\n"
          "  hint: pack the bundle with --preprocess, or give an .npz with the model's inputs\n");
}

TEST_F(Run, InputsThatDoNotFitAreNamed) {
  data::write_npz(at("wrong.npz"), {{"x", Tensor::zeros(DType::kFloat, {1, 1, 4, 2})}});
  const bench::ProcessEnd end = ingot_run({"run", bundle(), "--input", at("wrong.npz").string()});
  EXPECT_EQ(end.exit_status, 3);
  EXPECT_NE(end.errors.find("'" + at("wrong.npz").string() + "'"), std::string::npos) << end.errors;
  EXPECT_NE(end.errors.find("[1,1,4,2]"), std::string::npos) << end.errors;
  EXPECT_NE(end.errors.find("[1,1,3,?]"), std::string::npos) << end.errors;
}

TEST_F(Run, ThreadsAreClampedToTheProcessorsThereAre) {
  manifests::PackOptions options = *options_;
  options.run.intra_op_threads = 1000;
  const std::string many = pack("many", options);
  const std::string line = write_line(at("many.png"), {1}).string();
  EXPECT_EQ(Json::parse(ingot_run({"run", many, "--input", line, "--json"}).output).at("threads"),
            available_processors());
}

#ifndef INGOT_SANITIZERS
TEST_F(Run, MemoryBeyondTheCapIsAnErrorAndNoCrash) {
  manifests::PackOptions options = *options_;
  for (const std::uint64_t mib : {4, 16}) {
    options.run.hard_bytes = mib << 20;
    const std::string capped = pack("capped-" + std::to_string(mib), options);
    const std::string line = write_line(at("capped.png"), {1}).string();
    const bench::ProcessEnd end = ingot_run({"run", capped, "--input", line});
    // 4 MiB are not enough to map the library. What 16 MiB are enough for is the machine's
    // business.
    if (mib == 4) {
      EXPECT_EQ(end.exit_status, 5) << end.errors;
    }
    EXPECT_LE(end.exit_status, 6) << end.errors;
  }
}
#endif

TEST_F(Run, ABundleForAnotherMachineIsRefused) {
  std::string library = bytes_of(INGOT_TEST_RUNTIME);
  const bool on_arm = library[18] == '\xb7';
  library[18] = on_arm ? '\x3e' : '\xb7';  // e_machine: AArch64, or x86-64 there
  put(at("foreign.so"), library);
  manifests::PackOptions options = *options_;
  options.runtimes = {at("foreign.so")};
  const std::string foreign = pack("foreign", options);
  const bench::ProcessEnd end = ingot_run({"run", foreign, "--input", "x.npz"});
  EXPECT_EQ(end.exit_status, 5);
  const std::string here = on_arm ? "aarch64-linux-gnu" : "x86_64-linux-gnu",
                    there = on_arm ? "x86_64-linux-gnu" : "aarch64-linux-gnu";
  EXPECT_EQ(end.errors,
            "error: the bundle 'lines' is for '" + there + "', this machine is '" + here + "'\n");
  EXPECT_EQ(ingot_run({"check", foreign}).exit_status, 0);
}

}  // namespace
}  // namespace ingot::device
