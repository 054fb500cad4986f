// SPDX-License-Identifier: Apache-2.0
// The files and the pixels of Pillow's own decoder are made by tests/golden/data/make_jpeg.py.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "data/pictures.h"
#include "tests/data/files.h"
#include "tests/support/expect_error.h"

namespace ingot::data {
namespace {

using test::expect_error;
using test::file_bytes;
using test::golden;

class ReadJpegLikePillow : public testing::TestWithParam<const char*> {};

TEST_P(ReadJpegLikePillow, GivesTheSamePixels) {
  const std::string name = GetParam();
  const Picture picture = read_picture(golden(name + ".jpg"));
  EXPECT_EQ(picture.width, 20);
  EXPECT_EQ(picture.height, 13);
  const std::string wanted = file_bytes(golden(name + ".rgb"));
  ASSERT_EQ(picture.rgb.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    ASSERT_EQ(picture.rgb[i], static_cast<unsigned char>(wanted[i]))
        << "x " << i / 3 % 20 << ", y " << i / 60 << ", channel " << i % 3;
  }
}

// "turned" notes an orientation, which neither applies.
INSTANTIATE_TEST_SUITE_P(Files, ReadJpegLikePillow,
                         testing::Values("color420", "color444", "progressive", "gray_jpeg",
                                         "plain_rgb", "turned"),
                         [](const auto& row) {
                           std::string name = row.param;
                           std::erase(name, '_');
                           return name;
                         });

TEST(ReadJpeg, RefusesCmyk) {
  const std::string path = golden("cmyk.jpg").string();
  expect_error(Code::kUnsupported,
               fmt::format("the colours of '{}' are CMYK; gray, YCbCr or RGB is wanted", path),
               [&] { read_jpeg(path); });
}

TEST(ReadJpeg, RefusesArithmeticCoding) {
  const std::string path = golden("arithmetic.jpg").string();
  expect_error(Code::kUnsupported,
               fmt::format("'{}' is coded arithmetically; Huffman codes are wanted", path),
               [&] { read_jpeg(path); });
}

TEST(ReadJpeg, RefusesTooManyPixels) {
  const std::string path = golden("huge_jpeg.jpg").string();
  expect_error(Code::kInput,
               fmt::format("'{}' has 60000 x 60000 pixels, at most 67108864 are allowed", path),
               [&] { read_jpeg(path); });
}

TEST(ReadJpeg, RefusesAClaimBeyondTheFile) {
  const std::string path = golden("claims_jpeg.jpg").string();
  expect_error(Code::kInput,
               fmt::format("'{}' claims 5000 x 5000 pixels, more than its {} bytes can hold", path,
                           file_bytes(path).size()),
               [&] { read_jpeg(path); });
}

TEST(ReadJpeg, RefusesTooManyScans) {
  const std::string path = golden("scans.jpg").string();
  expect_error(Code::kInput,
               fmt::format("'{}' is not a sound JPEG file: it has more than 100 scans", path),
               [&] { read_jpeg(path); });
}

TEST(ReadJpeg, RefusesOtherFiles) {
  const std::string path = golden("c_order.npy").string();
  expect_error(Code::kInput, fmt::format("'{}' is neither a PNG nor a JPEG file", path),
               [&] { read_picture(path); });
}

class DamagedJpeg : public testing::TestWithParam<const char*> {};

TEST_P(DamagedJpeg, EveryTruncationIsRefused) {
  const TempDir folder;
  const auto path = folder.path() / "a.jpg";
  const std::string whole = file_bytes(golden(GetParam()));
  for (std::size_t length = 0; length + 2 < whole.size(); ++length) {
    test::put_file(path, whole.substr(0, length));
    EXPECT_THROW(read_jpeg(path), Error) << length;
  }
  test::put_file(path, whole.substr(0, whole.size() - 20));
  expect_error(
      Code::kInput,
      fmt::format("'{}' is not a sound JPEG file: Premature end of JPEG file", path.string()),
      [&] { read_jpeg(path); });
}

TEST_P(DamagedJpeg, NoFlippedByteCrashes) {
  const TempDir folder;
  const auto path = folder.path() / "a.jpg";
  const std::string whole = file_bytes(golden(GetParam()));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string file = whole;
    file[at] = static_cast<char>(~file[at]);
    test::put_file(path, file);
    try {
      read_jpeg(path);
    } catch (const Error& error) {
      const std::string code = code_name(error.code());
      EXPECT_TRUE(code == "input" || code == "unsupported") << at << ": " << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, DamagedJpeg, testing::Values("color420.jpg", "progressive.jpg"),
                         [](const auto& row) {
                           const std::string name = row.param;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace ingot::data
