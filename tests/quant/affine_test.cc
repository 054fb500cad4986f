// SPDX-License-Identifier: Apache-2.0
#include "quant/affine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace ingot::quant {
namespace {

TEST(Uint8Params, CoverTheRangeWithZeroExact) {
  const ActivationParams params = uint8_params({-1, 3});
  EXPECT_FLOAT_EQ(params.scale, 4.0F / 255);
  EXPECT_EQ(params.zero_point, 64);  // round(1 / (4/255)) = round(63.75)
}

TEST(Uint8Params, WidenToHoldZero) {
  EXPECT_EQ(uint8_params({2, 5}).zero_point, 0);
  EXPECT_FLOAT_EQ(uint8_params({2, 5}).scale, 5.0F / 255);
  EXPECT_EQ(uint8_params({-5, -2}).zero_point, 255);
}

TEST(Uint8Params, GiveAnEmptyRangeScaleOne) {
  EXPECT_EQ(uint8_params({0, 0}).scale, 1);
  EXPECT_EQ(uint8_params({0, 0}).zero_point, 0);
}

TEST(Uint8Params, NeverHaveASubnormalScale) {
  EXPECT_GE(uint8_params({0, 1e-42F}).scale, std::numeric_limits<float>::min());
}

TEST(ChannelLayout, CountsOuterAndInnerAroundTheAxis) {
  const ChannelLayout layout = ChannelLayout::along({2, 3, 4, 5}, 1);
  EXPECT_EQ(layout.outer, 2);
  EXPECT_EQ(layout.channels, 3);
  EXPECT_EQ(layout.inner, 20);
  EXPECT_EQ(layout.scale_shape, (Shape{1, 3, 1, 1}));
}

TEST(ChannelLayout, TakesEveryRowOfARecurrentWeightAsAChannel) {
  const ChannelLayout layout = ChannelLayout::rows({2, 8, 3});
  EXPECT_EQ(layout.channels, 16);
  EXPECT_EQ(layout.inner, 3);
  EXPECT_EQ(layout.scale_shape, (Shape{2, 8, 1}));
}

TEST(QuantizeWeights, ScaleByTheLargestOfEachChannel) {
  // Channels along the last axis: {1, -2} and {127, 63.5}.
  const std::vector<float> weights{1, 127, -2, 63.5};
  const ChannelWeights q = quantize_weights(weights, ChannelLayout::along({2, 2}, 1));
  EXPECT_FLOAT_EQ(q.scales[0], 2.0F / 127);
  EXPECT_FLOAT_EQ(q.scales[1], 1);
  // 63.5 is a tie: half to even gives 64; 1 / (2/127) = 63.5 likewise.
  EXPECT_EQ(q.values, (std::vector<std::int8_t>{64, 127, -127, 64}));
}

TEST(QuantizeWeights, GiveAZeroChannelScaleOne) {
  const ChannelWeights q =
      quantize_weights(std::vector<float>{0, 0}, ChannelLayout::along({1, 2}, 0));
  EXPECT_EQ(q.scales, (std::vector<float>{1}));
  EXPECT_EQ(q.values, (std::vector<std::int8_t>{0, 0}));
}

TEST(QuantizeWeights, ErrAtMostHalfAStep) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<float> weights(12 * 33);
  for (float& w : weights) w = normal(random);
  const ChannelLayout layout = ChannelLayout::along({12, 33}, 0);
  const ChannelWeights q = quantize_weights(weights, layout);
  const std::vector<float> back = dequantize_weights(q, layout);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    EXPECT_LE(std::abs(back[i] - weights[i]), q.scales[i / 33] * 0.5001F) << i;
  }
}

TEST(QuantizeWeights, AreIdempotent) {
  const std::vector<float> weights{0.3F, -1.7F, 2.9F, 0.01F};
  const ChannelLayout layout = ChannelLayout::along({2, 2}, 0);
  const ChannelWeights once = quantize_weights(weights, layout);
  const ChannelWeights twice = quantize_weights(dequantize_weights(once, layout), layout);
  EXPECT_EQ(once.values, twice.values);
}

TEST(QuantizeWeights, KeepTheLeastScaleAsked) {
  const ChannelWeights q = quantize_weights(
      std::vector<float>{127, 1}, ChannelLayout::along({2, 1}, 0), std::vector<float>{0.5F, 0.5F});
  EXPECT_EQ(q.scales, (std::vector<float>{1, 0.5F}));
  EXPECT_EQ(q.values, (std::vector<std::int8_t>{127, 2}));
}

TEST(QuantizeBias, UsesTheProductOfBothScales) {
  EXPECT_EQ(quantize_bias(std::vector<float>{1, -0.75F}, 0.5F, std::vector<float>{0.25F, 0.5F}),
            (std::vector<std::int32_t>{8, -3}));
}

TEST(LeastWeightScale, BoundsTheIntegerBias) {
  const std::vector<float> bias{1000, 0};
  const std::vector<float> least = least_weight_scale(bias, 1e-6F);
  const std::vector<std::int32_t> q = quantize_bias(bias, 1e-6F, least);
  EXPECT_NEAR(q[0], 1 << 30, 1 << 8);
  EXPECT_EQ(q[1], 0);
}

TEST(SqnrDb, IsTenPerFactorOfTenInPower) {
  EXPECT_NEAR(sqnr_db(std::vector<float>{10, 0}, std::vector<float>{9, 0}), 20, 1e-9);
  EXPECT_EQ(sqnr_db(std::vector<float>{1}, std::vector<float>{1}),
            std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace ingot::quant
