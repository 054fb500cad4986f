// SPDX-License-Identifier: Apache-2.0
#include "manifests/writer.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/error.h"
#include "base/hash.h"
#include "tests/manifests/small_bundle.h"

namespace ingot::manifests {
namespace {

std::string refusal(const PackOptions& options, Code code) {
  try {
    pack(options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.message();
  }
  return "packed";
}

/// The names in `folder`, hidden ones too.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

unsigned mode_of(const fs::path& path) {
  struct stat status{};
  EXPECT_EQ(lstat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777;
}

TEST(Writer, TakesTheRuntimesLicenceAndNoticesAlongWhenBothLieBesideIt) {
  TempDir folder;
  PackOptions options = small_options(folder.path());
  fs::create_directory(folder.path() / "lib");
  fs::copy(FAKE_RUNTIME, folder.path() / "lib/libonnxruntime.so.1");
  options.runtimes = {folder.path() / "lib/libonnxruntime.so.1"};
  put(folder.path() / "lib/LICENSE", "of whatever lies here");
  pack(options);
  EXPECT_FALSE(fs::exists(options.destination / "LICENSES/onnxruntime"));
  put(folder.path() / "lib/ThirdPartyNotices.txt", "notices");
  options.overwrite = Overwrite::kYes;
  const PackResult result = pack(options);
  EXPECT_EQ(bytes_of(options.destination / "LICENSES/onnxruntime/LICENSE"),
            "of whatever lies here");
  EXPECT_EQ(bytes_of(options.destination / "LICENSES/onnxruntime/ThirdPartyNotices.txt"),
            "notices");
  EXPECT_EQ(std::ranges::count(result.files, Role::kLicense, &FileEntry::role), 3);
}

TEST(Writer, AModelInTheRuntimesOwnFormatHasItsEndingAndNoOpset) {
  TempDir folder;
  PackOptions options = small_options(folder.path());
  options.external_locations.clear();
  options.model.format = "ort";
  options.model.opset = 0;
  pack(options);
  const std::string text = bytes_of(options.destination / "manifest.json");
  const Manifest manifest = parse_manifest(text, "manifest.json");
  EXPECT_EQ(manifest.model.main, "model/model.ort");
  EXPECT_EQ(manifest.model.format, "ort");
  EXPECT_EQ(text.find("opset"), std::string::npos) << text;
}

TEST(Writer, LaysFilesOutByRole) {
  TempDir folder;
  const PackOptions options = small_options(folder.path());
  const PackResult result = pack(options);
  const auto tree = tree_of(options.destination);
  std::vector<std::string> paths;
  for (const auto& [path, bytes] : tree) paths.push_back(path);
  const std::string runtime = std::string("runtime/") + own_triplet() + "/libonnxruntime.so.1";
  EXPECT_EQ(paths, (std::vector<std::string>{"LICENSES/LICENSE", "config/run.json", "manifest.json",
                                             "model/model.onnx", "model/weights.data",
                                             "preprocess/dataset.toml", "preprocess/dict.txt",
                                             "report/gate.json", runtime}));
  EXPECT_EQ(tree.at("model/weights.data"), std::string(300000, 'w'));
  EXPECT_EQ(tree.at(runtime), bytes_of(FAKE_RUNTIME));
  EXPECT_EQ(result.bundle_id, sha256_hex(tree.at("manifest.json")));
  const Manifest manifest = parse_manifest(tree.at("manifest.json"), "manifest.json");
  EXPECT_EQ(manifest.engine.version, "1.99.0");
  EXPECT_EQ(manifest.model.external_data, std::vector<std::string>{"model/weights.data"});
  EXPECT_EQ(manifest.preprocess, "preprocess/dataset.toml");
  EXPECT_EQ(manifest.find("LICENSES/LICENSE")->role, Role::kLicense);
  EXPECT_EQ(manifest.find("report/gate.json")->role, Role::kReport);
  EXPECT_EQ(manifest.find("model/weights.data")->sha256, sha256_hex(std::string(300000, 'w')));
  std::uint64_t total = 0;
  for (const auto& [path, bytes] : tree) total += bytes.size();
  EXPECT_EQ(result.total_bytes, total);
}

TEST(Writer, SameFilesGiveTheSameBytesWhateverTheirTimesModesAndPlaces) {
  TempDir a, b;
  const PackOptions first = small_options(a.path());
  PackOptions second = small_options(b.path());
  put_mode(b.path() / "in/net.onnx", 0600);
  fs::last_write_time(b.path() / "in/net.onnx",
                      fs::file_time_type::clock::now() - std::chrono::hours(1000));
  const mode_t old = umask(077);
  const PackResult packed = pack(second);
  umask(old);
  EXPECT_EQ(pack(first).bundle_id, packed.bundle_id);
  EXPECT_EQ(tree_of(first.destination), tree_of(second.destination));
  for (const auto& entry : fs::recursive_directory_iterator(second.destination)) {
    EXPECT_EQ(mode_of(entry.path()), entry.is_directory() ? 0755U : 0644U) << entry.path();
  }
  EXPECT_EQ(mode_of(second.destination), 0755U);
}

TEST(Writer, AnExistingDestinationIsRefusedWithoutForce) {
  TempDir folder;
  PackOptions options = small_options(folder.path());
  fs::create_directory(options.destination);
  EXPECT_EQ(refusal(options, Code::kUsage),
            "'" + options.destination.string() + "' exists already");
  options.overwrite = Overwrite::kYes;
  const std::string first = pack(options).bundle_id;
  options.version = "1.0.1";
  EXPECT_NE(pack(options).bundle_id, first);
  EXPECT_EQ(parse_manifest(bytes_of(options.destination / "manifest.json"), "m").version, "1.0.1");
  EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"in", "out"}));
}

TEST(Writer, ForceNeverReplacesWhatIsNoBundle) {
  TempDir folder;
  PackOptions options = small_options(folder.path());
  options.overwrite = Overwrite::kYes;
  put(options.destination / "thesis.tex", "years of work");
  EXPECT_EQ(refusal(options, Code::kUsage),
            "'" + options.destination.string() +
                "' is neither a bundle nor an empty folder, and is not replaced");
  EXPECT_EQ(bytes_of(options.destination / "thesis.tex"), "years of work");
}

TEST(Writer, AFailureLeavesNothingBehind) {
  TempDir folder;
  PackOptions options = small_options(folder.path());
  options.reports.push_back(folder.path() / "in/missing.json");
  EXPECT_EQ(refusal(options, Code::kInput), "cannot open '" +
                                                (folder.path() / "in/missing.json").string() +
                                                "': no such file or directory");
  options = small_options(folder.path());
  options.licenses = {folder.path()};
  refusal(options, Code::kInput);
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"in"});
}

TEST(Writer, APipeIsNotWaitedFor) {
  TempDir folder;
  PackOptions options = small_options(folder.path());
  const fs::path pipe = folder.path() / "in/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  options.reports = {pipe};
  EXPECT_EQ(refusal(options, Code::kInput),
            "'" + pipe.string() + "' is a FIFO, a regular file is wanted");
}

TEST(Writer, ExtraFilesGoWhereTheyAreNamed) {
  TempDir folder;
  PackOptions options = small_options(folder.path());
  options.extra = {{"data/readme.txt", {}, "hello"},
                   {"model/tokenizer.json", {}, "{}"},
                   {"LICENSES/MIT", {}, "MIT"}};
  pack(options);
  const Manifest manifest = parse_manifest(bytes_of(options.destination / "manifest.json"), "m");
  EXPECT_EQ(manifest.find("data/readme.txt")->role, Role::kData);
  EXPECT_EQ(manifest.find("model/tokenizer.json")->role, Role::kModel);
  EXPECT_EQ(manifest.find("LICENSES/MIT")->role, Role::kLicense);
}

TEST(Writer, UnfitNamesAreRefusedBeforeAnythingIsWritten) {
  TempDir folder;
  const PackOptions good = small_options(folder.path());
  const auto with_extra = [&](const std::string& path) {
    PackOptions options = good;
    options.extra = {{path, good.model_file, ""}};
    return options;
  };
  EXPECT_EQ(refusal(with_extra("my file"), Code::kInput),
            "'my file' cannot be a path in a bundle: only letters, digits, '.', '_', '-' and '/' "
            "are allowed");
  EXPECT_EQ(refusal(with_extra("../up"), Code::kInput),
            "'../up' cannot be a path in a bundle: a component begins with '.'");
  EXPECT_EQ(refusal(with_extra("config/other.json"), Code::kUsage),
            "'config/other.json': the folder 'config/' of a bundle is not for extra files");
  EXPECT_EQ(refusal(with_extra("manifest.json"), Code::kUsage),
            "'manifest.json' in a bundle is written by ingot itself");
  EXPECT_EQ(refusal(with_extra("model/model.onnx"), Code::kUsage),
            "two files for 'model/model.onnx' in the bundle: '" + good.model_file.string() +
                "' and '" + good.model_file.string() + "'");
  PackOptions options = good;
  options.external_locations = {"../weights.data"};
  EXPECT_EQ(refusal(options, Code::kInput), "'" + good.model_file.string() +
                                                "': its external data '../weights.data' cannot be "
                                                "in a bundle: a component begins with '.'");
  options = good;
  options.name = "";
  EXPECT_EQ(
      refusal(options, Code::kInput),
      "'manifest.json': 'name' is '', 1 to 100 letters, digits, '.', '_', '+' or '-' is wanted");
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"in"});
}

TEST(Writer, OneBundleHasOneRuntimeVersion) {
  TempDir folder;
  PackOptions options = small_options(folder.path());
  options.runtimes.emplace_back(FAKE_RUNTIME_NEWER);
  EXPECT_EQ(refusal(options, Code::kUsage), std::string("'") + FAKE_RUNTIME_NEWER +
                                                "' is ONNX Runtime 1.100.0, '" + FAKE_RUNTIME +
                                                "' is 1.99.0: one bundle has one version");
  options.runtimes.clear();
  EXPECT_EQ(refusal(options, Code::kUsage),
            "a bundle needs the ONNX Runtime library it runs with: --runtime");
}

}  // namespace
}  // namespace ingot::manifests
