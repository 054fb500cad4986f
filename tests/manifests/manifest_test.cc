// SPDX-License-Identifier: Apache-2.0
#include "manifests/manifest.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"

namespace ingot::manifests {
namespace {

const std::string kSha(64, 'a'), kXxh(32, 'b');

Manifest small_manifest() {
  Manifest manifest;
  manifest.name = "lines";
  manifest.version = "1.0.0";
  manifest.targets = {{"x86_64-linux-gnu", "2.28"}};
  manifest.engine = {"onnxruntime", "1.32.0", 32, "runtime/x86_64-linux-gnu/libonnxruntime.so.1"};
  manifest.model.main = "model/model.onnx";
  manifest.model.opset = 17;
  manifest.model.inputs = {{"x", DType::kFloat, {1, -1}}};
  manifest.model.outputs = {{"y", DType::kInt64, {1}}};
  manifest.run_config = "config/run.json";
  manifest.files = {
      {"config/run.json", 2, 0644, Role::kConfig, kSha, kXxh},
      {"model/model.onnx", 7, 0644, Role::kModel, kSha, kXxh},
      {"runtime/x86_64-linux-gnu/libonnxruntime.so.1", 9, 0644, Role::kRuntime, kSha, kXxh}};
  return manifest;
}

std::string message_of(const std::function<void()>& body, Code code = Code::kInput) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.message();
  }
  return "accepted";
}

/// What reading says after `change` was made to the JSON of the small manifest.
std::string refusal(const std::function<void(Json&)>& change, Code code = Code::kInput) {
  Json json = Json::parse(write_manifest(small_manifest()));
  change(json);
  return message_of([&] { parse_manifest(json.dump(), "m.json"); }, code);
}

std::string write_refusal(const std::function<void(Manifest&)>& change) {
  Manifest manifest = small_manifest();
  change(manifest);
  return message_of([&] { write_manifest(manifest); });
}

TEST(Manifest, IsCanonicalJson) {
  const std::string files =
      R"("files":[{"mode":"0644","path":"config/run.json","role":"config","sha256":")" + kSha +
      R"(","size":2,"xxh3_128":")" + kXxh +
      R"("},{"mode":"0644","path":"model/model.onnx","role":"model","sha256":")" + kSha +
      R"(","size":7,"xxh3_128":")" + kXxh +
      R"("},{"mode":"0644","path":"runtime/x86_64-linux-gnu/libonnxruntime.so.1","role":"runtime","sha256":")" +
      kSha + R"(","size":9,"xxh3_128":")" + kXxh + R"("}])";
  const std::string before =
      R"({"critical":[],"engine":{"api_version":32,"name":"onnxruntime","runtime":"runtime/x86_64-linux-gnu/libonnxruntime.so.1","version":"1.32.0"},)" +
      files +
      R"(,"model":{"external_data":[],"format":"onnx","inputs":[{"datatype":"FP32","name":"x","shape":[1,-1]}],"main":"model/model.onnx","opset":17,"outputs":[{"datatype":"INT64","name":"y","shape":[1]}]},)"
      R"("name":"lines","run":{"config":"config/run.json"},"schema":"ingot.bundle/1",)";
  const std::string after =
      R"("targets":[{"min_glibc":"2.28","triplet":"x86_64-linux-gnu"}],"version":"1.0.0"})";
  const std::string self = R"("self_sha256":")" + sha256_hex(before + after) + R"(",)";
  EXPECT_EQ(write_manifest(small_manifest()), before + self + after);
}

TEST(Manifest, DigestOfItselfLeavesReportsOut) {
  Manifest manifest = small_manifest();
  const std::string without = self_digest(write_manifest(manifest), "m.json").expected;
  manifest.files.insert(manifest.files.begin() + 2,
                        {"report/build.json", 5, 0644, Role::kReport, kSha, kXxh});
  const std::string text = write_manifest(manifest);
  EXPECT_EQ(self_digest(text, "m.json").expected, without);
  EXPECT_EQ(self_digest(text, "m.json").actual, without);
  manifest.files[2].role = Role::kData;
  EXPECT_NE(self_digest(write_manifest(manifest), "m.json").expected, without);
}

TEST(Manifest, EverythingIsReadBack) {
  Manifest manifest = small_manifest();
  manifest.created = "2026-11-30T12:00:00Z";
  manifest.model.external_data = {"model/w.data"};
  manifest.model.quantization = Quantization{"int8", kSha};
  manifest.model.source_sha256 = kSha;
  manifest.model.license = "Apache-2.0";
  manifest.preprocess = "preprocess/dataset.toml";
  manifest.files.insert(manifest.files.begin() + 2,
                        {"model/w.data", 5, 0644, Role::kModel, kSha, kXxh});
  manifest.files.insert(manifest.files.begin() + 3,
                        {"preprocess/dataset.toml", 5, 0644, Role::kPreprocess, kSha, kXxh});
  const std::string text = write_manifest(manifest);
  const Manifest read = parse_manifest(text, "m.json");
  EXPECT_EQ(read.created, manifest.created);
  EXPECT_EQ(read.model.quantization->scheme, "int8");
  EXPECT_EQ(read.model.license, "Apache-2.0");
  EXPECT_EQ(read.model.inputs.at(0).shape, (Shape{1, -1}));
  EXPECT_EQ(read.preprocess, "preprocess/dataset.toml");
  EXPECT_EQ(read.bundle_id, sha256_hex(text));
  EXPECT_EQ(read.find("model/w.data")->size_bytes, 5U);
  EXPECT_EQ(read.find("model"), nullptr);
  EXPECT_EQ(write_manifest(read), text);
}

TEST(Manifest, ItsDigestOfItselfFindsAChange) {
  std::string text = write_manifest(small_manifest());
  const SelfDigest whole = self_digest(text, "m.json");
  EXPECT_EQ(whole.expected, whole.actual);
  text.replace(text.find("\"lines\""), 7, "\"linet\"");
  const SelfDigest changed = self_digest(text, "m.json");
  EXPECT_EQ(changed.expected, whole.expected);
  EXPECT_NE(changed.actual, whole.actual);
}

TEST(Manifest, RuntimesOfOtherTargetsLieBesideTheFirst) {
  Manifest manifest = small_manifest();
  manifest.targets.push_back({"aarch64-linux-gnu", ""});
  EXPECT_EQ(write_refusal([&](Manifest& m) { m = manifest; }),
            "'manifest.json': 'targets' names 'runtime/aarch64-linux-gnu/libonnxruntime.so.1', "
            "which is not in 'files'");
  EXPECT_EQ(runtime_path(manifest, "aarch64-linux-gnu"),
            "runtime/aarch64-linux-gnu/libonnxruntime.so.1");
  EXPECT_EQ(runtime_path(manifest, "riscv64-linux-gnu"), "");
}

TEST(Manifest, DataTypesHaveTheProtocolsNames) {
  EXPECT_EQ(datatype_name(DType::kFloat), "FP32");
  EXPECT_EQ(datatype_name(DType::kString), "BYTES");
  EXPECT_EQ(datatype_name(DType::kBfloat16), "BF16");
  EXPECT_EQ(datatype_name(DType::kInt4), "INT4");
  EXPECT_EQ(datatype_from_name("FLOAT"), DType::kUndefined);
  for (int value = 1; value <= static_cast<int>(DType::kInt2); ++value) {
    const auto dtype = static_cast<DType>(value);
    EXPECT_EQ(datatype_from_name(datatype_name(dtype)), dtype) << value;
  }
}

TEST(Manifest, TextThatIsNotCanonicalIsRefused) {
  const std::string text = write_manifest(small_manifest());
  EXPECT_EQ(message_of([&] { parse_manifest(text + "\n", "m.json"); }),
            "'m.json' is not in canonical form (RFC 8785)");
  EXPECT_EQ(message_of([&] { parse_manifest("[]", "m.json"); }),
            "'m.json': the document is an array, an object is wanted");
  EXPECT_EQ(
      message_of([&] { parse_manifest(R"({"a":1.5})", "m.json"); }),
      "'m.json': the number 1.5 is not an integer from -9007199254740991 to 9007199254740991");
  EXPECT_EQ(message_of([&] { parse_manifest(R"({"a":9007199254740992})", "m.json"); }),
            "'m.json': the number 9007199254740992 is not an integer from -9007199254740991 to "
            "9007199254740991");
  EXPECT_EQ(message_of([&] { parse_manifest(R"({"a":1,"a":1})", "m.json"); }),
            "'m.json' line 1 column 11: key 'a' appears twice");
  EXPECT_EQ(message_of([&] { parse_manifest(std::string(1048577, ' '), "m.json"); }),
            "'m.json' has 1048577 bytes, at most 1048576 are allowed for a manifest");
}

TEST(Manifest, OtherVersionsAndCriticalMembersAreUnsupported) {
  EXPECT_EQ(refusal([](Json& m) { m["schema"] = "ingot.bundle/2"; }, Code::kUnsupported),
            "'m.json': 'schema' is 'ingot.bundle/2', this ingot knows 'ingot.bundle/1'");
  EXPECT_EQ(refusal([](Json& m) { m["schema"] = "other/1"; }),
            "'m.json': 'schema' is 'other/1', 'ingot.bundle/1' is wanted");
  EXPECT_EQ(refusal([](Json& m) { m["critical"] = {"rollback"}; }, Code::kUnsupported),
            "'m.json': the critical member \"rollback\" is not known to this ingot");
}

TEST(Manifest, NewMembersAreLeftToNewerReadersButOnlyAtTheTop) {
  EXPECT_EQ(refusal([](Json& m) { m["sequence"] = 17; }), "accepted");
  EXPECT_EQ(refusal([](Json& m) { m["engine"]["versoin"] = "1"; }),
            "'m.json': 'engine' has the unknown key 'versoin'; did you mean 'version'?");
  EXPECT_EQ(refusal([](Json& m) { m["files"][0]["checksum"] = "1"; }),
            "'m.json': 'files[0]' has the unknown key 'checksum'");
}

TEST(Manifest, MissingAndMistypedMembersAreNamed) {
  EXPECT_EQ(refusal([](Json& m) { m.erase("model"); }), "'m.json': 'model' is missing");
  EXPECT_EQ(refusal([](Json& m) { m["name"] = 3; }), "'m.json': 'name' is 3, a string is wanted");
  EXPECT_EQ(refusal([](Json& m) { m["model"]["format"] = "pte"; }),
            "'m.json': 'model.format' is 'pte', 'onnx' or 'ort' is wanted");
  EXPECT_EQ(refusal([](Json& m) { m["model"]["format"] = "ort"; }),
            "'m.json': 'model.opset' is there, but the format 'ort' has none");
  EXPECT_EQ(refusal([](Json& m) { m["files"] = "x"; }),
            "'m.json': 'files' is \"x\", an array is wanted");
  EXPECT_EQ(refusal([](Json& m) { m["files"][1]["size"] = -1; }),
            "'m.json': 'files[1].size' is -1, an integer from 0 to 9007199254740991 is wanted");
  EXPECT_EQ(refusal([](Json& m) { m["files"][1]["mode"] = "4755"; }),
            "'m.json': 'files[1].mode' is '4755', '0644' is wanted");
  EXPECT_EQ(refusal([](Json& m) { m["files"][1]["role"] = "weights"; }),
            "'m.json': 'files[1].role' is 'weights', one of config, data, license, model, "
            "preprocess, report, runtime is wanted");
  EXPECT_EQ(refusal([](Json& m) { m["model"]["inputs"][0]["datatype"] = "FLOAT"; }),
            "'m.json': 'model.inputs[0].datatype' is 'FLOAT', a type like FP32 or INT64 is wanted");
}

TEST(Manifest, FormsAreHeldByWriterAndReader) {
  EXPECT_EQ(
      write_refusal([](Manifest& m) { m.name = "a b"; }),
      "'manifest.json': 'name' is 'a b', 1 to 100 letters, digits, '.', '_', '+' or '-' is wanted");
  EXPECT_EQ(
      write_refusal([](Manifest& m) { m.created = "yesterday"; }),
      "'manifest.json': 'created' is 'yesterday', a time like 2026-11-30T12:00:00Z is wanted");
  EXPECT_EQ(write_refusal([](Manifest& m) { m.files[0].sha256 = std::string(64, 'A'); }),
            "'manifest.json': 'files.sha256' is '" + std::string(64, 'A') +
                "', 64 lower-case hex digits is wanted");
  EXPECT_EQ(write_refusal([](Manifest& m) { m.model.outputs.clear(); }),
            "'manifest.json': 'model.outputs' is empty");
  EXPECT_EQ(write_refusal([](Manifest& m) { m.model.inputs[0].shape = {-2}; }),
            "'manifest.json': 'model.inputs' gives 'x' the shape [-2], at most 16 dimensions of at "
            "least -1 are wanted");
  EXPECT_EQ(refusal([](Json& m) { m["version"] = ""; }),
            "'m.json': 'version' is '', 1 to 100 letters, digits, '.', '_', '+' or '-' is wanted");
}

TEST(Manifest, PathsAreSortedDistinctAndClean) {
  const auto with_path = [](const std::string& path, std::size_t at) {
    return write_refusal([&](Manifest& m) {
      m.files.insert(m.files.begin() + static_cast<std::ptrdiff_t>(at),
                     {path, 1, 0644, Role::kData, kSha, kXxh});
    });
  };
  EXPECT_EQ(with_path("z", 0),
            "'manifest.json': 'files' has 'config/run.json' after 'z': sorted, distinct paths are "
            "wanted");
  EXPECT_EQ(with_path("config/run.json", 1),
            "'manifest.json': 'files' has 'config/run.json' after 'config/run.json': sorted, "
            "distinct paths are wanted");
  EXPECT_EQ(with_path(".git/hooks", 0),
            "'manifest.json': 'files' has the path '.git/hooks': a component begins with '.'");
  EXPECT_EQ(with_path("Model/model.onnx", 0),
            "'manifest.json': 'files' has 'model/model.onnx', which clashes with 'Model/'");
  EXPECT_EQ(with_path("Model", 0),
            "'manifest.json': 'files' has 'model/model.onnx', which clashes with 'Model'");
  EXPECT_EQ(with_path("config/RUN.json", 0),
            "'manifest.json': 'files' has 'config/run.json', which clashes with 'config/RUN.json'");
  EXPECT_EQ(with_path("manifest.json", 1),
            "'manifest.json': 'files' has 'manifest.json', which clashes with 'manifest.json'");
}

TEST(Manifest, NamedFilesMustBeListedWithTheirRole) {
  EXPECT_EQ(write_refusal([](Manifest& m) { m.model.main = "model/other.onnx"; }),
            "'manifest.json': 'model.main' names 'model/other.onnx', which is not in 'files'");
  EXPECT_EQ(write_refusal([](Manifest& m) { m.run_config = "model/model.onnx"; }),
            "'manifest.json': 'run.config' names 'model/model.onnx', whose role is 'model', "
            "'config' is wanted");
  EXPECT_EQ(write_refusal([](Manifest& m) { m.model.external_data = {"model/w.data"}; }),
            "'manifest.json': 'model.external_data' names 'model/w.data', which is not in 'files'");
  EXPECT_EQ(write_refusal([](Manifest& m) { m.targets.clear(); }),
            "'manifest.json': 'targets' has 0 elements, 1 to 16 are wanted");
}

TEST(Manifest, AnyFlippedBitIsRefusedOrFound) {
  const std::string text = write_manifest(small_manifest());
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string changed = text;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    try {
      const SelfDigest digest = self_digest(changed, "m.json");
      EXPECT_NE(digest.expected, digest.actual) << "bit " << bit;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kInput) << "bit " << bit << ": " << error.what();
    }
  }
}

}  // namespace
}  // namespace ingot::manifests
