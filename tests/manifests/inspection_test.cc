// SPDX-License-Identifier: Apache-2.0
#include "manifests/inspection.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "tests/manifests/small_bundle.h"
#include "tests/support/expect_error.h"

namespace ingot::manifests {
namespace {

class InspectionOfABundle : public testing::Test {
 protected:
  /// Packs the small bundle with `report` as its report.
  void pack_with(const std::string& report) {
    PackOptions options = small_options(dir_.path());
    put(dir_.path() / "in/gate.json", report);
    options.model.quantization = Quantization{"int8", std::string(64, 'a')};
    options.created = "2026-01-02T03:04:05Z";
    pack(options);
  }
  fs::path bundle() const { return dir_.path() / "out"; }

  TempDir dir_;
};

constexpr const char* kReport = R"({"schema":"ingot.build","verdict":"a limit \u001b[31mfails",
  "gate":[{"rule":"size<=1","value":0.25,"holds":true,"source":"the file"},
          {"rule":"text>=0.9","value":null,"holds":false,"source":"nothing"}]})";

TEST_F(InspectionOfABundle, TellsWhatTheManifestSays) {
  pack_with(kReport);
  const Inspection seen = inspect_bundle(bundle());
  EXPECT_EQ(seen.manifest.name, "lines");
  EXPECT_TRUE(seen.manifest_intact);
  const auto tree = tree_of(bundle());
  std::uint64_t bytes = 0;
  for (const auto& [path, content] : tree) bytes += path == "manifest.json" ? 0 : content.size();
  EXPECT_EQ(seen.total_bytes, bytes);
  ASSERT_EQ(seen.reports.size(), 1U);
  EXPECT_EQ(seen.reports[0].schema, "ingot.build");
  ASSERT_EQ(seen.reports[0].limits.size(), 2U);
  EXPECT_EQ(seen.reports[0].limits[0].value, 0.25);
  EXPECT_FALSE(seen.reports[0].limits[1].value);
}

TEST_F(InspectionOfABundle, AsTextShowsNoControlCharactersAndSaysThatNothingWasVerified) {
  pack_with(kReport);
  const std::string text = to_text(inspect_bundle(bundle()));
  for (const char* line : {": bundle lines 1.0.0\nid ", "\ncreated: 2026-01-02T03:04:05Z\n",
                           "\nmodel: model/model.onnx, opset 17, quantized as int8\n",
                           "\ninputs:\n  'x' FP32 [1,3,48,?]\noutputs:\n  'y' FP32 [1,?,4]\n",
                           "\nruntime: onnxruntime 1.99.0, for ",
                           "report 'report/gate.json': a limit \\x1b[31mfails\n",
                           "  holds   size<=1                        0.25  the file\n",
                           "  fails   text>=0.9              not measured  nothing\n",
                           "\nfiles: 8, ", "\n  model/weights.data "}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  }
  EXPECT_TRUE(text.ends_with("\nnot verified: this is what the manifest says\n")) << text;
}

TEST_F(InspectionOfABundle, AsJsonListsEveryFileWithItsDigests) {
  pack_with("{}");
  const Inspection seen = inspect_bundle(bundle());
  const Json json = Json::parse(to_json(seen));
  EXPECT_EQ(json.at("schema"), "ingot.bundle.inspect");
  EXPECT_EQ(json.at("verified"), false);
  EXPECT_EQ(json.at("bundle").at("id"), seen.manifest.bundle_id);
  EXPECT_EQ(json.at("model").at("inputs"),
            Json::parse(R"([{"name":"x","datatype":"FP32","shape":[1,3,48,-1]}])"));
  EXPECT_EQ(json.at("engine").at("version"), "1.99.0");
  ASSERT_EQ(json.at("files").size(), seen.manifest.files.size());
  EXPECT_EQ(json.at("files")[0].at("sha256"), seen.manifest.files[0].sha256);
  EXPECT_EQ(json.at("reports")[0].at("verdict"), "");
}

TEST_F(InspectionOfABundle, NeedsNoFileButTheManifest) {
  pack_with("no JSON");
  for (const auto& [path, content] : tree_of(bundle())) {
    if (path != "manifest.json") fs::remove(bundle() / path);
  }
  const Inspection seen = inspect_bundle(bundle());
  EXPECT_EQ(seen.manifest.version, "1.0.0");
  ASSERT_EQ(seen.reports.size(), 1U);
  EXPECT_EQ(seen.reports[0].schema, "");
}

TEST_F(InspectionOfABundle, SaysThatAnEditedManifestDoesNotMatchItsDigest) {
  pack_with("{}");
  std::string text = bytes_of(bundle() / "manifest.json");
  text.replace(text.find("\"opset\":17"), 10, "\"opset\":18");
  put(bundle() / "manifest.json", text);
  const Inspection seen = inspect_bundle(bundle());
  EXPECT_FALSE(seen.manifest_intact);
  EXPECT_NE(to_text(seen).find("\nthe manifest does not match its own digest\n"),
            std::string::npos);
}

TEST_F(InspectionOfABundle, RefusesAMalformedManifest) {
  pack_with("{}");
  const std::string path = (bundle() / "manifest.json").string();
  put(path, "[]");
  test::expect_error(Code::kInput, "'" + path + "': the document is an array, an object is wanted",
                     [&] { static_cast<void>(inspect_bundle(bundle())); });
  fs::remove(path);
  test::expect_error(Code::kInput,
                     "'" + bundle().string() + "' is not a bundle: it has no 'manifest.json'",
                     [&] { static_cast<void>(inspect_bundle(bundle())); });
}

}  // namespace
}  // namespace ingot::manifests
