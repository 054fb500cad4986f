// SPDX-License-Identifier: Apache-2.0
// Short lists of integers of which only some are known: shapes on their way through Gather, Concat
// and the like, from a tensor with some fixed dimensions.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/tensor.h"
#include "graph/graph_index.h"

namespace ingot::converters {

struct PartialInts {
  Tensor values;  ///< int64; 0 where it is not known
  Tensor known;   ///< int64 of the same shape: 1 where it is

  bool is_complete() const;
};

/// What `node`, a Shape or Size, gives for a tensor of this shape (-1: not known); nullopt for a
/// Size that is not known, or when there is no shape.
std::optional<PartialInts> partial_shape(const onnx::NodeProto& node,
                                         const std::optional<Shape>& shape);
/// A constant as such a list; nullopt for other types than int64 and for long ones.
std::optional<PartialInts> all_known(const TensorView& view);
/// The result of an operator that only moves elements of its inputs about. `read` gives an input;
/// parameters must be complete. nullopt for other operators.
std::optional<PartialInts> move_partial(
    const onnx::NodeProto& node, std::int64_t opset,
    const std::function<std::optional<PartialInts>(const std::string&)>& read);

}  // namespace ingot::converters
