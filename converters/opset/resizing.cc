// SPDX-License-Identifier: Apache-2.0
// Upsample and Resize, and Pad, which got its axes with Resize.
#include <fmt/format.h>

#include <algorithm>

#include "converters/opset/rewrites.h"

namespace ingot::converters {
namespace {

constexpr int kRoi = 1, kScales = 2, kSizes = 3;

void set_text(onnx::NodeProto& node, const char* name, const char* value) {
  graph::set_attribute(node, name, std::string(value));
}

Tensor no_floats() { return Tensor::zeros(DType::kFloat, {0}); }

/// `values` of the axes named, for all of `count` values with `neutral` elsewhere.
template <class T>
std::vector<T> spread(const std::vector<T>& values, const std::vector<std::int64_t>& axes,
                      std::vector<T> neutral) {
  for (std::size_t i = 0; i < axes.size() && i < values.size(); ++i)
    neutral[static_cast<std::size_t>(axes[i])] = values[i];
  return neutral;
}

std::vector<std::int64_t> from_front(NodeChange& change, std::vector<std::int64_t> axes) {
  const std::int64_t rank = change.known_rank(0);
  for (std::int64_t& axis : axes) {
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank)
      change.refuse(fmt::format("an axis is {}, the rank {}", axis, rank));
  }
  return axes;
}

std::optional<std::vector<float>> known_floats(NodeChange& change, const std::string& name) {
  const auto view = change.scope().constant(name);
  if (!view || view->dtype != DType::kFloat) return std::nullopt;
  const auto values = view->as<float>();
  return std::vector<float>(values.begin(), values.end());
}

/// The Max or Min (`op_type`) of scales and 1: `known`, or computed.
std::string bounded(NodeChange& change, const std::string& scales,
                    const std::optional<std::vector<float>>& known, const char* op_type) {
  const bool is_max = std::string_view(op_type) == "Max";
  if (known) {
    std::vector<float> values = *known;
    for (float& value : values) value = is_max ? std::max(value, 1.0F) : std::min(value, 1.0F);
    const auto count = static_cast<std::int64_t>(values.size());
    return change.constant(is_max ? "growing" : "shrinking", Tensor::of({count}, values));
  }
  const std::string one = change.constant("one", Tensor::of<float>({}, std::vector<float>{1.0F}));
  return change.before(op_type, {scales, one}).output(0);
}

}  // namespace

// Upsample takes no scale below 1, so that one rule of rounding does.
void upsample_to_resize(NodeChange& change) {
  change.node.set_op_type("Resize");
  constexpr std::int64_t kNearestMode = 11;
  if (change.step.target >= kNearestMode && change.text("mode", "nearest") == "nearest")
    set_text(change.node, "nearest_mode", "floor");
}

// Where a scale is below 1 the runtime rounds the nearest coordinate up, else down, axis by axis.
// One Resize from 11 on has one rule for all, so two are needed when both kinds may occur.
void resize_by_old_rule(NodeChange& change) {
  onnx::NodeProto& node = change.node;
  const std::string x = node.input(0), scales = node.input(1);
  const std::string roi = change.constant("roi", no_floats());
  set_text(node, "coordinate_transformation_mode", "asymmetric");
  const auto read = [&node, &roi](const std::string& data, const std::string& factors) {
    node.clear_input();
    for (const std::string& name : {data, roi, factors}) node.add_input(name);
  };
  read(x, scales);
  if (change.text("mode", "nearest") != "nearest" || change.has("nearest_mode")) return;
  const std::optional<std::vector<float>> known = known_floats(change, scales);
  if (known) {
    const bool shrinks = std::ranges::any_of(*known, [](float scale) { return scale < 1; });
    const bool grows = std::ranges::any_of(*known, [](float scale) { return scale > 1; });
    if (!shrinks || !grows) return set_text(node, "nearest_mode", shrinks ? "ceil" : "floor");
  }
  onnx::NodeProto& grown = change.before("Resize", {x, roi, bounded(change, scales, known, "Max")});
  set_text(grown, "mode", "nearest");
  set_text(grown, "coordinate_transformation_mode", "asymmetric");
  set_text(grown, "nearest_mode", "floor");
  read(grown.output(0), bounded(change, scales, known, "Min"));
  set_text(node, "nearest_mode", "ceil");
}

// Before, scales that sizes replace were an empty tensor; from 13 on they have to be absent. The
// coordinates of the retired mode are those of half_pixel plus a half, which rounding takes in.
void resize_without_retired_mode(NodeChange& change) {
  if (change.has_input(kSizes)) change.set_input(kScales, "");
  if (change.text("coordinate_transformation_mode", "") != "tf_half_pixel_for_nn") return;
  const std::string rounding = change.text("nearest_mode", "round_prefer_floor");
  const bool is_nearest = change.text("mode", "nearest") == "nearest";
  if (!is_nearest || (rounding != "floor" && rounding != "round_prefer_floor"))
    change.refuse("coordinate_transformation_mode is 'tf_half_pixel_for_nn'");
  set_text(change.node, "coordinate_transformation_mode", "half_pixel");
  set_text(change.node, "nearest_mode", rounding == "floor" ? "round_prefer_ceil" : "ceil");
}

void resize_with_all_inputs(NodeChange& change) {
  for (const int slot : {kRoi, kScales}) {
    if (!change.has_input(slot))
      change.set_input(slot, change.constant(slot == kRoi ? "roi" : "scales", no_floats()));
  }
}

void resize_all_axes(NodeChange& change) {
  const auto given = change.list("axes");
  if (!given) return;
  const std::vector<std::int64_t> axes = from_front(change, *given);
  const auto rank = static_cast<std::size_t>(change.known_rank(0));
  change.drop("axes");
  if (change.has_input(kRoi) &&
      change.text("coordinate_transformation_mode", "") == "tf_crop_and_resize")
    change.refuse("a region of interest for some of the axes");
  if (change.has_input(kRoi)) change.set_input(kRoi, "");
  if (change.has_input(kScales)) {
    const auto scales = known_floats(change, change.node.input(kScales));
    if (!scales) change.refuse("scales are no constant");
    const auto all = spread(*scales, axes, std::vector(rank, 1.0F));
    change.set_input(kScales,
                     change.constant("scales", Tensor::of({static_cast<std::int64_t>(rank)}, all)));
  }
  if (!change.has_input(kSizes)) return;
  const Shape shape = *change.shape(0);
  const auto all = spread(change.known_integers(kSizes), axes, shape);
  if (std::ranges::find(all, -1) != all.end())
    change.refuse("the sizes of the other axes are not known");
  change.set_input(kSizes, change.integers_constant("sizes", all));
}

void pad_all_axes(NodeChange& change) {
  constexpr int kPads = 1, kAxes = 3;
  if (!change.has_input(kAxes)) return change.cut_inputs(kAxes);
  const std::vector<std::int64_t> axes = from_front(change, change.known_integers(kAxes));
  const auto pads = change.known_integers(kPads);
  const auto rank = static_cast<std::size_t>(change.known_rank(0));
  if (pads.size() != 2 * axes.size())
    change.refuse(fmt::format("{} pads for {} axes", pads.size(), axes.size()));
  std::vector<std::int64_t> all(2 * rank, 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto axis = static_cast<std::size_t>(axes[i]);
    all[axis] = pads[i];
    all[rank + axis] = pads[axes.size() + i];
  }
  change.set_input(kPads, change.integers_constant("pads", all));
  change.cut_inputs(kAxes);
}

}  // namespace ingot::converters
