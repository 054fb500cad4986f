// SPDX-License-Identifier: Apache-2.0
// Oracles: closed forms, and a naive resize in double.
#include "data/pictures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/data/files.h"
#include "tests/support/expect_error.h"

namespace ingot::data {
namespace {

using test::golden;
using testing::ElementsAre;

Picture picture_of(std::int64_t width, std::int64_t height) {
  Picture picture{width, height, {}};
  for (std::int64_t i = 0; i < 3 * width * height; ++i) {
    picture.rgb.push_back(static_cast<std::uint8_t>(i * 37 % 251));
  }
  return picture;
}

Extent fixed(std::int64_t pixels) { return {Extent::Mode::kFixed, pixels}; }
Extent keep_ratio() { return {Extent::Mode::kKeepRatio, 0}; }

TEST(PreparePicture, PutsChannelsFirst) {
  const Tensor tensor = prepare_picture({}, {2, 1, {1, 2, 3, 4, 5, 6}});
  EXPECT_EQ(tensor.shape, (Shape{1, 3, 1, 2}));
  EXPECT_THAT(tensor.as<float>(), ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST(PreparePicture, PutsChannelsLast) {
  ImageInput input;
  input.layout = Layout::kNhwc;
  const Tensor tensor = prepare_picture(input, {2, 1, {1, 2, 3, 4, 5, 6}});
  EXPECT_EQ(tensor.shape, (Shape{1, 1, 2, 3}));
  EXPECT_THAT(tensor.as<float>(), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(PreparePicture, TurnsTheColoursAround) {
  ImageInput input;
  input.color = ColorOrder::kBgr;
  EXPECT_THAT(prepare_picture(input, {1, 1, {1, 2, 3}}).as<float>(), ElementsAre(3, 2, 1));
}

TEST(PreparePicture, WeighsTheColoursForGray) {
  ImageInput input;
  input.color = ColorOrder::kGray;
  const Tensor tensor =
      prepare_picture(input, {5, 1, {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 7, 7, 7}});
  EXPECT_EQ(tensor.shape, (Shape{1, 1, 1, 5}));
  // 0.299, 0.587 and 0.114 of 255, rounded.
  EXPECT_THAT(tensor.as<float>(), ElementsAre(76, 150, 29, 255, 7));
}

TEST(PreparePicture, NormalizesEachChannelAfterDividing) {
  ImageInput input;
  input.color = ColorOrder::kBgr;
  input.divide = 10;
  input.mean = {1, 2, 3};
  input.std = {2, 4, 8};
  // B = 30 → (3 - 1) / 2; G = 20 → (2 - 2) / 4; R = 110 → (11 - 3) / 8.
  EXPECT_THAT(prepare_picture(input, {1, 1, {110, 20, 30}}).as<float>(), ElementsAre(1, 0, 1));
}

TEST(PreparePicture, KeepsBytesWithoutNormalizing) {
  ImageInput input;
  input.dtype = DType::kUint8;
  const Tensor tensor = prepare_picture(input, {1, 1, {110, 20, 30}});
  EXPECT_EQ(tensor.dtype, DType::kUint8);
  EXPECT_THAT(tensor.as<std::uint8_t>(), ElementsAre(110, 20, 30));
}

TEST(PreparePicture, RoundsBytesHalfUp) {
  ImageInput input;
  input.dtype = DType::kUint8;
  input.color = ColorOrder::kGray;
  input.width = fixed(1);
  // Half way between 10 and 13.
  EXPECT_THAT(prepare_picture(input, {2, 1, {10, 10, 10, 13, 13, 13}}).as<std::uint8_t>(),
              ElementsAre(12));
}

TEST(PreparePicture, KeepsTheRatioRoundedHalfUp) {
  ImageInput input;
  input.height = fixed(48);
  input.width = keep_ratio();
  const auto width_of = [&](std::int64_t width, std::int64_t height) {
    return prepare_picture(input, picture_of(width, height)).shape[3];
  };
  EXPECT_EQ(width_of(100, 32), 150);
  EXPECT_EQ(width_of(5, 96), 3);   // 2.5
  EXPECT_EQ(width_of(7, 100), 3);  // 3.36
  EXPECT_EQ(width_of(1, 200), 1);  // 0.24
}

TEST(PreparePicture, KeepsTheRatioOfAKeptHeight) {
  ImageInput input;
  input.width = keep_ratio();
  EXPECT_EQ(prepare_picture(input, picture_of(7, 5)).shape, (Shape{1, 3, 5, 7}));
}

TEST(PreparePicture, LimitsTheWidth) {
  ImageInput input;
  input.height = fixed(48);
  input.width = keep_ratio();
  input.max_width = 60;
  EXPECT_EQ(prepare_picture(input, picture_of(100, 32)).shape, (Shape{1, 3, 48, 60}));
}

TEST(PreparePicture, RefusesAResultThatIsTooLarge) {
  ImageInput input;
  input.name = "x";
  input.height = fixed(65536);
  input.width = keep_ratio();
  test::expect_error(Code::kInput,
                     "input 'x': a picture of 2000 x 1 pixels becomes 131072000 x 65536, at most "
                     "67108864 pixels are allowed",
                     [&] { prepare_picture(input, picture_of(2000, 1)); });
}

TEST(Resize, InterpolatesBetweenPixelCentres) {
  ImageInput input;
  input.color = ColorOrder::kGray;
  input.width = fixed(4);
  // Centres of the four: -0.25, 0.25, 0.75, 1.25 between two pixels 0 and 100.
  EXPECT_THAT(prepare_picture(input, {2, 1, {0, 0, 0, 100, 100, 100}}).as<float>(),
              ElementsAre(0, 25, 75, 100));
}

TEST(Resize, NearestTakesThePixelUnderTheCentre) {
  ImageInput input;
  input.color = ColorOrder::kGray;
  input.resize = Resize::kNearest;
  const Picture picture{3, 1, {1, 1, 1, 2, 2, 2, 3, 3, 3}};
  input.width = fixed(6);
  EXPECT_THAT(prepare_picture(input, picture).as<float>(), ElementsAre(1, 1, 2, 2, 3, 3));
  input.width = fixed(2);  // centres at 0.75 and 2.25
  EXPECT_THAT(prepare_picture(input, picture).as<float>(), ElementsAre(1, 3));
  input.width = fixed(1);
  EXPECT_THAT(prepare_picture(input, picture).as<float>(), ElementsAre(2));
}

TEST(Resize, LeavesTheSameSizeAlone) {
  const Picture picture = picture_of(5, 4);
  ImageInput input;
  input.layout = Layout::kNhwc;
  input.height = fixed(4);
  input.width = fixed(5);
  const Tensor tensor = prepare_picture(input, picture);
  for (std::size_t i = 0; i < picture.rgb.size(); ++i) {
    EXPECT_EQ(tensor.as<float>()[i], picture.rgb[i]);
  }
}

/// The value at a point, by the definition: a weighted sum over all pixels with a tent of width 1.
double naive_bilinear(const Picture& picture, double y, double x, std::int64_t channel) {
  y = std::clamp(y, 0.0, static_cast<double>(picture.height - 1));
  x = std::clamp(x, 0.0, static_cast<double>(picture.width - 1));
  double sum = 0;
  for (std::int64_t row = 0; row < picture.height; ++row) {
    for (std::int64_t column = 0; column < picture.width; ++column) {
      const double weight = std::max(0.0, 1 - std::abs(y - static_cast<double>(row))) *
                            std::max(0.0, 1 - std::abs(x - static_cast<double>(column)));
      sum += weight *
             picture.rgb[static_cast<std::size_t>(3 * (row * picture.width + column) + channel)];
    }
  }
  return sum;
}

TEST(Resize, BilinearEqualsTheNaiveForm) {
  const Picture picture = picture_of(7, 5);
  for (const auto& [height, width] : {std::pair{11, 3}, {2, 20}, {5, 7}, {1, 1}, {48, 67}}) {
    ImageInput input;
    input.height = fixed(height);
    input.width = fixed(width);
    const Tensor tensor = prepare_picture(input, picture);
    const auto values = tensor.as<float>();
    std::size_t i = 0;
    for (std::int64_t channel = 0; channel < 3; ++channel) {
      for (int row = 0; row < height; ++row) {
        for (int column = 0; column < width; ++column, ++i) {
          const double y = (row + 0.5) * 5 / height - 0.5, x = (column + 0.5) * 7 / width - 0.5;
          EXPECT_NEAR(values[i], naive_bilinear(picture, y, x, channel), 1e-4) << i;
        }
      }
    }
  }
}

TEST(PrepareImage, ReadsThenPrepares) {
  ImageInput input;
  input.color = ColorOrder::kBgr;
  const Tensor tensor = prepare_image(input, golden("rgb.png"));
  EXPECT_EQ(tensor.shape, (Shape{1, 3, 2, 2}));
  EXPECT_THAT(tensor.as<float>(), ElementsAre(0, 0, 255, 255, 0, 255, 0, 255, 255, 0, 0, 255));
}

TEST(PrepareSample, TakesOneFilePerInputAndTakesTime) {
  ImageInput a, b;
  a.name = "a";
  b.name = "b";
  b.color = ColorOrder::kGray;
  const Sample sample =
      prepare_sample(std::vector{a, b}, std::vector{golden("rgb.png"), golden("gray.png")});
  EXPECT_EQ(sample.name, golden("rgb.png"));
  EXPECT_EQ(sample.inputs.at("a").shape, (Shape{1, 3, 2, 2}));
  EXPECT_THAT(sample.inputs.at("b").as<float>(), ElementsAre(0, 100, 255));
  EXPECT_GT(sample.decode_seconds, 0);
  EXPECT_GT(sample.preprocess_seconds, 0);
}

}  // namespace
}  // namespace ingot::data
