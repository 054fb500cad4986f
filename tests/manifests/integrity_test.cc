// SPDX-License-Identifier: Apache-2.0
#include "manifests/integrity.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>

#include "base/error.h"
#include "base/hash.h"
#include "tests/manifests/small_bundle.h"

namespace ingot::manifests {
namespace {

/// A fresh good bundle per test.
class Integrity : public testing::Test {
 protected:
  Integrity() : options_(small_options(folder_.path())) { id_ = pack(options_).bundle_id; }

  fs::path at(const std::string& path) const { return options_.destination / path; }
  /// The findings, one text each.
  std::vector<std::string> check() const {
    std::vector<std::string> texts;
    for (const Finding& finding : Bundle(options_.destination).check())
      texts.push_back(to_string(finding));
    return texts;
  }
  std::string refusal() const {
    try {
      Bundle bundle(options_.destination);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kInput);
      return error.message();
    }
    return "opened";
  }

  using Texts = std::vector<std::string>;
  TempDir folder_;
  PackOptions options_;
  std::string id_;
};

void flip_bit(const fs::path& path, std::size_t bit) {
  std::string bytes = bytes_of(path);
  bytes.at(bit / 8) = static_cast<char>(bytes.at(bit / 8) ^ (1 << (bit % 8)));
  put(path, bytes);
}

TEST_F(Integrity, AGoodBundleHasNoFindings) {
  EXPECT_EQ(check(), Texts{});
  EXPECT_EQ(Bundle(options_.destination).manifest().bundle_id, id_);
}

TEST_F(Integrity, OneFlippedBitInAnyFileIsFoundAndNamed) {
  const auto tree = tree_of(options_.destination);
  for (const auto& [path, bytes] : tree) {
    for (const std::size_t bit : {std::size_t{0}, bytes.size() * 4 + 3, bytes.size() * 8 - 1}) {
      if (path == "manifest.json") continue;  // its every bit: manifest_test
      flip_bit(at(path), bit);
      EXPECT_EQ(check(),
                Texts{"E_HASH_MISMATCH '" + path + "': expected sha256 " + sha256_hex(bytes) +
                      ", got sha256 " + sha256_hex(bytes_of(at(path)))});
      flip_bit(at(path), bit);
    }
  }
  EXPECT_EQ(check(), Texts{});
}

// The manifest's digest of itself leaves the entries of reports out: the comparison with the file
// must find every bit of those.
TEST_F(Integrity, EveryFlippedBitOfAReportsEntryIsFound) {
  const std::string good = bytes_of(at("manifest.json"));
  const std::size_t path = good.find("\"path\":\"report/");
  ASSERT_NE(path, std::string::npos);
  const std::size_t begin = good.rfind('{', path), end = good.find('}', path);
  for (std::size_t bit = begin * 8; bit < (end + 1) * 8; ++bit) {
    flip_bit(at("manifest.json"), bit);
    bool found = true;
    try {
      found = !Bundle(options_.destination).check().empty();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kInput) << error.what();
    }
    EXPECT_TRUE(found) << "bit " << bit;
    flip_bit(at("manifest.json"), bit);
  }
  EXPECT_EQ(check(), Texts{});
}

TEST_F(Integrity, AChangedManifestIsFoundWithoutASignature) {
  const std::string good = bytes_of(at("manifest.json"));
  std::string changed = good;
  changed.replace(changed.find("\"lines\""), 7, "\"linet\"");
  put(at("manifest.json"), changed);
  const Texts found = check();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].substr(0, 47), "E_HASH_MISMATCH 'manifest.json': expected sha25");
  put(at("manifest.json"), good.substr(0, good.size() / 2));
  EXPECT_EQ(refusal().substr(0, at("manifest.json").string().size() + 9),
            "'" + at("manifest.json").string() + "' line 1");
}

TEST_F(Integrity, SizesSetsAndFilesAreCompared) {
  put(at("model/model.onnx"), "not looked int");
  put(at("report/extra.json"), "{}");
  fs::remove(at("preprocess/dict.txt"));
  EXPECT_EQ(check(),
            (Texts{"E_SIZE 'model/model.onnx': expected 15 bytes, got 14 bytes",
                   "E_FILE_MISSING 'preprocess/dict.txt': expected 4 bytes, got no such file",
                   "E_FILE_EXTRA 'report/extra.json': expected nothing, got a file that the "
                   "manifest does not list"}));
}

TEST_F(Integrity, RenamedFilesAreFoundOnBothSides) {
  fs::rename(at("report/gate.json"), at("report/Gate.json"));
  EXPECT_EQ(check(),
            (Texts{"E_FILE_EXTRA 'report/Gate.json': expected nothing, got a file that the "
                   "manifest does not list",
                   "E_FILE_MISSING 'report/gate.json': expected 2 bytes, got no such file"}));
}

TEST_F(Integrity, LinksAreNeverFollowed) {
  fs::rename(at("model/model.onnx"), folder_.path() / "elsewhere");
  fs::create_symlink(folder_.path() / "elsewhere", at("model/model.onnx"));
  EXPECT_EQ(check(),
            Texts{"E_FILE_TYPE 'model/model.onnx': expected regular file, got symbolic link"});
  fs::remove(at("model/model.onnx"));
  fs::rename(folder_.path() / "elsewhere", at("model/model.onnx"));
  EXPECT_EQ(check(), Texts{});

  fs::rename(at("report"), folder_.path() / "report");
  fs::create_directory_symlink(folder_.path() / "report", at("report"));
  EXPECT_EQ(
      check(),
      (Texts{"E_FILE_EXTRA 'report': expected nothing, got a file that the manifest does not list",
             "E_FILE_MISSING 'report/gate.json': expected 2 bytes, got no such file"}));
}

TEST_F(Integrity, ALinkedManifestIsRefused) {
  fs::rename(at("manifest.json"), folder_.path() / "elsewhere");
  fs::create_symlink(folder_.path() / "elsewhere", at("manifest.json"));
  EXPECT_EQ(refusal(),
            "'" + at("manifest.json").string() + "' is a symbolic link, a regular file is wanted");
}

TEST_F(Integrity, HardLinksAreRefused) {
  fs::create_hard_link(at("model/model.onnx"), folder_.path() / "second");
  EXPECT_EQ(
      check(),
      Texts{"E_FILE_TYPE 'model/model.onnx': expected regular file with 1 link, got 2 links"});
}

TEST_F(Integrity, PipesAndFoldersInTheirPlaceAreRefusedWithoutWaiting) {
  fs::remove(at("report/gate.json"));
  ASSERT_EQ(mkfifo(at("report/gate.json").c_str(), 0644), 0);
  EXPECT_EQ(check(), Texts{"E_FILE_TYPE 'report/gate.json': expected regular file, got FIFO"});
  fs::remove(at("report/gate.json"));
  fs::create_directory(at("report/gate.json"));
  put_mode(at("report/gate.json"), 0755);
  EXPECT_EQ(check(),
            (Texts{"E_FILE_MISSING 'report/gate.json': expected 2 bytes, got no such file",
                   "E_FILE_EXTRA 'report/gate.json/': expected nothing, got an empty folder"}));
}

TEST_F(Integrity, ModesAreCompared) {
  put_mode(at("model/model.onnx"), 04755);
  put_mode(at("manifest.json"), 0666);
  put_mode(at("report"), 0777);
  EXPECT_EQ(check(), (Texts{"E_MODE 'manifest.json': expected mode 0644, got mode 0666",
                            "E_MODE 'model/model.onnx': expected mode 0644, got mode 4755",
                            "E_MODE 'report/': expected mode 0755, got mode 0777"}));
}

TEST_F(Integrity, EmptyFoldersAndHiddenFilesAreFound) {
  fs::create_directory(at("empty"));
  put_mode(at("empty"), 0755);
  put(at(".gitattributes"), "* -text");
  put(at("model/a b"), "x");
  put(at("model/\x1b[2J"), "x");
  EXPECT_EQ(check(), (Texts{"E_PATH '.gitattributes': expected a path that a bundle may hold, got "
                            "a component begins with '.'",
                            "E_FILE_EXTRA 'empty/': expected nothing, got an empty folder",
                            "E_PATH 'model/\\x1b[2J': expected a path that a bundle may hold, got "
                            "only letters, digits, '.', '_', '-' and "
                            "'/' are allowed",
                            "E_PATH 'model/a b': expected a path that a bundle may hold, got only "
                            "letters, digits, '.', '_', '-' and '/' "
                            "are allowed"}));
}

TEST_F(Integrity, AFolderWithoutManifestIsNoBundle) {
  fs::remove(at("manifest.json"));
  EXPECT_EQ(refusal(),
            "'" + options_.destination.string() + "' is not a bundle: it has no 'manifest.json'");
  fs::remove_all(options_.destination);
  EXPECT_EQ(refusal(),
            "cannot open '" + options_.destination.string() + "': no such file or directory");
}

TEST_F(Integrity, WhatWasHashedIsWhatIsRead) {
  Bundle bundle(options_.destination);
  ASSERT_TRUE(bundle.check(2).empty());
  EXPECT_EQ(bundle.read("preprocess/dataset.toml"), "schema = 1\n");
  EXPECT_TRUE(bundle.changed_since_check().empty());
  // Another file of the same bytes takes the path: the descriptor still is the one that was hashed.
  put(folder_.path() / "new", "schema = 2\n");
  fs::rename(folder_.path() / "new", at("preprocess/dataset.toml"));
  EXPECT_EQ(bundle.read("preprocess/dataset.toml"), "schema = 1\n");
  const std::vector<Finding> changed = bundle.changed_since_check();
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ(to_string(changed[0]),
            "E_FILE_CHANGED 'preprocess/dataset.toml': expected the file that was checked, got "
            "another file");
}

TEST_F(Integrity, ChangesAfterTheCheckAreSeenEvenWithTheOldTimeStamp) {
  Bundle bundle(options_.destination);
  ASSERT_TRUE(bundle.check().empty());
  const auto time = fs::last_write_time(at("model/weights.data"));
  flip_bit(at("model/weights.data"), 77);
  fs::last_write_time(at("model/weights.data"), time);
  fs::remove(at("report/gate.json"));
  std::vector<std::string> changed;
  for (const Finding& finding : bundle.changed_since_check()) changed.push_back(to_string(finding));
  EXPECT_EQ(changed, (Texts{"E_FILE_CHANGED 'model/weights.data': expected the file that was "
                            "checked, got the file was modified since",
                            "E_FILE_CHANGED 'report/gate.json': expected the file that was "
                            "checked, got no such file"}));
}

TEST_F(Integrity, NothingIsHandedOutBeforeACleanCheck) {
  Bundle bundle(options_.destination);
  EXPECT_THROW(bundle.descriptor("model/model.onnx"), Error);
  flip_bit(at("model/model.onnx"), 0);
  EXPECT_EQ(bundle.check().size(), 1U);
  EXPECT_THROW(bundle.descriptor("config/run.json"), Error);
}

}  // namespace
}  // namespace ingot::manifests
