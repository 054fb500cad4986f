// SPDX-License-Identifier: Apache-2.0
// Attributes that were renamed or gained a choice, and other small differences.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "converters/opset/older_version.h"
#include "converters/opset/rewrites.h"
#include "graph/constant_node.h"

namespace ingot::converters {
namespace {

void rename_choice(NodeChange& change, const char* name, std::string_view from, const char* to) {
  if (change.has(name) && change.text(name, "") == from)
    graph::set_attribute(change.node, name, std::string(to));
}

void refuse_choice(const NodeChange& change, const char* name, std::string_view value) {
  if (change.has(name) && change.text(name, "") == value)
    change.refuse(fmt::format("{} is '{}'", name, value));
}

constexpr const char* kCoordinates = "coordinate_transformation_mode";
constexpr const char* kOldCorners = "output_half_pixel";

}  // namespace

void roi_align_old_corners(NodeChange& change) {
  graph::set_attribute(change.node, kCoordinates, std::string(kOldCorners));
}

void roi_align_only_old_corners(NodeChange& change) {
  const std::string mode = change.text(kCoordinates, "half_pixel");
  if (mode != kOldCorners) change.refuse(fmt::format("{} is '{}'", kCoordinates, mode));
  change.drop(kCoordinates);
}

void grid_sample_new_modes(NodeChange& change) {
  rename_choice(change, "mode", "bilinear", "linear");
  rename_choice(change, "mode", "bicubic", "cubic");
}

void grid_sample_old_modes(NodeChange& change) {
  constexpr std::int64_t kImages = 4;
  const auto rank = change.rank(0);
  if (rank && *rank != kImages) change.refuse(fmt::format("its input has rank {}", *rank));
  rename_choice(change, "mode", "linear", "bilinear");
  rename_choice(change, "mode", "cubic", "bicubic");
}

void mod_of_floats(NodeChange& change) {
  if (is_float(change.dtype(0)) && change.integer("fmod", 0) == 0)
    change.refuse("fmod is 0 and the inputs are no integers");
}

void no_extreme_scatter(NodeChange& change) {
  for (const char* reduction : {"max", "min"}) refuse_choice(change, "reduction", reduction);
}

void no_symmetric_resize(NodeChange& change) {
  refuse_choice(change, kCoordinates, "half_pixel_symmetric");
}

void no_wrapped_pad(NodeChange& change) { refuse_choice(change, "mode", "wrap"); }

void no_zero_allowed(NodeChange& change) {
  if (change.integer("allowzero", 0) != 0) {
    const auto shape = change.known_integers(1);
    if (std::ranges::find(shape, 0) != shape.end())
      change.refuse("allowzero is set and the shape has a 0");
  }
  change.drop("allowzero");
}

void only_largest_sorted(NodeChange& change) {
  if (change.integer("largest", 1) == 0) change.refuse("it looks for the smallest");
  change.drop("largest");
  change.drop("sorted");
}

void check_types(NodeChange& change) { require_types(change); }

void value_as_tensor(NodeChange& change) {
  const auto value = graph::plain_constant(change.node);
  if (!value) {
    if (!change.has("value") && !change.has("sparse_value"))
      change.refuse("the value is given by the caller of the function");
    return;
  }
  change.node.clear_attribute();
  change.set_tensor("value", *value);
}

void slice_shape(NodeChange& change) {
  const std::int64_t start = change.integer("start", 0);
  const std::int64_t end = change.integer("end", std::numeric_limits<std::int64_t>::max());
  const bool is_whole = !change.has("end") && start == 0;
  change.drop("start");
  change.drop("end");
  if (is_whole) return;
  const std::string output = change.node.output(0);
  const std::string starts = change.integers_constant("start", {start});
  const std::string ends = change.integers_constant("end", {end});
  change.after("Slice", {change.detach_output(0), starts, ends}, output);
}

void scatter_elements(NodeChange& change) { change.node.set_op_type("ScatterElements"); }

void count_outputs(NodeChange& change) {
  if (change.has_input(1)) return;
  graph::set_attribute(change.node, "num_outputs",
                       static_cast<std::int64_t>(change.node.output_size()));
}

void split_without_count(NodeChange& change) {
  if (!change.has("num_outputs")) return;
  const std::int64_t parts = change.integer("num_outputs", 1);
  change.drop("num_outputs");
  std::int64_t axis = change.integer("axis", 0);
  const std::int64_t rank = change.known_rank(0);
  axis += axis < 0 ? rank : 0;
  const std::int64_t extent =
      axis < 0 || axis >= rank ? -1 : (*change.shape(0))[static_cast<std::size_t>(axis)];
  if (extent < 0) change.refuse("the size of the axis that is split is not known");
  if (parts < 1 || extent % parts == 0) return;
  const std::int64_t size = (extent + parts - 1) / parts;
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(parts), size);
  sizes.back() = extent - size * (parts - 1);
  if (sizes.back() < 0) change.refuse(fmt::format("{} elements in {} parts", extent, parts));
  change.set_input(1, change.integers_constant("sizes", sizes));
}

}  // namespace ingot::converters
