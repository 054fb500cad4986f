// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "base/json.h"
#include "manifests/manifest.h"
#include "tests/cli/session.h"
#include "tests/support/model_builder.h"

namespace ingot::cli {
namespace {

namespace fs = std::filesystem;
using test::Result;
using test::run;

/// A model with weights in a file of their own, and the words that pack it.
class BundleCommand : public testing::Test {
 protected:
  BundleCommand() {
    onnx::ModelProto model = test::proto_from_text(R"(
      <ir_version: 8, opset_import: ["" : 17]>
      g (float[N, 512] x) => (float[N, 512] y) { y = Add (x, w) })");
    onnx::TensorProto& weights =
        test::add_initializer(model, "w", Tensor::zeros(DType::kFloat, {512}));
    weights.clear_raw_data();
    weights.set_data_location(onnx::TensorProto::EXTERNAL);
    onnx::StringStringEntryProto& location = *weights.add_external_data();
    location.set_key("location");
    location.set_value("w.bin");
    test::write_model(model, dir_.path());
    test::write_bytes(at("w.bin"), std::string(2048, '\0'));
  }

  fs::path at(const std::string& name) const { return dir_.path() / name; }
  std::vector<std::string> pack_words(const std::string& output) const {
    return {"bundle",    "pack",  at("m.onnx").string(), "-o",    at(output).string(),
            "--name",    "lines", "--version",           "1.0.0", "--runtime",
            FAKE_RUNTIME};
  }
  Result pack(const std::string& output, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = pack_words(output);
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  manifests::Manifest manifest(const std::string& output) const {
    const fs::path path = at(output) / "manifest.json";
    return manifests::parse_manifest(test::read_bytes(path), path.string());
  }

  TempDir dir_;
};

TEST_F(BundleCommand, PacksWhatTheGraphSays) {
  test::write_bytes(at("gate.json"), "{}");
  test::write_bytes(at("notes.txt"), "hello");
  const Result result =
      pack("out", {"--report", at("gate.json").string(), "--file", at("notes.txt").string(),
                   "--file", at("notes.txt").string() + "=LICENSES/notes", "--license", "MIT",
                   "--device-threads", "2", "--device-memory", "64MiB"});
  ASSERT_EQ(result.code, 0) << result.err;
  const manifests::Manifest packed = manifest("out");
  EXPECT_EQ(packed.model.opset, 17);
  ASSERT_EQ(packed.model.inputs.size(), 1U);
  EXPECT_EQ(packed.model.inputs[0].name, "x");
  EXPECT_EQ(packed.model.inputs[0].shape, (Shape{-1, 512}));
  EXPECT_EQ(packed.model.external_data, std::vector<std::string>{"model/w.bin"});
  EXPECT_EQ(packed.model.license, "MIT");
  EXPECT_EQ(packed.created, "");
  EXPECT_NE(packed.find("data/notes.txt"), nullptr);
  EXPECT_NE(packed.find("report/gate.json"), nullptr);
  EXPECT_EQ(packed.find("LICENSES/notes")->role, manifests::Role::kLicense);
  EXPECT_EQ(
      test::read_bytes(at("out") / "config/run.json"),
      R"({"memory":{"hard_bytes":67108864},"model":{"graph_opt":"all","intra_op_threads":2,"prepack":true,"spinning":false},"schema":"ingot.run/1"})");
  EXPECT_NE(result.out.find("\nid " + packed.bundle_id + "\n"), std::string::npos) << result.out;
}

TEST_F(BundleCommand, TwoPackingsGiveTheSameManifest) {
  ASSERT_EQ(pack("a").code, 0);
  const Result second = pack("b", {"--json"});
  EXPECT_EQ(test::read_bytes(at("a") / "manifest.json"),
            test::read_bytes(at("b") / "manifest.json"));
  const Json json = Json::parse(second.out);
  EXPECT_EQ(json.at("schema"), "ingot.bundle.pack");
  EXPECT_EQ(json.at("bundle_id"), manifest("a").bundle_id);
  EXPECT_EQ(json.at("files").size(), 4U);
}

TEST_F(BundleCommand, TheTimeComesFromSourceDateEpochAlone) {
  std::ostringstream out, err;
  Io io{.out = out, .err = err};
  io.environment = [](const char* name) {
    return std::string_view(name) == "SOURCE_DATE_EPOCH" ? "86399" : nullptr;
  };
  EXPECT_EQ(run_cli(pack_words("out"), io), 0) << err.str();
  EXPECT_EQ(manifest("out").created, "1970-01-01T23:59:59Z");
  io.environment = [](const char* name) {
    return std::string_view(name) == "SOURCE_DATE_EPOCH" ? "today" : nullptr;
  };
  EXPECT_EQ(run_cli(pack_words("other"), io), 2);
  EXPECT_EQ(err.str().substr(err.str().find("error: ")),
            "error: SOURCE_DATE_EPOCH is 'today', seconds since 1970 are wanted\n");
}

TEST_F(BundleCommand, VerifyAnswersYesNoOrBadInput) {
  ASSERT_EQ(pack("out").code, 0);
  const Result good = run({"bundle", "verify", at("out").string()});
  EXPECT_EQ(good.code, 0);
  EXPECT_EQ(good.out.find("'" + at("out").string() + "' is the bundle lines 1.0.0: 4 files, "), 0U)
      << good.out;
  test::write_bytes(at("out") / "model/w.bin", std::string(2047, '\0'));
  const Result bad = run({"bundle", "verify", at("out").string(), "--json"});
  EXPECT_EQ(bad.code, 1);
  const Json json = Json::parse(bad.out);
  EXPECT_EQ(json.at("code"), "E_SIZE");
  EXPECT_EQ(
      json.at("findings"),
      Json::parse(
          R"([{"code":"E_SIZE","path":"model/w.bin","expected":"2048 bytes","actual":"2047 bytes"}])"));
  const Result none = run({"bundle", "verify", dir_.path().string()});
  EXPECT_EQ(none.code, 3);
  EXPECT_EQ(none.err,
            "error: '" + dir_.path().string() + "' is not a bundle: it has no 'manifest.json'\n");
}

TEST_F(BundleCommand, InspectShowsTheManifestAndRefusesABadOne) {
  ASSERT_EQ(pack("out", {"--license", "MIT"}).code, 0);
  test::write_bytes(at("out") / "model/w.bin", "changed");  // nothing is verified
  const Result text = run({"bundle", "inspect", at("out").string()});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_EQ(text.out.find("'" + at("out").string() + "': bundle lines 1.0.0\nid "), 0U) << text.out;
  const Result json = run({"bundle", "inspect", at("out").string(), "--json"});
  EXPECT_EQ(Json::parse(json.out).at("model").at("license"), "MIT");
  test::write_bytes(at("out") / "manifest.json", "{");
  EXPECT_EQ(run({"bundle", "inspect", at("out").string()}).code, 3);
}

TEST_F(BundleCommand, UsageFaultsAreNamed) {
  EXPECT_EQ(pack("out", {"--file", "=x"}).err,
            "error: '--file' is '=x', PATH or PATH=NAME is wanted\n");
  EXPECT_EQ(pack("out", {"--file", at("m.onnx").string() + "=runtime/x"}).err,
            "error: 'runtime/x': the folder 'runtime/' of a bundle is not for extra files\n");
  EXPECT_EQ(pack(".").code, 2);
  EXPECT_EQ(run({"bundle"}).code, 2);
  EXPECT_EQ(run({"bundle", "verfiy", "x"}).err,
            "error: unknown command 'verfiy'; did you mean 'verify'?\n  hint: see 'ingot bundle "
            "--help'\n");
  EXPECT_FALSE(fs::exists(at("out")));
}

TEST_F(BundleCommand, AMissingModelIsBadInput) {
  const Result result = run({"bundle", "pack", at("none.onnx").string(), "-o", at("out").string(),
                             "--name", "n", "--version", "1", "--runtime", FAKE_RUNTIME});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.err,
            "error: cannot open '" + at("none.onnx").string() + "': no such file or directory\n");
}

}  // namespace
}  // namespace ingot::cli
