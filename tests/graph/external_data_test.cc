// SPDX-License-Identifier: Apache-2.0
// External weights of models that are not trusted.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "graph/model.h"
#include "tests/support/expect_error.h"
#include "tests/support/model_builder.h"

namespace ingot::graph {
namespace {

using test::expect_error;
namespace fs = std::filesystem;

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
    auto proto = test::proto_from_text(
        "<ir_version: 8, opset_import: [\"\" : 17]> g (float[1] x) => (float[1] y) { y = Identity "
        "(x) }");
    auto& tensor = *proto.mutable_graph()->add_initializer();
    tensor.set_name("w");
    tensor.set_data_type(onnx::TensorProto::UINT8);
    tensor.add_dims(count);
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    for (const Entry& entry : entries) {
      auto& added = *tensor.add_external_data();
      added.set_key(entry.key);
      added.set_value(entry.value);
    }
    return Model::load(test::write_model(proto, folder_.path()));
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
}

TEST_F(ExternalData, LinksAreRefused) {
  fs::create_symlink("w.bin", path() / "link.bin");
  expect_refused({{"location", "link.bin"}}, "symbolic links are not followed");
  fs::create_directory_symlink("/etc", path() / "etc");
  expect_refused({{"location", "etc/passwd"}}, "symbolic links are not followed");
  fs::create_hard_link(path() / "w.bin", path() / "hard.bin");
  expect_refused({{"location", "hard.bin"}}, "the file has 2 hard links; one is wanted");
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
