// SPDX-License-Identifier: Apache-2.0
// Operators that keep the elements and change the shape (Flatten, Identity, Reshape, Squeeze,
// Unsqueeze), and those that make shapes or are made from them (ConstantOfShape, Range, Shape,
// Size).
#include <algorithm>
#include <cmath>

#include "converters/constants.h"
#include "converters/evaluators.h"

namespace ingot::converters {
namespace {

Results reshaped(const TensorView& source, Shape shape) {
  Tensor out = Tensor::copy_of(source);
  out.shape = std::move(shape);
  return only(std::move(out));
}

/// Numbers from `start` in steps; nullopt when a bound is no whole number that float64 and every
/// step hold exactly.
std::optional<Ints> whole_range(const std::vector<double>& bounds) {
  for (const double bound : bounds) {
    if (!(std::abs(bound) < 0x1p24) || bound != std::trunc(bound)) return std::nullopt;
  }
  const auto start = static_cast<std::int64_t>(bounds[0]);
  const auto limit = static_cast<std::int64_t>(bounds[1]);
  const auto step = static_cast<std::int64_t>(bounds[2]);
  if (step == 0) return std::nullopt;
  Ints values;
  for (std::int64_t at = start; step > 0 ? at < limit : at > limit; at += step)
    values.push_back(at);
  return values;
}

template <class T>
Tensor converted(const Ints& values) {
  Tensor out = Tensor::zeros(dtype_of<T>(), {static_cast<std::int64_t>(values.size())});
  for (std::size_t i = 0; i < values.size(); ++i) set_element(out, i, static_cast<T>(values[i]));
  return out;
}

}  // namespace

Results evaluate_identity(const Call& call) { return only(Tensor::copy_of(call.inputs[0])); }

Results evaluate_flatten(const Call& call) {
  const TensorView& source = call.inputs[0];
  const auto rank = static_cast<std::int64_t>(source.shape.size());
  std::int64_t axis = graph::int_attribute(call.node, "axis", 1);
  if (axis < -rank || axis > rank) return std::nullopt;
  if (axis < 0) axis += rank;
  const auto middle = source.shape.begin() + axis;
  return reshaped(source, {element_count(Shape(source.shape.begin(), middle)),
                           element_count(Shape(middle, source.shape.end()))});
}

std::pair<std::size_t, std::size_t> shape_range(const onnx::NodeProto& node, std::size_t rank) {
  const auto last = static_cast<std::int64_t>(rank);
  const auto place = [&](const char* name, std::int64_t otherwise) {
    std::int64_t at = graph::int_attribute(node, name, otherwise);
    if (at < 0) at += last;
    return static_cast<std::size_t>(std::clamp<std::int64_t>(at, 0, last));
  };
  const std::size_t start = place("start", 0);
  return {start, std::max(start, place("end", last))};
}

Results evaluate_shape(const Call& call) {
  const Shape& shape = call.inputs[0].shape;
  const auto [first, last] = shape_range(call.node, shape.size());
  const Ints part(shape.begin() + static_cast<std::ptrdiff_t>(first),
                  shape.begin() + static_cast<std::ptrdiff_t>(last));
  return only(Tensor::of<std::int64_t>({static_cast<std::int64_t>(part.size())}, part));
}

Results evaluate_size(const Call& call) {
  return only(Tensor::of<std::int64_t>({}, {call.inputs[0].count()}));
}

Results evaluate_constant_of_shape(const Call& call) {
  const auto shape = int_values(call.inputs[0]);
  if (!shape || call.inputs[0].shape.size() != 1) return std::nullopt;
  const auto* value = graph::find_attribute(call.node, "value");
  const DType dtype = value == nullptr ? DType::kFloat : static_cast<DType>(value->t().data_type());
  if (!fits_bytes(dtype, *shape, call.max_bytes)) return std::nullopt;
  Tensor out = Tensor::zeros(dtype, *shape);
  if (value == nullptr) return only(std::move(out));
  const std::string& bytes = value->t().raw_data();
  if (bytes.size() != static_cast<std::size_t>(dtype_bits(dtype)) / 8) return std::nullopt;
  for (std::size_t at = 0; at < out.bytes.size(); at += bytes.size()) {
    std::memcpy(out.bytes.data() + at, bytes.data(), bytes.size());
  }
  return only(std::move(out));
}

/// Whole numbers only: what rounding a running sum of fractions gives is the runtime's business.
Results evaluate_range(const Call& call) {
  std::vector<double> bounds;
  for (std::size_t slot = 0; slot < 3; ++slot) {
    const auto bound = call.has(slot) ? single_value(call.inputs[slot]) : std::nullopt;
    if (!bound || call.inputs[slot].dtype != call.inputs[0].dtype) return std::nullopt;
    bounds.push_back(*bound);
  }
  const double count = (bounds[1] - bounds[0]) / bounds[2];
  if (!(count * 8 <= static_cast<double>(call.max_bytes))) return std::nullopt;
  const auto values = whole_range(bounds);
  if (!values) return std::nullopt;
  switch (call.inputs[0].dtype) {
    case DType::kInt64:
      return only(converted<std::int64_t>(*values));
    case DType::kInt32:
      return only(converted<std::int32_t>(*values));
    case DType::kFloat:
      return only(converted<float>(*values));
    case DType::kDouble:
      return only(converted<double>(*values));
    default:
      return std::nullopt;
  }
}

Results evaluate_unsqueeze(const Call& call) {
  const auto given = int_parameter(call, "axes", 1);
  if (!given) return std::nullopt;
  Shape shape = call.inputs[0].shape;
  const auto axes = normal_axes(*given, static_cast<std::int64_t>(shape.size() + given->size()));
  if (!axes) return std::nullopt;
  for (const std::int64_t axis : *axes) shape.insert(shape.begin() + axis, 1);
  return reshaped(call.inputs[0], std::move(shape));
}

Results evaluate_squeeze(const Call& call) {
  const Shape& source = call.inputs[0].shape;
  Ints axes;
  if (has_parameter(call, "axes", 1)) {
    const auto given = int_parameter(call, "axes", 1);
    const auto normal =
        given ? normal_axes(*given, static_cast<std::int64_t>(source.size())) : std::nullopt;
    if (!normal) return std::nullopt;
    axes = *normal;
  } else {
    for (std::size_t i = 0; i < source.size(); ++i) {
      if (source[i] == 1) axes.push_back(static_cast<std::int64_t>(i));
    }
  }
  Shape shape;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const bool squeezed = std::ranges::binary_search(axes, static_cast<std::int64_t>(i));
    if (squeezed && source[i] != 1) return std::nullopt;
    if (!squeezed) shape.push_back(source[i]);
  }
  return reshaped(call.inputs[0], std::move(shape));
}

Results evaluate_reshape(const Call& call) {
  const TensorView& source = call.inputs[0];
  const auto wanted = int_parameter(call, "shape", 1);
  if (!wanted) return std::nullopt;
  const bool zero_means_zero = graph::int_attribute(call.node, "allowzero", 0) != 0;
  Shape shape = *wanted;
  const std::int64_t count = source.count();
  std::int64_t known = 1;
  std::optional<std::size_t> open;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0 && (zero_means_zero || i >= source.shape.size())) return std::nullopt;
    if (shape[i] == 0) shape[i] = source.shape[i];
    if (shape[i] < -1 || (shape[i] == -1 && open)) return std::nullopt;
    if (shape[i] == -1) {
      open = i;
      continue;
    }
    // With an extent of 0 the product says nothing about the others.
    if (shape[i] == 0 || shape[i] > count / known) return std::nullopt;
    known *= shape[i];
  }
  if (count % known != 0 || (!open && count != known)) return std::nullopt;
  if (open) shape[*open] = count / known;
  return reshaped(source, std::move(shape));
}

}  // namespace ingot::converters
