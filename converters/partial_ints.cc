// SPDX-License-Identifier: Apache-2.0
// Integers of which only some are known, moved about by the evaluators: once as they are, once as
// flags.
#include "converters/partial_ints.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <vector>

#include "converters/evaluate.h"
#include "converters/evaluators.h"

namespace ingot::converters {
namespace {

/// Far more than a tensor has dimensions.
constexpr std::int64_t kMostElements = 256;

constexpr std::array<std::string_view, 7> kMoves = {"Concat", "Gather",  "Identity", "Reshape",
                                                    "Slice",  "Squeeze", "Unsqueeze"};

Tensor filled(const Shape& shape, std::int64_t value) {
  Tensor tensor = Tensor::zeros(DType::kInt64, shape);
  std::ranges::fill(tensor.as_mutable<std::int64_t>(), value);
  return tensor;
}

/// Elements of a tensor of this shape; nullopt when that is not known.
std::optional<std::int64_t> size_of(const Shape& shape) {
  if (std::ranges::any_of(shape, [](auto extent) { return extent < 0; })) return std::nullopt;
  constexpr std::size_t kLargest = std::size_t{1} << 60;
  if (!fits_bytes(DType::kUint8, shape, kLargest)) return std::nullopt;
  return element_count(shape);
}

}  // namespace

bool PartialInts::is_complete() const {
  return std::ranges::all_of(known.as<std::int64_t>(), [](auto flag) { return flag == 1; });
}

std::optional<PartialInts> partial_shape(const onnx::NodeProto& node,
                                         const std::optional<Shape>& shape) {
  if (!shape) return std::nullopt;
  if (node.op_type() == "Size") {
    const auto count = size_of(*shape);
    if (!count) return std::nullopt;
    return PartialInts{filled({}, *count), filled({}, 1)};
  }
  const auto [first, last] = shape_range(node, shape->size());
  PartialInts part{filled({static_cast<std::int64_t>(last - first)}, 0), {}};
  part.known = filled(part.values.shape, 1);
  for (std::size_t i = first; i < last; ++i) {
    const bool is_known = (*shape)[i] >= 0;
    part.values.as_mutable<std::int64_t>()[i - first] = is_known ? (*shape)[i] : 0;
    part.known.as_mutable<std::int64_t>()[i - first] = is_known ? 1 : 0;
  }
  return part;
}

std::optional<PartialInts> all_known(const TensorView& view) {
  if (view.dtype != DType::kInt64 || view.count() > kMostElements) return std::nullopt;
  return PartialInts{Tensor::copy_of(view), filled(view.shape, 1)};
}

std::optional<PartialInts> move_partial(
    const onnx::NodeProto& node, std::int64_t opset,
    const std::function<std::optional<PartialInts>(const std::string&)>& read) {
  if (std::ranges::find(kMoves, node.op_type()) == kMoves.end()) return std::nullopt;
  const bool all_data = node.op_type() == "Concat";
  std::vector<PartialInts> inputs;
  for (const std::string& name : node.input()) {
    auto input = name.empty() ? std::optional<PartialInts>() : read(name);
    if (!name.empty() && !input) return std::nullopt;
    const bool is_data = all_data || inputs.empty();
    if (input && !is_data && !input->is_complete()) return std::nullopt;
    inputs.push_back(input ? std::move(*input) : PartialInts{});
  }
  std::vector<TensorView> values, flags;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    values.push_back(inputs[i].values.view());
    flags.push_back(all_data || i == 0 ? inputs[i].known.view() : values.back());
  }
  constexpr std::size_t kMostBytes = kMostElements * sizeof(std::int64_t);
  auto moved = evaluate(node, values, opset, kMostBytes);
  auto moved_flags = evaluate(node, flags, opset, kMostBytes);
  if (!moved || !moved_flags || moved->size() != 1) return std::nullopt;
  return PartialInts{std::move(moved->front()), std::move(moved_flags->front())};
}

}  // namespace ingot::converters
