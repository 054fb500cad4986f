// SPDX-License-Identifier: Apache-2.0
// The files are put together by hand in tests/golden/data/make.py; so are the pixels known.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "data/pictures.h"
#include "tests/data/files.h"
#include "tests/support/expect_error.h"

namespace ingot::data {
namespace {

using test::expect_error;
using test::golden;
using testing::ElementsAre;

TEST(ReadPng, TakesRgbAsItIs) {
  const Picture picture = read_png(golden("rgb.png"));
  EXPECT_EQ(picture.width, 2);
  EXPECT_EQ(picture.height, 2);
  EXPECT_THAT(picture.rgb, ElementsAre(255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255));
}

TEST(ReadPng, RepeatsGray) {
  EXPECT_THAT(read_png(golden("gray.png")).rgb, ElementsAre(0, 0, 0, 100, 100, 100, 255, 255, 255));
}

TEST(ReadPng, WidensOneBit) {
  EXPECT_THAT(read_png(golden("gray1.png")).rgb,
              ElementsAre(255, 255, 255, 0, 0, 0, 255, 255, 255));
}

TEST(ReadPng, ScalesSixteenBits) {
  EXPECT_THAT(read_png(golden("gray16.png")).rgb, ElementsAre(128, 128, 128, 1, 1, 1));
  EXPECT_THAT(read_png(golden("rgb16.png")).rgb, ElementsAre(255, 128, 0));
}

TEST(ReadPng, LaysTransparencyOverWhite) {
  // 100 at alpha 51: (100 * 51 + 255 * 204) / 255 = 224.
  EXPECT_THAT(read_png(golden("rgba.png")).rgb, ElementsAre(0, 0, 0, 255, 255, 255, 224, 204, 255));
  EXPECT_THAT(read_png(golden("gray_alpha.png")).rgb, ElementsAre(50, 50, 50, 255, 255, 255));
}

TEST(ReadPng, LooksUpThePaletteAndItsTransparency) {
  EXPECT_THAT(read_png(golden("palette.png")).rgb, ElementsAre(10, 20, 30, 255, 255, 255));
}

TEST(ReadPng, IgnoresGamma) {
  EXPECT_THAT(read_png(golden("gamma.png")).rgb, ElementsAre(100, 100, 100));
}

TEST(ReadPng, PutsInterlacedRowsInPlace) {
  const Picture picture = read_png(golden("interlaced.png"));
  ASSERT_EQ(picture.rgb.size(), 3U * 9 * 10);
  for (std::size_t y = 0; y < 10; ++y) {
    for (std::size_t x = 0; x < 9; ++x) {
      EXPECT_EQ(picture.rgb[3 * (9 * y + x)], 10 * x) << x << "," << y;
      EXPECT_EQ(picture.rgb[3 * (9 * y + x) + 1], 10 * y) << x << "," << y;
    }
  }
}

TEST(ReadPng, RefusesOtherFiles) {
  const std::string path = golden("c_order.npy").string();
  expect_error(Code::kInput, fmt::format("'{}' is not a PNG file", path), [&] { read_png(path); });
  expect_error(Code::kInput, "cannot open '/nowhere/a.png': no such file or directory",
               [] { read_png("/nowhere/a.png"); });
}

TEST(ReadPng, RefusesTooManyPixels) {
  const std::string path = golden("huge.png").string();
  expect_error(Code::kInput,
               fmt::format("'{}' has 60000 x 60000 pixels, at most 67108864 are allowed", path),
               [&] { read_png(path); });
}

TEST(ReadPng, RefusesAClaimBeyondTheFile) {
  const std::string path = golden("claims.png").string();
  expect_error(Code::kInput,
               fmt::format("'{}' claims 5000 x 5000 pixels, more than its 68 bytes can hold", path),
               [&] { read_png(path); });
}

TEST(ReadPng, RefusesEveryTruncation) {
  const TempDir folder;
  const auto path = folder.path() / "a.png";
  const std::string whole = test::file_bytes(golden("interlaced.png"));
  for (std::size_t length = 8; length < whole.size() - 12; ++length) {
    test::put_file(path, whole.substr(0, length));
    EXPECT_THROW(read_png(path), Error) << length;
  }
  test::put_file(path, whole.substr(0, 40));
  expect_error(
      Code::kInput,
      fmt::format("'{}' is not a complete PNG file: the file ends too early", path.string()),
      [&] { read_png(path); });
}

TEST(ReadPng, RefusesADamagedPicture) {
  const TempDir folder;
  const auto path = folder.path() / "a.png";
  std::string file = test::file_bytes(golden("interlaced.png"));
  file[file.find("IEND") - 5] ^= 0x10;  // the CRC before IEND's length
  test::put_file(path, file);
  expect_error(Code::kInput,
               fmt::format("'{}' is not a complete PNG file: IDAT: CRC error", path.string()),
               [&] { read_png(path); });
}

TEST(ReadPng, NoFlippedByteCrashes) {
  const TempDir folder;
  const auto path = folder.path() / "a.png";
  const std::string whole = test::file_bytes(golden("palette.png"));
  for (std::size_t at = 8; at < whole.size(); ++at) {
    std::string file = whole;
    file[at] = static_cast<char>(~file[at]);
    test::put_file(path, file);
    try {
      read_png(path);
    } catch (const Error& error) {
      EXPECT_STREQ(code_name(error.code()), "input") << at;
    }
  }
}

}  // namespace
}  // namespace ingot::data
