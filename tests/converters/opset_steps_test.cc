// SPDX-License-Identifier: Apache-2.0
// Operators of one opset computed by the runtime, and again at another opset.
#include <gtest/gtest.h>

#include "tests/converters/clean_case.h"
#include "tests/converters/opset_case.h"

namespace ingot::test {
namespace {

struct StepCase {
  const char* name;
  int opset;
  std::int64_t target;
  const char* graph;
};

void PrintTo(const StepCase& one, std::ostream* out) { *out << one.name; }

std::string case_name(const ::testing::TestParamInfo<StepCase>& one) { return one.param.name; }

class OpsetSteps : public ::testing::TestWithParam<StepCase> {};

TEST_P(OpsetSteps, RuntimeComputesTheSame) {
  const StepCase& one = GetParam();
  const Converted converted = convert_and_compare(one.graph, one.opset, one.target);
  EXPECT_LE(converted.error, kNearExact);
}

constexpr StepCase kUp[] = {
    {"Slice", 7, 13,
     "g (float[4,5,6] x) => (float[] y) { y = Slice<starts=[1,-3], ends=[3,100], axes=[0,2]>(x) }"},
    {"SliceWithoutAxes", 9, 17,
     "g (float[4,5,6] x) => (float[] y) { y = Slice<starts=[1,0], ends=[3,-1]>(x) }"},
    {"TopK", 9, 17, "g (float[4,9] x) => (float[] y, int64[] i) { y, i = TopK<axis=1, k=3>(x) }"},
    {"PadConstant", 7, 17,
     "g (float[2,3] x) => (float[] y) { y = Pad<mode=\"constant\", pads=[1,0,0,2], value=1.5>(x) "
     "}"},
    {"PadReflect", 9, 19,
     "g (float[4,5] x) => (float[] y) { y = Pad<mode=\"reflect\", pads=[1,2,1,0]>(x) }"},
    {"PadOfDouble", 7, 17,
     "g (double[2,3] x) => (double[] y) { y = Pad<pads=[1,0,0,2], value=0.1>(x) }"},
    {"ClipBoth", 7, 21, "g (float[4,9] x) => (float[] y) { y = Clip<min=-0.5, max=1.25>(x) }"},
    {"ClipUpperOnly", 10, 13, "g (float[4,9] x) => (float[] y) { y = Clip<max=0.5>(x) }"},
    {"ClipNothing", 10, 13, "g (float[4,9] x) => (float[] y) { y = Clip(x) }"},
    {"SqueezeUnsqueeze", 11, 17,
     "g (float[1,4,1,5] x) => (float[] y) { a = Squeeze<axes=[0,-2]>(x) y = Unsqueeze<axes=[1]>(a) "
     "}"},
    {"SqueezeAll", 9, 13, "g (float[1,4,1] x) => (float[] y) { y = Squeeze(x) }"},
    {"ReduceSum", 11, 13, "g (float[3,4,5] x) => (float[] y) { y = ReduceSum<axes=[1,-1]>(x) }"},
    {"ReduceAll", 9, 18,
     "g (float[3,4] x) => (float[] y, float[] z) { y = ReduceSum<keepdims=0>(x) z = ReduceMean(x) "
     "}"},
    {"ReduceMean", 13, 18, "g (float[3,4,5] x) => (float[] y) { y = ReduceMean<axes=[2]>(x) }"},
    {"SplitSizes", 11, 18,
     "g (float[6,4] x) => (float[] a, float[] b) { a, b = Split<axis=0, split=[2,4]>(x) }"},
    {"SplitEqual", 11, 18, "g (float[6,4] x) => (float[] a, float[] b) { a, b = Split(x) }"},
    {"Dropout", 7, 22, "g (float[3,4] x) => (float[] y) { y = Dropout<ratio=0.3>(x) }"},
    {"DropoutMask", 10, 13, "g (float[3,4] x) => (float[] y, bool[] m) { y, m = Dropout(x) }"},
    {"DropoutMaskOfFloats", 7, 10,
     "g (float[3,4] x) => (float[] y, float[3,4] m) { y, m = Dropout(x) }"},
    {"SoftmaxInTheMiddle", 11, 21,
     "g (float[2,3,4,5] x) => (float[] y) { y = Softmax<axis=2>(x) }"},
    {"SoftmaxByDefault", 7, 13, "g (float[2,3,4] x) => (float[] y) { y = Softmax(x) }"},
    {"SoftmaxAtTheEnd", 11, 13, "g (float[2,3,4] x) => (float[] y) { y = Softmax<axis=-1>(x) }"},
    {"LogSoftmaxFromTheFirst", 9, 13,
     "g (float[2,3,4] x) => (float[] y) { y = LogSoftmax<axis=0>(x) }"},
    {"HardmaxInTheMiddle", 11, 21,
     "g (float[2,3,4,5] x) => (float[] y) { y = Hardmax<axis=1>(x) }"},
    {"SoftmaxOfOpenShape", 11, 14,
     "g (float[N,3,M] x) => (float[N,3,M] y) { y = Softmax<axis=1>(x) }"},
    {"SoftmaxInIf", 11, 17,
     R"(g (float[2,3,4] x, bool c) => (float[] y) {
          y = If (c) <then_branch = a () => (float[] t) { t = Softmax<axis=1>(x) },
                      else_branch = b () => (float[] e) { e = Hardmax<axis=0>(x) }> })"},
    {"UpsampleNearest", 9, 17,
     R"(g (float[1,2,3,4] x) => (float[] y) <float[4] s = {1,1,2.5,1.5}> { y = Upsample<mode="nearest">(x, s) })"},
    {"UpsampleLinear", 9, 11,
     R"(g (float[1,2,3,4] x) => (float[] y) <float[4] s = {1,1,2.5,1.5}> { y = Upsample<mode="linear">(x, s) })"},
    {"UpsampleByAttribute", 7, 19,
     R"(g (float[1,2,3,4] x) => (float[] y) { y = Upsample<mode="linear", scales=[1.0,1.0,2.0,3.0]>(x) })"},
    {"UpsampleToTen", 9, 10,
     R"(g (float[1,2,3,4] x) => (float[] y) <float[4] s = {1,1,2.5,1.5}> { y = Upsample(x, s) })"},
    {"ResizeUp", 10, 17,
     R"(g (float[1,2,3,4] x) => (float[] y) <float[4] s = {1,1,2.5,1.7}> { y = Resize<mode="nearest">(x, s) })"},
    {"ResizeDown", 10, 13,
     R"(g (float[1,2,9,8] x) => (float[] y) <float[4] s = {1,1,0.6,0.3}> { y = Resize<mode="nearest">(x, s) })"},
    {"ResizeUpAndDown", 10, 19,
     R"(g (float[1,2,9,8] x) => (float[] y) <float[4] s = {1,1,0.6,1.7}> { y = Resize<mode="nearest">(x, s) })"},
    {"ResizeByComputedScales", 10, 13,
     R"(g (float[1,2,9,8] x) => (float[1,2,5,13] y) <float[4] s = {1,1,0.6,1.7}, float[4] one = {1,1,1,1}> {
          c = Mul(s, one) y = Resize(x, c) })"},
    {"ResizeLinear", 10, 18,
     R"(g (float[1,2,9,8] x) => (float[] y) <float[4] s = {1,1,0.6,1.7}> { y = Resize<mode="linear">(x, s) })"},
    {"ResizeForNeuralNetworks", 11, 13,
     R"(g (float[1,1,7,5] x) => (float[] y) <float[0] r = {}, float[4] s = {1,1,0.6,1.7}> {
          y = Resize<mode="nearest", coordinate_transformation_mode="tf_half_pixel_for_nn", nearest_mode="floor">(x, r, s) })"},
    {"ResizeBySizes", 11, 17,
     R"(g (float[1,1,7,5] x) => (float[] y) <float[0] e = {}, int64[4] s = {1,1,9,4}> { y = Resize<mode="linear">(x, e, e, s) })"},
    {"BatchNormPerActivation", 7, 15,
     R"(g (float[2,2,2] x) => (float[] y) <float[2,2] s = {1,2,3,4}, float[2,2] b = {0.1,0.2,0.3,0.4}, float[2,2] m = {1,0,1,0}, float[2,2] v = {1,2,0.5,1}> {
          y = BatchNormalization<spatial=0>(x, s, b, m, v) })"},
    {"BatchNorm", 7, 22,
     R"(g (float[2,2,3] x) => (float[] y) <float[2] s = {1,2}, float[2] b = {0.1,0.2}, float[2] m = {1,0}, float[2] v = {1,2}> {
          y = BatchNormalization<epsilon=0.01>(x, s, b, m, v) })"},
    {"RoiAlign", 10, 21,
     R"(g (float[1,2,6,6] x) => (float[] y) <float[2,4] r = {0,0,4,4,1,1,5,3}, int64[2] b = {0,0}> {
          y = RoiAlign<output_height=2, output_width=2>(x, r, b) })"},
    {"ScatterElements", 9, 18,
     R"(g (float[3,3] x) => (float[] y) <int64[1,2] i = {1,0}, float[1,2] u = {7,8}> { y = Scatter<axis=0>(x, i, u) })"},
    {"GridSample", 16, 22,
     R"(g (float[1,1,4,4] x, float[1,2,2,2] p) => (float[] y) { y = GridSample<mode="bilinear">(x, p) })"},
    {"GridSampleCubic", 16, 20,
     R"(g (float[1,1,4,4] x, float[1,2,2,2] p) => (float[] y) { y = GridSample<mode="bicubic">(x, p) })"},
    {"GroupNorm", 18, 21,
     R"(g (float[2,4,3] x) => (float[] y) <float[2] s = {1,2}, float[2] b = {0.5,-0.5}> {
          y = GroupNormalization<num_groups=2>(x, s, b) })"},
    {"GroupNormOfOpenShape", 18, 21,
     R"(g (float[N,C,3] x) => (float[] y) <float[1] s = {2}, float[1] b = {0.5}> {
          y = GroupNormalization<num_groups=1>(x, s, b) })"},
    {"FourierAxis", 17, 20, "g (float[1,8,3,1] x) => (float[] y) { y = DFT(x) }"},
    {"ScanOverBatch", 8, 17,
     R"(g (float[2,3] s, float[2,4,3] x) => (float[] y, float[] z) {
          y, z = Scan<num_scan_inputs=1, body = b (float[3] a, float[3] n) => (float[3] o, float[3] p) {
            o = Add(a, n) p = Identity(o) }>("", s, x) })"},
    {"ScanBackwards", 8, 11,
     R"(g (float[2,3] s, float[2,4,3] x) => (float[] y, float[] z) {
          y, z = Scan<num_scan_inputs=1, directions=[1], body = b (float[3] a, float[3] n) => (float[3] o, float[3] p) {
            o = Sub(a, n) p = Identity(o) }>("", s, x) })"},
    {"MaxPoolRoundedUp", 10, 22,
     "g (float[1,1,7,7] x) => (float[] y) { y = MaxPool<kernel_shape=[3,3], strides=[2,2], "
     "pads=[1,1,1,1], ceil_mode=1>(x) }"},
    {"AveragePoolOfPads", 7, 22,
     "g (float[1,1,6,6] x) => (float[] y) { y = AveragePool<kernel_shape=[3,3], strides=[2,2], "
     "pads=[1,1,1,1], count_include_pad=1>(x) }"},
    {"OneHot", 9, 11,
     "g (float[2] v) => (float[] y) <int64[3] i = {0,2,5}, int64 d = {4}> { y = OneHot(i, d, v) }"},
    {"Lstm", 7, 22,
     R"(g (float[3,1,2] x) => (float[] y, float[] h) <float[1,4,2] w = {0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8}, float[1,4,1] r = {0.1,0.2,0.3,0.4}> {
          y, h = LSTM<hidden_size=1>(x, w, r) })"},
};

INSTANTIATE_TEST_SUITE_P(Up, OpsetSteps, ::testing::ValuesIn(kUp), case_name);

constexpr StepCase kDown[] = {
    {"Slice", 13, 9,
     R"(g (float[4,5,6] x) => (float[] y) <int64[2] s = {1,-3}, int64[2] e = {3,100}, int64[2] a = {0,2}> { y = Slice(x, s, e, a) })"},
    {"TopK", 17, 9,
     "g (float[4,9] x) => (float[] y, int64[] i) <int64[1] k = {3}> { y, i = TopK<axis=1>(x, k) }"},
    {"PadValue", 17, 9,
     R"(g (float[2,3] x) => (float[] y) <int64[4] p = {1,0,0,2}, float v = {1.5}> { y = Pad(x, p, v) })"},
    {"PadOfAxes", 21, 13,
     R"(g (float[2,3] x) => (float[] y) <int64[2] p = {1,2}, int64[1] a = {-1}> { y = Pad(x, p, "", a) })"},
    {"Clip", 21, 10, "g (float[4,9] x) => (float[] y) <float a = {-0.5}> { y = Clip(x, a) }"},
    {"SqueezeUnsqueeze", 17, 11,
     R"(g (float[1,4,1,5] x) => (float[] y) <int64[2] a = {0,-2}, int64[1] b = {-1}> { s = Squeeze(x, a) y = Unsqueeze(s, b) })"},
    {"NegativeAxesBeforeEleven", 17, 9,
     R"(g (float[1,4,1,5] x) => (float[] y, float[] z) <int64[2] a = {0,-2}, int64[1] b = {-1}> {
          s = Squeeze(x, a) y = Unsqueeze(s, b) z = Concat<axis=-1>(x, x) })"},
    {"ReduceSum", 17, 11,
     "g (float[3,4,5] x) => (float[] y) <int64[1] a = {-1}> { y = ReduceSum(x, a) }"},
    {"ReduceMean", 18, 13,
     "g (float[3,4,5] x) => (float[] y) <int64[1] a = {1}> { y = ReduceMean<keepdims=0>(x, a) }"},
    {"SplitUnequal", 18, 11,
     "g (float[7,4] x) => (float[] a, float[] b) { a, b = Split<num_outputs=2>(x) }"},
    {"SplitEqual", 18, 13,
     "g (float[6,4] x) => (float[] a, float[] b) { a, b = Split<num_outputs=2>(x) }"},
    {"Dropout", 22, 7,
     "g (float[3,4] x) => (float[] y) <float r = {0.3}, bool t = {0}> { y = Dropout(x, r, t) }"},
    {"DropoutMask", 13, 10, "g (float[3,4] x) => (float[] y, bool[] m) { y, m = Dropout(x) }"},
    {"SoftmaxAtTheEnd", 21, 11, "g (float[2,3,4] x) => (float[] y) { y = Softmax(x) }"},
    {"SoftmaxInTheMiddle", 21, 9, "g (float[2,3,4,5] x) => (float[] y) { y = Softmax<axis=1>(x) }"},
    {"ShapeOfSome", 21, 13,
     "g (float[2,3,4] x) => (int64[] y, int64[] z) { y = Shape<start=1>(x) z = Shape<start=-2, "
     "end=-1>(x) }"},
    {"ShapeOfSomeBeforeTen", 17, 9,
     "g (float[2,3,4] x) => (int64[] y) { y = Shape<start=-2, end=-1>(x) }"},
    {"ResizeWithoutRegion", 19, 11,
     R"(g (float[1,1,4,4] x) => (float[] y) <float[4] s = {1,1,2,1.5}> { y = Resize<mode="linear">(x, "", s) })"},
    {"ResizeSizesOfAxes", 18, 11,
     R"(g (float[1,1,4,4] x) => (float[] y) <int64[2] s = {7,9}> { y = Resize<mode="linear", axes=[2,3]>(x, "", "", s) })"},
    {"ResizeScalesOfAxes", 19, 13,
     R"(g (float[1,1,4,4] x) => (float[] y) <float[2] s = {2,1.5}> { y = Resize<mode="linear", axes=[-2,-1]>(x, "", s) })"},
    {"ConstantOfNumbers", 13, 11,
     "g (float[2] x) => (float[] y) { c = Constant<value_floats=[1.5,2.5]>() y = Add(x, c) }"},
    {"BatchNorm", 22, 9,
     R"(g (float[2,2,3] x) => (float[] y) <float[2] s = {1,2}, float[2] b = {0.1,0.2}, float[2] m = {1,0}, float[2] v = {1,2}> {
          y = BatchNormalization<epsilon=0.01, training_mode=0>(x, s, b, m, v) })"},
    {"RoiAlign", 16, 10,
     R"(g (float[1,2,6,6] x) => (float[] y) <float[2,4] r = {0,0,4,4,1,1,5,3}, int64[2] b = {0,0}> {
          y = RoiAlign<coordinate_transformation_mode="output_half_pixel", output_height=2, output_width=2>(x, r, b) })"},
    {"GridSample", 20, 16,
     R"(g (float[1,1,4,4] x, float[1,2,2,2] p) => (float[] y) { y = GridSample<mode="cubic">(x, p) })"},
    {"FourierAxis", 20, 17,
     R"(g (float[1,8,3,1] x) => (float[] y) <int64 a = {1}> { y = DFT(x, "", a) })"},
    {"ReshapeThatAllowsZero", 14, 13,
     "g (float[2,6] x) => (float[] y) <int64[2] s = {3,4}> { y = Reshape<allowzero=1>(x, s) }"},
    {"DefaultsThatAreWritten", 22, 9,
     "g (float[1,1,7,7] x) => (float[] y) { y = AveragePool<kernel_shape=[3,3], ceil_mode=0, "
     "dilations=[1,1]>(x) }"},
};

INSTANTIATE_TEST_SUITE_P(Down, OpsetSteps, ::testing::ValuesIn(kDown), case_name);

}  // namespace
}  // namespace ingot::test
