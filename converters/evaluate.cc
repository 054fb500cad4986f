// SPDX-License-Identifier: Apache-2.0
// Moving elements of constants about.
#include "converters/evaluate.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <string_view>

#include "graph/model.h"

namespace ingot::converters {
namespace {

using Inputs = std::vector<TensorView>;
using Ints = std::vector<std::int64_t>;

struct Call {
  const onnx::NodeProto& node;
  const Inputs& inputs;
  std::int64_t opset;
  std::size_t max_bytes;
};

std::optional<Ints> int_values(const TensorView& view) {
  if (view.dtype != DType::kInt64 && view.dtype != DType::kInt32) return std::nullopt;
  Ints values(static_cast<std::size_t>(view.count()));
  const std::size_t width = view.dtype == DType::kInt64 ? 8 : 4;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::int32_t narrow = 0;
    if (width == 8) {
      std::memcpy(&values[i], view.bytes.data() + i * width, width);
    } else {
      std::memcpy(&narrow, view.bytes.data() + i * width, width);
      values[i] = narrow;
    }
  }
  return values;
}

bool has_input(const Call& call, std::size_t slot) {
  return slot < call.inputs.size() && call.inputs[slot].dtype != DType::kUndefined;
}

/// A parameter that is an attribute in old opsets and an input in newer ones; nullopt when it is
/// absent or no list of integers.
std::optional<Ints> parameter(const Call& call, const char* attribute, std::size_t slot) {
  if (has_input(call, slot)) return int_values(call.inputs[slot]);
  if (graph::find_attribute(call.node, attribute) == nullptr) return std::nullopt;
  return graph::ints_attribute(call.node, attribute);
}

bool is_given(const Call& call, const char* attribute, std::size_t slot) {
  return has_input(call, slot) || graph::find_attribute(call.node, attribute) != nullptr;
}

/// Axes counted from 0, sorted, each once; nullopt when one is out of range or named twice.
std::optional<Ints> normal_axes(Ints axes, std::int64_t rank) {
  for (std::int64_t& axis : axes) {
    if (axis < -rank || axis >= rank) return std::nullopt;
    if (axis < 0) axis += rank;
  }
  std::ranges::sort(axes);
  if (std::ranges::adjacent_find(axes) != axes.end()) return std::nullopt;
  return axes;
}

Ints row_major_strides(const Shape& shape) {
  Ints strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

/// out[i…] = source[offset + Σ i·stride], all in elements.
Tensor gather(const TensorView& source, Shape shape, const Ints& strides, std::int64_t offset) {
  Tensor out = Tensor::zeros(source.dtype, std::move(shape));
  const auto width = static_cast<std::size_t>(dtype_bits(source.dtype)) / 8;
  Ints at(out.shape.size(), 0);
  std::int64_t from = offset;
  for (std::size_t to = 0; to < out.bytes.size(); to += width) {
    std::memcpy(out.bytes.data() + to, source.bytes.data() + static_cast<std::size_t>(from) * width,
                width);
    for (std::size_t axis = at.size(); axis-- > 0;) {
      from += strides[axis];
      if (++at[axis] < out.shape[axis]) break;
      from -= strides[axis] * out.shape[axis];
      at[axis] = 0;
    }
  }
  return out;
}

std::optional<Tensor> reshaped(const TensorView& source, Shape shape) {
  Tensor out = Tensor::copy_of(source);
  out.shape = std::move(shape);
  return out;
}

std::optional<Tensor> transpose(const Call& call) {
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
  return gather(source, std::move(shape), moved, 0);
}

/// First index and number of indices of one sliced axis.
struct Cut {
  std::int64_t first, count;
};

Cut cut(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t extent) {
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

std::optional<Tensor> slice(const Call& call) {
  const TensorView& source = call.inputs[0];
  const auto starts = parameter(call, "starts", 1), ends = parameter(call, "ends", 2);
  if (!starts || !ends || starts->size() != ends->size()) return std::nullopt;
  Ints axes(starts->size()), steps(starts->size(), 1);
  std::iota(axes.begin(), axes.end(), 0);
  if (is_given(call, "axes", 3)) {
    const auto given = parameter(call, "axes", 3);
    if (!given) return std::nullopt;
    axes = *given;
  }
  if (has_input(call, 4)) {
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
  if (element_count(shape) == 0) return std::nullopt;
  return gather(source, std::move(shape), strides, offset);
}

std::optional<Tensor> concat(const Call& call) {
  const Shape& first = call.inputs[0].shape;
  const auto axes = normal_axes({graph::int_attribute(call.node, "axis", 0)},
                                static_cast<std::int64_t>(first.size()));
  if (!axes) return std::nullopt;
  const auto axis = static_cast<std::size_t>(axes->front());
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
      std::memcpy(to, part.bytes.data() + row * row_bytes, row_bytes);
      to += row_bytes;
    }
  }
  return out;
}

std::optional<Tensor> unsqueeze(const Call& call) {
  const auto given = parameter(call, "axes", 1);
  if (!given) return std::nullopt;
  Shape shape = call.inputs[0].shape;
  const auto axes = normal_axes(*given, static_cast<std::int64_t>(shape.size() + given->size()));
  if (!axes) return std::nullopt;
  for (const std::int64_t axis : *axes) shape.insert(shape.begin() + axis, 1);
  return reshaped(call.inputs[0], std::move(shape));
}

std::optional<Tensor> squeeze(const Call& call) {
  const Shape& source = call.inputs[0].shape;
  Ints axes;
  if (is_given(call, "axes", 1)) {
    const auto given = parameter(call, "axes", 1);
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

std::optional<Tensor> reshape(const Call& call) {
  const TensorView& source = call.inputs[0];
  const auto wanted = parameter(call, "shape", 1);
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
    if (shape[i] > count / known) return std::nullopt;
    known *= shape[i];
  }
  if (count % known != 0 || (!open && count != known)) return std::nullopt;
  if (open) shape[*open] = count / known;
  return reshaped(source, std::move(shape));
}

template <class From, class To>
std::optional<Tensor> cast_values(const TensorView& source) {
  Tensor out = Tensor::zeros(dtype_of<To>(), source.shape);
  for (std::size_t i = 0; i < static_cast<std::size_t>(source.count()); ++i) {
    From value;
    std::memcpy(&value, source.bytes.data() + i * sizeof(From), sizeof(From));
    if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
      // What lies outside is undefined in C++ and differs between runtimes.
      const auto limit = std::ldexp(From{1}, std::numeric_limits<To>::digits);
      if (!(value > -limit && value < limit)) return std::nullopt;
    }
    const auto converted = static_cast<To>(value);
    std::memcpy(out.bytes.data() + i * sizeof(To), &converted, sizeof(To));
  }
  return out;
}

template <class From>
std::optional<Tensor> cast_from(const TensorView& source, DType to) {
  if (to == dtype_of<From>()) return Tensor::copy_of(source);
  if (to == DType::kFloat) return cast_values<From, float>(source);
  if (to == DType::kDouble) return cast_values<From, double>(source);
  if (to == DType::kInt32) return cast_values<From, std::int32_t>(source);
  if (to == DType::kInt64) return cast_values<From, std::int64_t>(source);
  return std::nullopt;
}

Tensor floats_to_halves(const TensorView& source) {
  const Tensor aligned = Tensor::copy_of(source);
  Tensor out = Tensor::zeros(DType::kFloat16, source.shape);
  std::ranges::transform(aligned.as<float>(), out.as_mutable<std::uint16_t>().begin(),
                         float_to_half);
  return out;
}

std::optional<Tensor> cast(const Call& call) {
  const TensorView& source = call.inputs[0];
  const auto to = static_cast<DType>(graph::int_attribute(call.node, "to", 0));
  const bool wider = dtype_bits(to) > dtype_bits(source.dtype);
  const auto count = static_cast<std::size_t>(source.count());
  const std::size_t result_bytes = count * static_cast<std::size_t>(dtype_bits(to)) / 8;
  if (wider && result_bytes >= graph::kInlineBytes) return std::nullopt;
  if (source.dtype == DType::kFloat && to == DType::kFloat16) return floats_to_halves(source);
  if (source.dtype == DType::kFloat16 && to == DType::kFloat) {
    const Tensor aligned = Tensor::copy_of(source);
    return Tensor::of<float>(source.shape, to_floats(aligned.view()));
  }
  if (source.dtype == DType::kFloat) return cast_from<float>(source, to);
  if (source.dtype == DType::kDouble) return cast_from<double>(source, to);
  if (source.dtype == DType::kInt32) return cast_from<std::int32_t>(source, to);
  if (source.dtype == DType::kInt64) return cast_from<std::int64_t>(source, to);
  return std::nullopt;
}

struct Operator {
  std::string_view name;
  std::optional<Tensor> (*run)(const Call& call);
};

constexpr Operator kOperators[] = {
    {"Cast", cast},       {"Concat", concat},       {"Reshape", reshape},    {"Slice", slice},
    {"Squeeze", squeeze}, {"Transpose", transpose}, {"Unsqueeze", unsqueeze}};

const Operator* find_operator(const onnx::NodeProto& node) {
  if (!node.domain().empty() && node.domain() != "ai.onnx") return nullptr;
  const auto* found = std::ranges::find(kOperators, node.op_type(), &Operator::name);
  return found == std::end(kOperators) ? nullptr : found;
}

}  // namespace

bool is_evaluable(const onnx::NodeProto& node) { return find_operator(node) != nullptr; }

std::optional<Tensor> evaluate(const onnx::NodeProto& node, const std::vector<TensorView>& inputs,
                               std::int64_t opset, std::size_t max_bytes) {
  const Operator* found = find_operator(node);
  const Call call{node, inputs, opset, max_bytes};
  if (found == nullptr || !has_input(call, 0)) return std::nullopt;
  const TensorView& source = inputs[0];
  const int bits = dtype_bits(source.dtype);
  // Nothing is gained by folding what is empty, and byte-wise moves need whole bytes.
  if (bits < 8 || source.count() == 0 || source.bytes.size() > max_bytes) return std::nullopt;
  return found->run(call);
}

}  // namespace ingot::converters
