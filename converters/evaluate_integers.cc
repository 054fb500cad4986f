// SPDX-License-Identifier: Apache-2.0
// Reductions of integers, whose order does not matter, and NonZero.
#include <algorithm>
#include <string>

#include "converters/evaluators.h"

namespace ingot::converters {
namespace {

/// Folds `value` into `total`; false on overflow.
template <class T>
bool accumulate(const std::string& op, T& total, T value) {
  if (op == "ReduceSum") return !__builtin_add_overflow(total, value, &total);
  if (op == "ReduceProd") return !__builtin_mul_overflow(total, value, &total);
  total = op == "ReduceMax" ? std::max(total, value) : std::min(total, value);
  return true;
}

template <class T>
Results reduce(const Call& call, const Ints& axes, bool keeps_dims) {
  const TensorView& source = call.inputs[0];
  const std::string& op = call.node.op_type();
  Shape kept = source.shape, shape;
  for (const std::int64_t axis : axes) kept[static_cast<std::size_t>(axis)] = 1;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const bool reduced = std::ranges::binary_search(axes, static_cast<std::int64_t>(i));
    if (!reduced || keeps_dims) shape.push_back(kept[i]);
  }
  Tensor out = Tensor::zeros(source.dtype, shape);
  const auto results = static_cast<std::size_t>(out.count());
  std::vector<bool> started(results, false);
  StridedWalk walk(source.shape, {broadcast_strides(kept, source.shape)});
  for (std::size_t i = 0; i < static_cast<std::size_t>(source.count()); ++i, walk.next()) {
    const auto at = static_cast<std::size_t>(walk.at(0));
    T total = element<T>(source, i);
    if (started[at]) {
      const T value = total;
      total = element<T>(out.view(), at);
      if (!accumulate(op, total, value)) return std::nullopt;
    }
    started[at] = true;
    set_element(out, at, total);
  }
  return only(std::move(out));
}

}  // namespace

Results evaluate_reduce(const Call& call) {
  const TensorView& source = call.inputs[0];
  const auto rank = static_cast<std::int64_t>(source.shape.size());
  Ints axes;
  if (has_parameter(call, "axes", 1)) {
    const auto given = int_parameter(call, "axes", 1);
    if (!given) return std::nullopt;
    axes = *given;
  }
  if (axes.empty() && graph::int_attribute(call.node, "noop_with_empty_axes", 0) != 0) {
    return only(Tensor::copy_of(source));
  }
  if (axes.empty()) {
    for (std::int64_t axis = 0; axis < rank; ++axis) axes.push_back(axis);
  }
  const auto normal = normal_axes(axes, rank);
  // What an empty set reduces to is a question of its own.
  if (!normal || source.count() == 0) return std::nullopt;
  const bool keeps_dims = graph::int_attribute(call.node, "keepdims", 1) != 0;
  if (source.dtype == DType::kInt64) return reduce<std::int64_t>(call, *normal, keeps_dims);
  if (source.dtype == DType::kInt32) return reduce<std::int32_t>(call, *normal, keeps_dims);
  return std::nullopt;
}

Results evaluate_non_zero(const Call& call) {
  const TensorView& source = call.inputs[0];
  const auto width = static_cast<std::size_t>(dtype_bits(source.dtype)) / 8;
  if (is_float(source.dtype) || source.shape.empty()) return std::nullopt;
  const std::size_t rank = source.shape.size();
  std::vector<Ints> found(rank);
  const Ints strides = row_major_strides(source.shape);
  for (std::size_t i = 0; i < static_cast<std::size_t>(source.count()); ++i) {
    const auto value = source.bytes.subspan(i * width, width);
    if (std::ranges::all_of(value, [](std::byte b) { return b == std::byte{0}; })) continue;
    auto rest = static_cast<std::int64_t>(i);
    for (std::size_t axis = 0; axis < rank; ++axis) {
      found[axis].push_back(rest / strides[axis]);
      rest %= strides[axis];
    }
    if ((found[0].size() * rank + rank) * sizeof(std::int64_t) > call.max_bytes) {
      return std::nullopt;
    }
  }
  Ints all;
  for (const Ints& row : found) all.insert(all.end(), row.begin(), row.end());
  return only(Tensor::of<std::int64_t>(
      {static_cast<std::int64_t>(rank), static_cast<std::int64_t>(found[0].size())}, all));
}

}  // namespace ingot::converters
