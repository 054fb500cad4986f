// SPDX-License-Identifier: Apache-2.0
// The constant that a Reshape needs.
#include "converters/fixed_shape.h"

#include <algorithm>

namespace ingot::converters {

std::optional<Shape> fixed_shape(ProvenTypes& types, const onnx::GraphProto& graph,
                                 std::string_view from, std::string_view to,
                                 const std::optional<Shape>& wanted) {
  const onnx::TypeProto *source = types.find(graph, from), *result = types.find(graph, to);
  if (result == nullptr || !result->tensor_type().has_shape()) return std::nullopt;
  const auto& dims = result->tensor_type().shape();
  Shape shape;
  for (int i = 0; i < dims.dim_size(); ++i) {
    const auto& dim = dims.dim(i);
    const bool copies = source != nullptr && i < source->tensor_type().shape().dim_size() &&
                        same_dimension(dim, source->tensor_type().shape().dim(i));
    if (dim.has_dim_value()) {
      // With a 0 among them the others cannot be told apart.
      if (dim.dim_value() <= 0) return std::nullopt;
      shape.push_back(dim.dim_value());
    } else {
      shape.push_back(copies ? 0 : -1);
    }
  }
  const auto open = std::ranges::find(shape, -1);
  if (open == shape.end()) return shape;
  if (std::count(shape.begin(), shape.end(), -1) > 1) return std::nullopt;
  // Where a copied dimension is 0 there is no telling what -1 is: only what asks for it already
  // may go on doing so.
  const auto place = static_cast<std::size_t>(open - shape.begin());
  const bool asks = wanted && place < wanted->size() && (*wanted)[place] == -1;
  if (std::ranges::find(shape, 0) != shape.end() && !asks) return std::nullopt;
  return shape;
}

}  // namespace ingot::converters
