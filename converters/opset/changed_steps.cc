// SPDX-License-Identifier: Apache-2.0
// Steps that need a rewrite in at least one direction, or have none.
#include <array>

#include "converters/opset/rewrites.h"
#include "converters/opset/steps.h"

namespace ingot::converters {
namespace {

constexpr StepWay kSame{};

constexpr StepWay by(void (*rewrite)(NodeChange&), const char* note) {
  return {StepKind::kConverted, rewrite, note};
}
constexpr StepWay no(const char* note) { return {StepKind::kNot, nullptr, note}; }

// The way down of rows up to version 7 is never taken: opsets below 7 are not written.
constexpr auto kEarly = std::to_array<StepRow>({
    {"GlobalLpPool LpPool", 1, 2, by(norm_as_integer, "p becomes an integer"), kSame},
    {"Pad", 1, 2, by(rename_paddings, "paddings is called pads"), kSame},
    {"Split", 1, 2, by(split_axis_explicit, "axis is written, a split input must be constant"),
     kSame},
    {"Concat", 1, 4, by(concat_axis_explicit, "axis is written"), kSame},
    {"Reshape", 1, 5, by(shape_to_input, "shape becomes an input"), kSame},
    {"Cast", 1, 6, by(cast_by_number, "the type's name becomes its number"), kSame},
    {"Abs Add BatchNormalization Ceil Clip Div Dropout Elu Exp Floor HardSigmoid "
     "InstanceNormalization LeakyRelu Log Max Mean Min Mul Neg PRelu Reciprocal Relu Sigmoid Sqrt "
     "Sub Sum Tanh",
     1, 6, by(drop_consumed_inputs, "consumed_inputs means nothing and is dropped"), kSame},
    {"Selu", 1, 6, by(keep_old_selu, "the old defaults are written"), kSame},
    {"Tile", 1, 6, by(tile_all_axes, "constant tiles and axis become repeats of every axis"),
     kSame},
    {"And Equal Greater Less Or Pow Xor", 1, 7,
     by(align_second_input, "the axis of the broadcast becomes a shape"), kSame},
    {"LSTM RNN", 1, 7, by(drop_output_sequence, "output_sequence is dropped"), kSame},
    {"Upsample", 1, 7, by(upsample_scales, "scales of height and width become scales"), kSame},
    {"GRU", 3, 7, by(drop_output_sequence, "output_sequence is dropped"), kSame},
    {"Add Div Mul Sub", 6, 7, by(align_second_input, "the axis of the broadcast becomes a shape"),
     kSame},
    {"PRelu", 6, 7, by(align_slope, "the slope per channel becomes a shape"), kSame},
    {"Gemm", 6, 7, by(drop_broadcast, "broadcast is dropped"), kSame},
    {"BatchNormalization", 6, 7, by(require_inference, "inference only"), kSame},
    {"Dropout", 6, 7, by(require_test_mode, "inference only"), kSame},
});

constexpr auto kLater = std::to_array<StepRow>({
    {"Max Mean Min Sum", 6, 8, kSame,
     by(require_equal_shapes, "inputs of one known shape only: there is no broadcast before")},
    {"BatchNormalization", 7, 9,
     by(spell_out_per_activation, "spatial=0 becomes arithmetic, else nothing changes"), kSame},
    {"Upsample", 7, 9, by(scales_to_input, "scales become an input"),
     by(scales_to_attribute, "constant scales become an attribute")},
    {"Scan", 8, 9, by(scan_over_batch, "a Scan over the batch around the Scan of one sample"),
     no("Scan has a batch dimension before")},
    {"Dropout", 7, 10, by(mask_of_input_type, "the mask is cast to the type of the input"),
     by(mask_of_input_type, "the mask is cast to bool")},
    {"Slice", 1, 10, by(slice_to_inputs, "starts, ends and axes become inputs"),
     by(slice_to_attributes, "constant starts, ends and axes become attributes; no steps")},
    {"TopK", 1, 10, by(k_to_input, "k becomes an input"),
     by(k_to_attribute, "a constant k becomes an attribute")},
    {"Upsample", 9, 10, by(upsample_to_resize, "becomes a Resize"),
     no("the operator is withdrawn")},
    {"ArgMax ArgMin Gather Hardmax LogSoftmax ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp "
     "ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare Softmax Squeeze "
     "Unsqueeze",
     1, 11, kSame, by(count_axes_from_front, "negative axes are counted from the front")},
    {"Pad", 2, 11, by(pads_to_inputs, "pads and value become inputs"),
     by(pads_to_attributes, "constant pads and value become attributes")},
    {"Split", 2, 11, kSame, by(count_axes_from_front, "negative axes are counted from the front")},
    {"Concat", 4, 11, kSame, by(count_axes_from_front, "negative axes are counted from the front")},
    {"Clip", 6, 11, by(limits_to_inputs, "min and max become inputs"),
     by(limits_to_attributes, "constant min and max become attributes")},
    {"Compress Flatten OneHot", 9, 11, kSame,
     by(count_axes_from_front, "negative axes are counted from the front")},
    {"Scatter", 9, 11, by(scatter_elements, "is called ScatterElements"),
     no("the operator is withdrawn")},
    {"Resize", 10, 11,
     by(resize_by_old_rule, "coordinates asymmetric, nearest rounds down (scales below 1: up)"),
     no("Resize places and rounds coordinates by another rule before")},
    {"TopK", 10, 11, kSame, by(only_largest_sorted, "the largest only")},
    {"Dropout", 10, 12, by(dropout_ratio_to_input, "ratio becomes an input"),
     by(dropout_ratio_to_attribute, "a constant ratio becomes an attribute; inference only")},
    {"Constant", 11, 12, kSame, by(value_as_tensor, "the value becomes a tensor")},
    {"Erf", 9, 13, by(check_types, "float types only"), kSame},
    {"Squeeze Unsqueeze", 11, 13, by(axes_to_input, "axes become an input"),
     by(axes_to_attribute, "constant axes become an attribute")},
    {"ReduceSum", 11, 13, by(axes_to_input, "axes become an input"),
     by(reduced_axes_to_attribute, "constant axes become an attribute")},
    {"Hardmax LogSoftmax Softmax", 11, 13,
     by(flatten_around, "the input is flattened at axis where axis is not the last"),
     by(one_axis_flattened, "the axis is moved to the end where it is not there")},
    {"Resize", 11, 13,
     by(resize_without_retired_mode,
        "tf_half_pixel_for_nn becomes half_pixel, empty scales become absent"),
     by(resize_with_all_inputs, "absent inputs become empty ones")},
    {"Split", 11, 13, by(split_to_input, "split becomes an input"),
     by(split_to_attribute, "a constant split becomes an attribute")},
    {"BatchNormalization", 9, 14, by(require_single_output, "inference only"),
     by(batch_norm_without_training, "inference only")},
    {"Reshape", 13, 14, kSame, by(no_zero_allowed, "allowzero only where it changes nothing")},
    {"Shape", 13, 15, kSame, by(slice_shape, "start and end become a Slice")},
    {"RoiAlign", 10, 16, by(roi_align_old_corners, "output_half_pixel is written"),
     by(roi_align_only_old_corners, "output_half_pixel only")},
    {"ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd "
     "ReduceSumSquare",
     13, 18, by(axes_to_input, "axes become an input"),
     by(reduced_axes_to_attribute, "constant axes become an attribute")},
    {"Split", 13, 18, by(count_outputs, "num_outputs is written"),
     by(split_without_count, "sizes are written where the parts are not equal")},
    {"Pad", 13, 18, kSame, by(pad_all_axes, "constant axes and pads become pads of every axis")},
    {"Resize", 13, 18, kSame,
     by(resize_all_axes, "constant axes and scales become scales of every axis")},
    {"ScatterElements ScatterND", 16, 18, kSame, by(no_extreme_scatter, "no max and min")},
    {"Pad", 18, 19, kSame, by(no_wrapped_pad, "no wrap")},
    {"Resize", 18, 19, kSame, by(no_symmetric_resize, "no half_pixel_symmetric")},
    {"DFT", 17, 20, by(dft_axis_to_input, "axis becomes an input"),
     by(dft_axis_to_attribute, "a constant axis becomes an attribute")},
    {"GridSample", 16, 20, by(grid_sample_new_modes, "modes are called linear and cubic"),
     by(grid_sample_old_modes, "modes are called bilinear and bicubic; two dimensions only")},
    {"GroupNormalization", 18, 21, by(scale_per_channel, "scale and bias are repeated per channel"),
     no("scale and bias are per group before")},
    {"Mod", 13, 28, kSame, by(mod_of_floats, "fmod=0 of integers only")},
    {"ReduceLogSum ReduceLogSumExp", 18, 28, by(check_types, "float types only"), kSame},
});

constexpr auto all_rows() {
  std::array<StepRow, kEarly.size() + kLater.size()> rows{};
  std::copy(kEarly.begin(), kEarly.end(), rows.begin());
  std::copy(kLater.begin(), kLater.end(), rows.begin() + kEarly.size());
  return rows;
}
constexpr auto kChanged = all_rows();

}  // namespace

std::span<const StepRow> changed_steps() { return kChanged; }

}  // namespace ingot::converters
