// SPDX-License-Identifier: Apache-2.0
// Oracle: files that NumPy wrote (tests/golden/data/make.py); what we write is read back by
// minizip.
#include "data/npz.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/data/files.h"
#include "tests/support/expect_error.h"

namespace ingot::data {
namespace {

using test::expect_error;
using test::file_bytes;
using test::golden;
using testing::ElementsAre;

class NpzFromNumpy : public testing::TestWithParam<const char*> {};

TEST_P(NpzFromNumpy, HoldsEveryType) {
  const auto arrays = read_npz(golden(GetParam()));
  ASSERT_EQ(arrays.size(), 18U);
  EXPECT_THAT(arrays.at("i1").as<std::int8_t>(), ElementsAre(0, 1, 100));
  EXPECT_THAT(arrays.at("u1").as<std::uint8_t>(), ElementsAre(0, 1, 100));
  EXPECT_THAT(arrays.at("i2").as<std::int16_t>(), ElementsAre(0, 1, 100));
  EXPECT_THAT(arrays.at("u2").as<std::uint16_t>(), ElementsAre(0, 1, 100));
  EXPECT_THAT(arrays.at("i4").as<std::int32_t>(), ElementsAre(0, 1, 100));
  EXPECT_THAT(arrays.at("u4").as<std::uint32_t>(), ElementsAre(0, 1, 100));
  EXPECT_THAT(arrays.at("i8").as<std::int64_t>(), ElementsAre(0, 1, 100));
  EXPECT_THAT(arrays.at("u8").as<std::uint64_t>(), ElementsAre(0, 1, 100));
  EXPECT_THAT(to_floats(arrays.at("f2").view()), ElementsAre(0.5, -2, 1e4));
  EXPECT_THAT(arrays.at("f4").as<float>(), ElementsAre(0.5, -2, 1e4));
  EXPECT_THAT(arrays.at("f8").as<double>(), ElementsAre(0.5, -2, 1e4));
  EXPECT_EQ(arrays.at("f8").shape, (Shape{1, 3}));
  EXPECT_EQ(arrays.at("b1").dtype, DType::kBool);
  EXPECT_THAT(arrays.at("b1").as<std::uint8_t>(), ElementsAre(1, 0, 1));
  EXPECT_EQ(arrays.at("c8").dtype, DType::kComplex64);
  EXPECT_EQ(arrays.at("c16").bytes.size(), 16U);
  EXPECT_THAT(arrays.at("text").strings, ElementsAre("", "naïve", "日本", "😀!"));
  EXPECT_EQ(arrays.at("text").shape, (Shape{2, 2}));
  EXPECT_EQ(arrays.at("scalar").shape, Shape{});
  EXPECT_EQ(arrays.at("empty").shape, (Shape{0, 3}));
  EXPECT_EQ(arrays.at("a/b:0").as<float>()[599], 599);
}

TEST_P(NpzFromNumpy, SurvivesWritingUnchanged) {
  const TempDir folder;
  const auto path = folder.path() / "copy.npz";
  const auto arrays = read_npz(golden(GetParam()));
  write_npz(path, arrays);
  const auto copies = read_npz(path);
  ASSERT_EQ(copies.size(), arrays.size());
  for (const auto& [name, array] : arrays) {
    EXPECT_EQ(npy_bytes(copies.at(name).view()), npy_bytes(array.view())) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, NpzFromNumpy, testing::Values("stored.npz", "deflated.npz"),
                         [](const auto& row) { return row.index == 0 ? "Stored" : "Deflated"; });

TEST(NpzFile, ListsNamesSortedAndReadsOne) {
  const NpzFile file(golden("deflated.npz"));
  EXPECT_EQ(file.names().front(), "a/b:0");
  EXPECT_TRUE(std::is_sorted(file.names().begin(), file.names().end()));
  EXPECT_TRUE(file.has("text"));
  EXPECT_FALSE(file.has("text.npy"));
  EXPECT_EQ(file.read("scalar").as<std::int32_t>()[0], 7);
  expect_error(Code::kInput, fmt::format("'{}' has no array 'y'", golden("deflated.npz").string()),
               [&] { file.read("y"); });
}

TEST(WriteNpz, GivesTheSameBytesEachTime) {
  const TempDir folder;
  const std::map<std::string, Tensor> arrays{
      {"y", Tensor::of<float>({2}, std::vector<float>{1, 2})},
      {"x", Tensor::of<std::int64_t>({1}, std::vector<std::int64_t>{3})}};
  write_npz(folder.path() / "a.npz", arrays);
  write_npz(folder.path() / "b.npz", arrays);
  const std::string bytes = file_bytes(folder.path() / "a.npz");
  EXPECT_EQ(bytes, file_bytes(folder.path() / "b.npz"));
  EXPECT_LT(bytes.find("x.npy"), bytes.find("y.npy"));
}

TEST(WriteNpz, RefusesAnExistingFile) {
  const TempDir folder;
  const auto path = folder.path() / "a.npz";
  test::put_file(path, "old");
  expect_error(Code::kUsage, fmt::format("'{}' exists already", path.string()),
               [&] { write_npz(path, {{"x", Tensor::zeros(DType::kFloat, {4})}}); });
  write_npz(path, {{"x", Tensor::zeros(DType::kFloat, {4})}}, Overwrite::kYes);
  EXPECT_EQ(read_npz(path).size(), 1U);
}

TEST(WriteNpz, LeavesNothingWhenAnArrayCannotBeStored) {
  const TempDir folder;
  const auto path = folder.path() / "a.npz";
  EXPECT_THROW(write_npz(path, {{"x", Tensor::zeros(DType::kInt4, {2})}}), Error);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

class DamagedNpz : public testing::Test {
 protected:
  /// A file of one array 'x' of 4 floats, changed at `offset` from `from` on.
  void damage(const std::string& from, std::size_t offset, const std::string& bytes) {
    write_npz(path_, {{"x", Tensor::zeros(DType::kFloat, {4})}}, Overwrite::kYes);
    std::string file = file_bytes(path_);
    file.replace(file.find(from) + offset, bytes.size(), bytes);
    test::put_file(path_, file);
  }
  void expect_refused(const std::string& message) {
    expect_error(Code::kInput, fmt::format("'{}'{}", path_.string(), message),
                 [&] { read_npz(path_); });
  }

  TempDir folder_;
  std::filesystem::path path_ = folder_.path() / "x.npz";
};

// Offsets in a directory entry: flags 8, method 10, CRC 16, packed size 20, size 24, name 46.
constexpr const char* kDirectory = "PK\x01\x02";

TEST_F(DamagedNpz, AFlippedBitIsFoundByTheCrc) {
  damage("NUMPY", 128, "\x01");
  expect_refused(": entry 'x.npy' is damaged: its CRC does not match");
}

TEST_F(DamagedNpz, AClaimOfMoreThanItHolds) {
  damage(kDirectory, 24, std::string("\xFF\xFF\xFF\x0F", 4));
  expect_refused(": entry 'x.npy' claims 268435455 bytes, more than its 144 packed bytes can hold");
}

TEST_F(DamagedNpz, AClaimOfMoreThanIsAllowed) {
  damage(kDirectory, 20, std::string("\xFF\xFF\xFF\x7F\xFF\xFF\xFF\x7F", 8));
  expect_refused(": entry 'x.npy' claims 2147483647 bytes, at most 1073741824 are allowed");
}

TEST_F(DamagedNpz, AnEncryptedEntry) {
  damage(kDirectory, 8, "\x01");
  expect_refused(": entry 'x.npy' is encrypted");
}

TEST_F(DamagedNpz, AnUnknownMethod) {
  damage(kDirectory, 10, "\x0E");
  expect_refused(": entry 'x.npy' is packed by method 14, wanted 0 (stored) or 8 (deflated)");
}

TEST_F(DamagedNpz, AnEntryThatIsNoArray) {
  damage(kDirectory, 46, "x.txt");
  expect_refused(": entry 'x.txt' is not a .npy array");
}

TEST_F(DamagedNpz, AFileThatIsNoZip) {
  test::put_file(path_, "hello");
  expect_refused(" is not a complete .npz (zip) file");
}

TEST_F(DamagedNpz, TwoEntriesOfOneName) {
  write_npz(path_,
            {{"x", Tensor::zeros(DType::kFloat, {4})}, {"y", Tensor::zeros(DType::kFloat, {4})}});
  std::string file = file_bytes(path_);
  file.replace(file.rfind("y.npy"), 1, "x");
  test::put_file(path_, file);
  expect_refused(": the zip file has two entries 'x.npy'");
}

TEST_F(DamagedNpz, EveryTruncationIsRefused) {
  const std::string whole = file_bytes(golden("deflated.npz"));
  for (std::size_t length = 0; length + 2 < whole.size(); length += 37) {
    test::put_file(path_, whole.substr(0, length));
    EXPECT_THROW(read_npz(path_), Error) << length;
  }
}

TEST_F(DamagedNpz, NoFlippedByteCrashes) {
  const std::string whole = file_bytes(golden("deflated.npz"));
  for (std::size_t at = 0; at < whole.size(); at += 11) {
    std::string file = whole;
    file[at] = static_cast<char>(~file[at]);
    test::put_file(path_, file);
    try {
      read_npz(path_);
    } catch (const Error& error) {
      EXPECT_STREQ(code_name(error.code()), "input") << at << ": " << error.message();
    }
  }
}

}  // namespace
}  // namespace ingot::data
