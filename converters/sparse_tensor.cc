// SPDX-License-Identifier: Apache-2.0
// Sparse initializers, before the runtime makes them dense.
#include "converters/sparse_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/text.h"
#include "converters/shown_name.h"

namespace ingot::converters {
namespace {

std::vector<std::int64_t> index_values(const TensorView& view) {
  std::vector<std::int64_t> values(view.bytes.size() / sizeof(std::int64_t));
  std::memcpy(values.data(), view.bytes.data(), values.size() * sizeof(std::int64_t));
  return values;
}

/// The first place that two indices name, as text.
std::optional<std::string> double_fault(const Shape& dims, bool is_linear,
                                        const std::vector<std::int64_t>& indices) {
  std::vector<std::int64_t> places;
  const std::size_t step = is_linear ? 1 : dims.size();
  for (std::size_t i = 0; i + step <= indices.size() && step > 0; i += step) {
    std::int64_t place = indices[i];
    for (std::size_t axis = 1; axis < step; ++axis) place = place * dims[axis] + indices[i + axis];
    places.push_back(place);
  }
  std::ranges::sort(places);
  const auto twice = std::ranges::adjacent_find(places);
  if (twice == places.end()) return std::nullopt;
  return fmt::format("has two values for element {}", *twice);
}

/// The first index out of range, as text.
std::optional<std::string> index_fault(const Shape& dims, std::int64_t count, const Shape& shape,
                                       const std::vector<std::int64_t>& indices) {
  const bool is_linear = shape.size() == 1;
  const auto rank = static_cast<std::int64_t>(dims.size());
  const Shape wanted = is_linear ? Shape{count} : Shape{count, rank};
  if (shape != wanted) {
    return fmt::format("has indices of shape {}, {} is wanted", to_string(shape),
                       to_string(wanted));
  }
  const std::int64_t all = element_count(dims);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::int64_t end = is_linear ? all : dims[i % dims.size()];
    if (indices[i] >= 0 && indices[i] < end) continue;
    return fmt::format("has index {}, less than {} is wanted", indices[i], end);
  }
  return double_fault(dims, is_linear, indices);
}

std::optional<std::string> fault(const graph::Model& model, const onnx::SparseTensorProto& sparse,
                                 const Budgets& budgets) {
  const TensorView values = model.view(sparse.values()), indices = model.view(sparse.indices());
  const Shape dims(sparse.dims().begin(), sparse.dims().end());
  const std::int64_t count = element_count(dims);
  if (values.shape.size() != 1 || indices.dtype != DType::kInt64) {
    return "wants values of rank 1 and indices of type int64";
  }
  if (auto found = index_fault(dims, values.count(), indices.shape, index_values(indices)))
    return found;
  const std::size_t dense = byte_count(values.dtype, count);
  const std::uint64_t limit = dense_limit(budgets, values.bytes.size() + indices.bytes.size());
  if (dense <= limit) return std::nullopt;
  return fmt::format("would take {} when made dense, at most {} is allowed (--max-dense-bytes)",
                     format_bytes(dense), format_bytes(limit));
}

}  // namespace

std::optional<std::string> sparse_fault(const graph::Model& model,
                                        const onnx::SparseTensorProto& sparse,
                                        const Budgets& budgets) {
  const std::string name = fmt::format("sparse tensor '{}' ", shown(sparse.values().name()));
  try {
    auto found = fault(model, sparse, budgets);
    if (found) return name + *found;
    return std::nullopt;
  } catch (const Error& error) {
    return name + error.message();
  }
}

}  // namespace ingot::converters
