// SPDX-License-Identifier: Apache-2.0
// What the evaluators of single operators share.
#include "converters/evaluators.h"

#include <algorithm>

namespace ingot::converters {

Results only(Tensor value) {
  std::vector<Tensor> results;
  results.push_back(std::move(value));
  return results;
}

std::optional<Ints> int_values(const TensorView& view) {
  if (view.dtype != DType::kInt64 && view.dtype != DType::kInt32) return std::nullopt;
  Ints values(static_cast<std::size_t>(view.count()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = view.dtype == DType::kInt64 ? element<std::int64_t>(view, i)
                                            : element<std::int32_t>(view, i);
  }
  return values;
}

std::optional<Ints> int_parameter(const Call& call, const char* attribute, std::size_t slot) {
  if (call.has(slot)) return int_values(call.inputs[slot]);
  if (graph::find_attribute(call.node, attribute) == nullptr) return std::nullopt;
  return graph::ints_attribute(call.node, attribute);
}

bool has_parameter(const Call& call, const char* attribute, std::size_t slot) {
  return call.has(slot) || graph::find_attribute(call.node, attribute) != nullptr;
}

std::optional<Ints> normal_axes(Ints axes, std::int64_t rank) {
  for (std::int64_t& axis : axes) {
    if (axis < -rank || axis >= rank) return std::nullopt;
    if (axis < 0) axis += rank;
  }
  std::ranges::sort(axes);
  if (std::ranges::adjacent_find(axes) != axes.end()) return std::nullopt;
  return axes;
}

std::optional<std::size_t> normal_axis(std::int64_t axis, std::size_t rank) {
  const auto axes = normal_axes({axis}, static_cast<std::int64_t>(rank));
  if (!axes) return std::nullopt;
  return static_cast<std::size_t>(axes->front());
}

Ints row_major_strides(const Shape& shape) {
  Ints strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

bool fits_bytes(DType dtype, const Shape& shape, std::size_t max_bytes) {
  const int bits = dtype_bits(dtype);
  if (bits < 8 || std::ranges::any_of(shape, [](auto extent) { return extent < 0; })) return false;
  // An extent of 0 makes the product 0, whatever the others are; they must be small all the same,
  // or strides overflow.
  std::uint64_t bytes = static_cast<std::uint64_t>(bits) / 8;
  for (const std::int64_t extent : shape) {
    const std::uint64_t factor = std::max<std::uint64_t>(static_cast<std::uint64_t>(extent), 1);
    if (factor > max_bytes / bytes) return false;
    bytes *= factor;
  }
  return true;
}

std::optional<Shape> broadcast_shape(const Shape& a, const Shape& b) {
  Shape shape(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto extent = [&](const Shape& of) {
      const std::size_t missing = shape.size() - of.size();
      return i < missing ? std::int64_t{1} : of[i - missing];
    };
    const std::int64_t first = extent(a), second = extent(b);
    if (first != second && first != 1 && second != 1) return std::nullopt;
    shape[i] = first == 1 ? second : first;
  }
  return shape;
}

Ints broadcast_strides(const Shape& shape, const Shape& as) {
  const Ints own = row_major_strides(shape);
  Ints strides(as.size(), 0);
  const std::size_t missing = as.size() - shape.size();
  for (std::size_t i = 0; i < shape.size(); ++i) strides[missing + i] = shape[i] == 1 ? 0 : own[i];
  return strides;
}

Tensor gather_strided(const TensorView& source, Shape shape, const Ints& strides,
                      std::int64_t offset) {
  Tensor out = Tensor::zeros(source.dtype, std::move(shape));
  const auto width = static_cast<std::size_t>(dtype_bits(source.dtype)) / 8;
  StridedWalk walk(out.shape, {strides});
  const std::byte* from = source.bytes.data() + static_cast<std::size_t>(offset) * width;
  for (std::size_t to = 0; to < out.bytes.size(); to += width, walk.next()) {
    std::memcpy(out.bytes.data() + to, from + walk.at(0) * static_cast<std::ptrdiff_t>(width),
                width);
  }
  return out;
}

}  // namespace ingot::converters
