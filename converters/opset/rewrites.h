// SPDX-License-Identifier: Apache-2.0
// The functions behind the rows of changed_steps.cc. Each takes a node from one version of its
// operator to the next (on the way down: to the one before) so that the runtime computes the same,
// or refuses it.
#pragma once

#include "converters/opset/node_change.h"

namespace ingot::converters {

// attributes_to_inputs.cc
void axes_to_input(NodeChange& change);
void slice_to_inputs(NodeChange& change);
void k_to_input(NodeChange& change);
void pads_to_inputs(NodeChange& change);
void limits_to_inputs(NodeChange& change);
void split_to_input(NodeChange& change);
void scales_to_input(NodeChange& change);
void shape_to_input(NodeChange& change);
void dropout_ratio_to_input(NodeChange& change);
void dft_axis_to_input(NodeChange& change);

// inputs_to_attributes.cc
void axes_to_attribute(NodeChange& change);
void reduced_axes_to_attribute(NodeChange& change);
void slice_to_attributes(NodeChange& change);
void k_to_attribute(NodeChange& change);
void pads_to_attributes(NodeChange& change);
void limits_to_attributes(NodeChange& change);
void split_to_attribute(NodeChange& change);
void scales_to_attribute(NodeChange& change);
void dropout_ratio_to_attribute(NodeChange& change);
void dft_axis_to_attribute(NodeChange& change);

// early_opsets.cc
void drop_consumed_inputs(NodeChange& change);
void keep_old_selu(NodeChange& change);
void concat_axis_explicit(NodeChange& change);
void split_axis_explicit(NodeChange& change);
void rename_paddings(NodeChange& change);
void norm_as_integer(NodeChange& change);
void cast_by_number(NodeChange& change);
void tile_all_axes(NodeChange& change);
void drop_output_sequence(NodeChange& change);
void drop_broadcast(NodeChange& change);
void require_inference(NodeChange& change);
void require_test_mode(NodeChange& change);
void upsample_scales(NodeChange& change);

// broadcasting.cc
void align_second_input(NodeChange& change);
void align_slope(NodeChange& change);
void require_equal_shapes(NodeChange& change);

// axes.cc
void flatten_around(NodeChange& change);
void one_axis_flattened(NodeChange& change);
void count_axes_from_front(NodeChange& change);

// resizing.cc
void upsample_to_resize(NodeChange& change);
void resize_by_old_rule(NodeChange& change);
void resize_without_retired_mode(NodeChange& change);
void resize_with_all_inputs(NodeChange& change);
void resize_all_axes(NodeChange& change);
void pad_all_axes(NodeChange& change);

// normalization.cc
void spell_out_per_activation(NodeChange& change);
void require_single_output(NodeChange& change);
void batch_norm_without_training(NodeChange& change);
void scale_per_channel(NodeChange& change);
void mask_of_input_type(NodeChange& change);

// scan.cc
void scan_over_batch(NodeChange& change);

// choices.cc
void roi_align_old_corners(NodeChange& change);
void roi_align_only_old_corners(NodeChange& change);
void grid_sample_new_modes(NodeChange& change);
void grid_sample_old_modes(NodeChange& change);
void mod_of_floats(NodeChange& change);
void no_extreme_scatter(NodeChange& change);
void no_symmetric_resize(NodeChange& change);
void no_wrapped_pad(NodeChange& change);
void no_zero_allowed(NodeChange& change);
void only_largest_sorted(NodeChange& change);
void check_types(NodeChange& change);
void value_as_tensor(NodeChange& change);
void slice_shape(NodeChange& change);
void scatter_elements(NodeChange& change);
void count_outputs(NodeChange& change);
void split_without_count(NodeChange& change);

}  // namespace ingot::converters
