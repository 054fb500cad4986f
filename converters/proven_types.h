// SPDX-License-Identifier: Apache-2.0
// Types and shapes that follow from the operators, the weights and what the runtime holds the
// model's inputs to. What a file declares about its inner values and outputs is left aside: the
// runtime only warns when that is wrong, so nothing may be rewritten because of it. For the same
// reason a named dimension of one input says nothing about that of another.
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/tensor.h"
#include "graph/model.h"

namespace ingot::converters {

class ProvenTypes {
 public:
  explicit ProvenTypes(const graph::Model& model) : model_(model) {}

  /// What is known of `name` as `graph` sees it; nullptr when nothing is. Valid until forget().
  const onnx::TypeProto* find(const onnx::GraphProto& graph, std::string_view name);
  /// The shape of `name`, -1 for dimensions that are not known; nullopt when its rank is not known.
  std::optional<Shape> shape(const onnx::GraphProto& graph, std::string_view name);
  std::optional<int> rank(const onnx::GraphProto& graph, std::string_view name);
  /// kUndefined when it is not known.
  DType dtype(const onnx::GraphProto& graph, std::string_view name);
  /// True when both have the same element type and shape, whatever is fed.
  bool same(const onnx::GraphProto& graph, std::string_view a, std::string_view b);
  /// True when both have the same shape, whatever is fed.
  bool same_shape(const onnx::GraphProto& graph, std::string_view a, std::string_view b);

  /// What was known is computed anew when next asked for. Needed when graphs were moved or made;
  /// edits that keep the meaning of every name do no harm.
  void forget() { scopes_.reset(); }

 private:
  /// What one graph defines; a type that is not set is not known.
  struct Scope {
    const onnx::GraphProto* outer = nullptr;
    std::unordered_map<std::string, onnx::TypeProto> types;
  };
  using Scopes = std::unordered_map<const onnx::GraphProto*, Scope>;

  static void add_scopes(const onnx::GraphProto& graph, const onnx::GraphProto& inferred,
                         const onnx::GraphProto* outer, Scopes& scopes);

  const graph::Model& model_;
  std::optional<Scopes> scopes_;
};

/// The shape of a tensor type, -1 for dimensions without value; nullopt without shape.
std::optional<Shape> shape_of(const onnx::TypeProto& type);
/// True when two dimensions are equal, whatever is fed.
bool same_dimension(const onnx::TensorShapeProto::Dimension& a,
                    const onnx::TensorShapeProto::Dimension& b);

}  // namespace ingot::converters
