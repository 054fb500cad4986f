// SPDX-License-Identifier: Apache-2.0
// Operators that move the elements of their first input about: Concat, Expand, Gather, Slice,
// Split, Tile, Transpose.
#include <algorithm>
#include <limits>
#include <numeric>

#include "converters/evaluators.h"

namespace ingot::converters {
namespace {

/// First index and number of indices of one sliced axis.
struct Cut {
  std::int64_t first, count;
};

Cut cut(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t extent) {
  if (extent == 0) return {0, 0};
  const auto from_end = [extent](std::int64_t i) { return i < 0 ? i + extent : i; };
  if (step > 0) {
    start = std::clamp<std::int64_t>(from_end(start), 0, extent);
    end = std::clamp<std::int64_t>(from_end(end), 0, extent);
    return {start, end > start ? (end - start - 1) / step + 1 : 0};
  }
  start = std::clamp<std::int64_t>(from_end(start), 0, extent - 1);
  end = std::clamp<std::int64_t>(from_end(end), -1, extent - 1);
  return {start, start > end ? (start - end - 1) / -step + 1 : 0};
}

}  // namespace

Results evaluate_transpose(const Call& call) {
  const TensorView& source = call.inputs[0];
  const std::size_t rank = source.shape.size();
  Ints perm = graph::ints_attribute(call.node, "perm");
  if (graph::find_attribute(call.node, "perm") == nullptr) {
    perm.resize(rank);
    std::iota(perm.rbegin(), perm.rend(), 0);
  }
  const auto axes = normal_axes(perm, static_cast<std::int64_t>(rank));
  if (!axes || axes->size() != rank || std::ranges::any_of(perm, [](auto p) { return p < 0; })) {
    return std::nullopt;
  }
  const Ints strides = row_major_strides(source.shape);
  Shape shape;
  Ints moved;
  for (const std::int64_t axis : perm) {
    shape.push_back(source.shape[static_cast<std::size_t>(axis)]);
    moved.push_back(strides[static_cast<std::size_t>(axis)]);
  }
  return only(gather_strided(source, std::move(shape), moved, 0));
}

Results evaluate_slice(const Call& call) {
  const TensorView& source = call.inputs[0];
  const auto starts = int_parameter(call, "starts", 1), ends = int_parameter(call, "ends", 2);
  if (!starts || !ends || starts->size() != ends->size()) return std::nullopt;
  Ints axes(starts->size()), steps(starts->size(), 1);
  std::iota(axes.begin(), axes.end(), 0);
  if (has_parameter(call, "axes", 3)) {
    const auto given = int_parameter(call, "axes", 3);
    if (!given) return std::nullopt;
    axes = *given;
  }
  if (call.has(4)) {
    const auto given = int_values(call.inputs[4]);
    if (!given) return std::nullopt;
    steps = *given;
  }
  const auto rank = static_cast<std::int64_t>(source.shape.size());
  if (axes.size() != starts->size() || steps.size() != starts->size() || !normal_axes(axes, rank)) {
    return std::nullopt;
  }
  Shape shape = source.shape;
  Ints strides = row_major_strides(source.shape);
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    // The most negative step has no positive counterpart.
    if (steps[i] == 0 || steps[i] == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
    const auto axis = static_cast<std::size_t>(axes[i] < 0 ? axes[i] + rank : axes[i]);
    const Cut part = cut((*starts)[i], (*ends)[i], steps[i], source.shape[axis]);
    shape[axis] = part.count;
    offset += part.first * strides[axis];
    // A stride that is never taken may be too large to multiply.
    strides[axis] = part.count > 1 ? strides[axis] * steps[i] : 0;
  }
  if (element_count(shape) == 0) return only(Tensor::zeros(source.dtype, std::move(shape)));
  return only(gather_strided(source, std::move(shape), strides, offset));
}

Results evaluate_concat(const Call& call) {
  const Shape& first = call.inputs[0].shape;
  // Before opset 4 the axis was 1 when it was not given.
  const std::int64_t otherwise = call.opset < 4 ? 1 : 0;
  const auto given = normal_axis(graph::int_attribute(call.node, "axis", otherwise), first.size());
  if (!given) return std::nullopt;
  const std::size_t axis = *given;
  Shape shape = first;
  shape[axis] = 0;
  std::size_t total_bytes = 0;
  for (const TensorView& part : call.inputs) {
    Shape without = part.shape, wanted = first;
    if (part.dtype != call.inputs[0].dtype || part.shape.size() != first.size())
      return std::nullopt;
    without[axis] = wanted[axis] = 0;
    if (without != wanted) return std::nullopt;
    shape[axis] += part.shape[axis];
    total_bytes += part.bytes.size();
    if (total_bytes > call.max_bytes) return std::nullopt;
  }
  Tensor out = Tensor::zeros(call.inputs[0].dtype, shape);
  const auto rows = static_cast<std::size_t>(
      element_count(Shape(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(axis))));
  std::byte* to = out.bytes.data();
  for (std::size_t row = 0; row < rows; ++row) {
    for (const TensorView& part : call.inputs) {
      const std::size_t row_bytes = part.bytes.size() / rows;
      if (row_bytes == 0) continue;
      std::memcpy(to, part.bytes.data() + row * row_bytes, row_bytes);
      to += row_bytes;
    }
  }
  return only(std::move(out));
}

Results evaluate_split(const Call& call) {
  const TensorView& source = call.inputs[0];
  const auto axis = normal_axis(graph::int_attribute(call.node, "axis", 0), source.shape.size());
  const std::int64_t parts = call.node.output_size();
  if (!axis || parts < 1) return std::nullopt;
  const std::int64_t extent = source.shape[*axis];
  // Opset 18: all parts alike but for a smaller last one.
  const std::int64_t each = (extent + parts - 1) / parts;
  Ints sizes(static_cast<std::size_t>(parts), each);
  sizes.back() = extent - each * (parts - 1);
  if (has_parameter(call, "split", 1)) {
    const auto given = int_parameter(call, "split", 1);
    if (!given || given->size() != sizes.size()) return std::nullopt;
    sizes = *given;
  }
  std::int64_t total = 0;
  for (const std::int64_t size : sizes) {
    if (size < 0 || size > extent - total) return std::nullopt;
    total += size;
  }
  if (total != extent) return std::nullopt;
  const Ints strides = row_major_strides(source.shape);
  std::vector<Tensor> results;
  std::int64_t first = 0;
  for (const std::int64_t size : sizes) {
    Shape shape = source.shape;
    shape[*axis] = size;
    results.push_back(element_count(shape) == 0 ? Tensor::zeros(source.dtype, std::move(shape))
                                                : gather_strided(source, std::move(shape), strides,
                                                                 first * strides[*axis]));
    first += size;
  }
  return results;
}

Results evaluate_expand(const Call& call) {
  const TensorView& source = call.inputs[0];
  if (!call.has(1)) return std::nullopt;
  const auto wanted = int_values(call.inputs[1]);
  if (!wanted || call.inputs[1].shape.size() != 1) return std::nullopt;
  const auto shape = broadcast_shape(source.shape, *wanted);
  if (!shape || !fits_bytes(source.dtype, *shape, call.max_bytes)) return std::nullopt;
  return only(gather_strided(source, *shape, broadcast_strides(source.shape, *shape), 0));
}

Results evaluate_tile(const Call& call) {
  const TensorView& source = call.inputs[0];
  if (call.opset < 6 || !call.has(1)) return std::nullopt;
  const auto repeats = int_values(call.inputs[1]);
  const std::size_t rank = source.shape.size();
  if (!repeats || repeats->size() != rank) return std::nullopt;
  // [a, b] becomes [n, a, m, b] with strides of 0 at n and m.
  Shape split, shape;
  Ints strides;
  const Ints own = row_major_strides(source.shape);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t extent = source.shape[i], times = (*repeats)[i];
    if (times < 0 || !fits_bytes(source.dtype, {extent, times}, call.max_bytes))
      return std::nullopt;
    split.insert(split.end(), {times, extent});
    strides.insert(strides.end(), {0, own[i]});
    shape.push_back(times * extent);
  }
  if (!fits_bytes(source.dtype, shape, call.max_bytes)) return std::nullopt;
  Tensor out = gather_strided(source, std::move(split), strides, 0);
  out.shape = std::move(shape);
  return only(std::move(out));
}

Results evaluate_gather(const Call& call) {
  const TensorView& source = call.inputs[0];
  const auto axis = normal_axis(graph::int_attribute(call.node, "axis", 0), source.shape.size());
  if (!axis || !call.has(1)) return std::nullopt;
  const auto indices = int_values(call.inputs[1]);
  if (!indices) return std::nullopt;
  const auto place = static_cast<std::ptrdiff_t>(*axis);
  const Shape outer(source.shape.begin(), source.shape.begin() + place);
  const Shape inner(source.shape.begin() + place + 1, source.shape.end());
  Shape shape = outer;
  shape.insert(shape.end(), call.inputs[1].shape.begin(), call.inputs[1].shape.end());
  shape.insert(shape.end(), inner.begin(), inner.end());
  if (!fits_bytes(source.dtype, shape, call.max_bytes)) return std::nullopt;
  const std::int64_t extent = source.shape[*axis];
  Tensor out = Tensor::zeros(source.dtype, std::move(shape));
  const std::size_t row_bytes = byte_count(source.dtype, element_count(inner));
  const std::byte* from = source.bytes.data();
  std::byte* to = out.bytes.data();
  for (std::int64_t i = element_count(outer); i-- > 0;) {
    for (std::int64_t index : *indices) {
      if (index < -extent || index >= extent) return std::nullopt;
      if (index < 0) index += extent;
      if (row_bytes > 0)
        std::memcpy(to, from + static_cast<std::size_t>(index) * row_bytes, row_bytes);
      to += row_bytes;
    }
    from += static_cast<std::size_t>(extent) * row_bytes;
  }
  return only(std::move(out));
}

}  // namespace ingot::converters
