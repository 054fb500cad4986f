// SPDX-License-Identifier: Apache-2.0
// External weights of models that are not trusted.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "graph/model.h"
#include "tests/support/expect_error.h"
#include "tests/support/model_builder.h"

namespace ingot::graph {
namespace {

using test::expect_error;
namespace fs = std::filesystem;

constexpr const char* kModel =
    "<ir_version: 8, opset_import: [\"\" : 17]> g (float[1] x) => (float[1] y) { y = Identity (x) "
    "}";

struct Entry {
  const char* key;
  std::string value;
};

/// A folder with w.bin of 8192 bytes (byte i is i modulo 251) and a model whose tensor 'w' names
/// external data.
class ExternalData : public testing::Test {
 protected:
  ExternalData() {
    std::string bytes(8192, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 251);
    test::write_bytes(folder_.path() / "w.bin", bytes);
  }

  Model load(const std::vector<Entry>& entries, std::int64_t count = 2000) const {
    auto proto = test::proto_from_text(kModel);
    add_tensor(proto, "w", entries, count);
    return Model::load(test::write_model(proto, folder_.path()));
  }

  /// A model with tensors w0, w1, … that are ranges of w.bin: offset and length.
  Model load_ranges(const std::vector<std::pair<int, int>>& ranges) const {
    auto proto = test::proto_from_text(kModel);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      add_tensor(proto, fmt::format("w{}", i),
                 {{"location", "w.bin"}, {"offset", std::to_string(ranges[i].first)}},
                 ranges[i].second);
    }
    return Model::load(test::write_model(proto, folder_.path()));
  }

  static void add_tensor(onnx::ModelProto& proto, const std::string& name,
                         const std::vector<Entry>& entries, std::int64_t count) {
    auto& tensor = *proto.mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::UINT8);
    tensor.add_dims(count);
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    for (const Entry& entry : entries) {
      auto& added = *tensor.add_external_data();
      added.set_key(entry.key);
      added.set_value(entry.value);
    }
  }

  void expect_refused(const std::vector<Entry>& entries, const std::string& why,
                      Code code = Code::kInput) const {
    const std::string location = entries.empty() ? "" : entries[0].value;
    const std::string message = fmt::format("'{}': tensor 'w': external data '{}': {}",
                                            (folder_.path() / "m.onnx").string(), location, why);
    expect_error(code, message, [&] { load(entries); });
  }

  const fs::path& path() const { return folder_.path(); }

 private:
  TempDir folder_;
};

TEST_F(ExternalData, RangesAreMappedWhereTheyAre) {
  const Model model = load(
      {{"location", "w.bin"}, {"offset", "4096"}, {"length", "2000"}, {"checksum", "ignored"}});
  const auto view = model.view(model.graph().initializer(0));
  ASSERT_EQ(view.bytes.size(), 2000U);
  for (std::size_t i = 0; i < 2000; ++i)
    ASSERT_EQ(view.bytes[i], static_cast<std::byte>((4096 + i) % 251));
  EXPECT_TRUE(model.has_external_weights());
}

TEST_F(ExternalData, OffsetAndLengthMayBeAbsent) {
  const Model model = load({{"location", "./w.bin"}});
  EXPECT_EQ(model.view(model.graph().initializer(0)).bytes[250], std::byte{250});
  EXPECT_EQ(model.external_locations(), std::vector<std::string>{"w.bin"});
}

TEST_F(ExternalData, SmallTensorsComeInside) {
  const Model model = load({{"location", "w.bin"}, {"offset", "1"}}, 3);
  EXPECT_EQ(model.graph().initializer(0).raw_data(), "\x01\x02\x03");
  EXPECT_FALSE(model.graph().initializer(0).has_data_location());
}

TEST_F(ExternalData, FilesInFoldersBelowAreRead) {
  fs::create_directories(path() / "a" / "b");
  fs::rename(path() / "w.bin", path() / "a" / "b" / "w.bin");
  EXPECT_NO_THROW(load({{"location", "a/b/w.bin"}}));
}

TEST_F(ExternalData, PathsOutOfTheFolderAreRefused) {
  expect_refused({{"location", "/etc/passwd"}},
                 "an absolute path; a path below the model's folder is wanted");
  expect_refused({{"location", "../w.bin"}}, "'..' leads out of the model's folder");
  expect_refused({{"location", "a/../../w.bin"}}, "'..' leads out of the model's folder");
  expect_refused({{"location", std::string("w.bin\0/x", 8)}}, "its location contains a zero byte");
  expect_refused({{"location", ""}}, "it has no location");
  expect_refused({}, "it has no location");
  expect_refused({{"location", "."}}, "it names no file");
  expect_refused({{"location", "a\\w.bin"}},
                 "its location contains a backslash; '/' separates folders");
}

TEST_F(ExternalData, LinksOutOfTheFolderAreRefused) {
  const TempDir outside;
  const fs::path real = fs::canonical(outside.path());
  test::write_bytes(real / "w.bin", std::string(8192, '\0'));
  const std::string refusal =
      fmt::format("it leads to '{}', outside of the model's folder", (real / "w.bin").string());
  fs::create_symlink(real / "w.bin", path() / "link.bin");
  expect_refused({{"location", "link.bin"}}, refusal);
  fs::create_symlink("link.bin", path() / "second.bin");
  expect_refused({{"location", "second.bin"}}, refusal);
  fs::create_directory_symlink(real, path() / "folder");
  expect_refused({{"location", "folder/w.bin"}}, refusal);
  fs::create_symlink("/dev/zero", path() / "zero.bin");
  expect_refused({{"location", "zero.bin"}},
                 "it leads to '/dev/zero', outside of the model's folder");
}

TEST_F(ExternalData, LinksWithinTheFolderAreFollowed) {
  fs::create_symlink("w.bin", path() / "link.bin");
  EXPECT_NO_THROW(load({{"location", "link.bin"}}));
  fs::create_directory_symlink(".", path() / "here");
  EXPECT_NO_THROW(load({{"location", "here/w.bin"}}));
  fs::create_symlink("gone.bin", path() / "broken.bin");
  expect_refused({{"location", "broken.bin"}}, "no such file or directory");
  fs::create_symlink("loop.bin", path() / "loop.bin");
  expect_refused({{"location", "loop.bin"}}, "too many levels of symbolic links");
}

TEST_F(ExternalData, FilesWithASecondHardLinkAreRefused) {
  fs::create_hard_link(path() / "w.bin", path() / "hard.bin");
  expect_refused({{"location", "hard.bin"}}, "the file has 2 hard links; one is wanted");
}

TEST_F(ExternalData, AModelThatIsALinkMayHaveItsWeightsBesideTheFileItLeadsTo) {
  auto proto = test::proto_from_text(kModel);
  add_tensor(proto, "w", {{"location", "w.data"}}, 2000);
  fs::create_directory(path() / "blobs");
  fs::rename(test::write_model(proto, path()), path() / "blobs" / "3f2a");
  fs::rename(path() / "w.bin", path() / "blobs" / "77c0");
  fs::create_directories(path() / "snapshots" / "main");
  const fs::path model = path() / "snapshots" / "main" / "m.onnx";
  const fs::path data = path() / "snapshots" / "main" / "w.data";
  fs::create_symlink("../../blobs/3f2a", model);
  fs::create_symlink("../../blobs/77c0", data);
  EXPECT_EQ(Model::load(model).external_locations(), std::vector<std::string>{"w.data"});

  const fs::path real = fs::canonical(path());
  const auto expect = [&](const std::string& why) {
    expect_error(Code::kInput,
                 fmt::format("'{}': tensor 'w': external data 'w.data': {}", model.string(), why),
                 [&] { Model::load(model); });
  };
  fs::create_directory(path() / "blobs" / "below");
  fs::rename(path() / "blobs" / "77c0", path() / "blobs" / "below" / "77c0");
  fs::remove(data);
  fs::create_symlink("../../blobs/below/77c0", data);
  expect(fmt::format("it leads to '{}', outside of the model's folder",
                     (real / "blobs" / "below" / "77c0").string()));
  fs::remove(data);
  expect("no such file or directory");
}

TEST_F(ExternalData, AKeyGivenTwiceIsRefused) {
  expect_refused({{"location", "w.bin"}, {"location", "x.bin"}}, "its location is given twice");
  expect_refused({{"location", "w.bin"}, {"offset", "0"}, {"offset", "4096"}},
                 "its offset is given twice");
}

TEST_F(ExternalData, TheModelItselfCanHoldTheBytes) {
  const Model model = load({{"location", "m.onnx"}, {"length", "20"}}, 20);
  EXPECT_EQ(model.graph().initializer(0).raw_data().substr(0, 2), "\x08\x08");
}

TEST_F(ExternalData, ASharedRangeStaysOne) {
  const Model model = load_ranges({{0, 4000}, {0, 4000}, {4000, 4000}, {2000, 4000}});
  const fs::path out = path() / "out.onnx";
  model.save(out);
  EXPECT_EQ(fs::file_size(path() / "out.onnx.data"), 2 * 4096U + 4000U);
  const Model again = Model::load(out);
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(std::ranges::equal(again.view(again.graph().initializer(i)).bytes,
                                   model.view(model.graph().initializer(i)).bytes));
  }
}

TEST_F(ExternalData, OverlappingRangesMayNotAddUpToAMultipleOfTheFile) {
  std::vector<std::pair<int, int>> ranges;
  for (int i = 0; i < 10; ++i) ranges.emplace_back(i, 8192 - i);
  expect_error(Code::kInput,
               fmt::format("'{}': tensor 'w4': external data 'w.bin': the overlapping ranges of "
                           "its tensors add up to more than 4 times its 8192 bytes",
                           (path() / "m.onnx").string()),
               [&] { load_ranges(ranges); });
}

TEST_F(ExternalData, OnlyRegularFilesAreRead) {
  fs::create_directory(path() / "folder");
  expect_refused({{"location", "folder"}}, "not a regular file");
  ASSERT_EQ(::mkfifo((path() / "pipe").c_str(), 0600), 0);
  expect_refused({{"location", "pipe"}}, "not a regular file");
  expect_refused({{"location", "none.bin"}}, "no such file or directory");
  expect_refused({{"location", "w.bin/x"}}, "not a directory");
}

TEST_F(ExternalData, RangesOutsideTheFileAreRefused) {
  expect_refused({{"location", "w.bin"}, {"offset", "6193"}},
                 "2000 bytes from byte 6193 are wanted, the file has 8192");
  expect_refused({{"location", "w.bin"}, {"offset", "18446744073709551615"}},
                 "2000 bytes from byte 18446744073709551615 are wanted, the file has 8192");
  expect_refused({{"location", "w.bin"}, {"offset", "18446744073709551616"}},
                 "its offset is '18446744073709551616'; a number of bytes is wanted");
  expect_refused({{"location", "w.bin"}, {"offset", "-1"}},
                 "its offset is '-1'; a number of bytes is wanted");
  expect_refused({{"location", "w.bin"}, {"length", "1k"}},
                 "its length is '1k'; a number of bytes is wanted");
  expect_refused({{"location", "w.bin"}, {"length", "1999"}},
                 "its length is 1999 bytes; its type and shape want 2000");
}

TEST_F(ExternalData, AnEmptyFileHoldsAnEmptyTensor) {
  test::write_bytes(path() / "empty.bin", "");
  const Model model = load({{"location", "empty.bin"}, {"length", "0"}}, 0);
  EXPECT_EQ(model.view(model.graph().initializer(0)).bytes.size(), 0U);
}

}  // namespace
}  // namespace ingot::graph
