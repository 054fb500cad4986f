// SPDX-License-Identifier: Apache-2.0
// What the evaluators of single operators share. A row of the table in evaluate.cc names one of the
// functions below; each returns nullopt for what it does not compute.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/tensor.h"
#include "graph/graph_index.h"

namespace ingot::converters {

using Ints = std::vector<std::int64_t>;
using Results = std::optional<std::vector<Tensor>>;

/// One node and its constant inputs.
struct Call {
  const onnx::NodeProto& node;
  const std::vector<TensorView>& inputs;
  std::int64_t opset;
  std::size_t max_bytes;

  bool has(std::size_t slot) const {
    return slot < inputs.size() && inputs[slot].dtype != DType::kUndefined;
  }
};

// evaluate_moves.cc: elements of the first input, moved about
Results evaluate_concat(const Call& call);
Results evaluate_expand(const Call& call);
Results evaluate_gather(const Call& call);
Results evaluate_slice(const Call& call);
Results evaluate_split(const Call& call);
Results evaluate_tile(const Call& call);
Results evaluate_transpose(const Call& call);

// evaluate_shapes.cc: the same elements in another shape, and what is made of shapes
Results evaluate_constant_of_shape(const Call& call);
Results evaluate_flatten(const Call& call);
Results evaluate_identity(const Call& call);
Results evaluate_range(const Call& call);
Results evaluate_reshape(const Call& call);
Results evaluate_shape(const Call& call);
Results evaluate_size(const Call& call);
Results evaluate_squeeze(const Call& call);
Results evaluate_unsqueeze(const Call& call);

// evaluate_casts.cc
Results evaluate_cast(const Call& call);

// evaluate_arithmetic.cc: element by element, with broadcasting
Results evaluate_binary(const Call& call);
Results evaluate_unary(const Call& call);
Results evaluate_where(const Call& call);

// evaluate_integers.cc
Results evaluate_non_zero(const Call& call);
Results evaluate_reduce(const Call& call);

/// `value` as the only result.
Results only(Tensor value);
/// The elements of an int64 or int32 tensor; nullopt for other types.
std::optional<Ints> int_values(const TensorView& view);
/// A parameter that is an attribute in old opsets and an input in newer ones; nullopt when it is
/// absent or no list of integers.
std::optional<Ints> int_parameter(const Call& call, const char* attribute, std::size_t slot);
/// True when it is there in either form.
bool has_parameter(const Call& call, const char* attribute, std::size_t slot);
/// Axes counted from 0, sorted, each once; nullopt when one is out of range or named twice.
std::optional<Ints> normal_axes(Ints axes, std::int64_t rank);
/// One axis counted from 0; nullopt when it is out of range.
std::optional<std::size_t> normal_axis(std::int64_t axis, std::size_t rank);
/// First dimension and the one after the last that a Shape node gives of a tensor of this rank.
std::pair<std::size_t, std::size_t> shape_range(const onnx::NodeProto& node, std::size_t rank);
/// Elements of a row-major tensor between neighbours along each axis.
Ints row_major_strides(const Shape& shape);
/// True when a tensor of this type and shape has at most `max_bytes`; false for negative extents
/// and types without whole bytes.
bool fits_bytes(DType dtype, const Shape& shape, std::size_t max_bytes);
/// The shape that numpy's broadcasting gives; nullopt when the shapes do not fit.
std::optional<Shape> broadcast_shape(const Shape& a, const Shape& b);
/// Strides of `shape` seen as the larger shape `as`: 0 along axes of extent 1.
Ints broadcast_strides(const Shape& shape, const Shape& as);
/// out[i…] = source[offset + Σ i·stride], all in elements. The caller has checked the bounds.
Tensor gather_strided(const TensorView& source, Shape shape, const Ints& strides,
                      std::int64_t offset);

/// Element `i`; the bytes of a mapped file need not be aligned.
template <class T>
T element(const TensorView& view, std::size_t i) {
  if constexpr (std::is_same_v<T, bool>) {
    return view.bytes[i] != std::byte{0};
  } else {
    T value;
    std::memcpy(&value, view.bytes.data() + i * sizeof(T), sizeof(T));
    return value;
  }
}

template <class T>
void set_element(Tensor& tensor, std::size_t i, T value) {
  std::memcpy(tensor.bytes.data() + i * sizeof(T), &value, sizeof(T));
}

/// Walks an index space in row-major order; at() is the offset into each of several strided
/// sources.
class StridedWalk {
 public:
  StridedWalk(const Shape& shape, std::vector<Ints> strides)
      : shape_(shape),
        strides_(std::move(strides)),
        at_(strides_.size(), 0),
        index_(shape.size()) {}
  std::int64_t at(std::size_t source) const { return at_[source]; }
  void next() {
    for (std::size_t axis = shape_.size(); axis-- > 0;) {
      for (std::size_t s = 0; s < at_.size(); ++s) at_[s] += strides_[s][axis];
      if (++index_[axis] < shape_[axis]) return;
      for (std::size_t s = 0; s < at_.size(); ++s) at_[s] -= strides_[s][axis] * shape_[axis];
      index_[axis] = 0;
    }
  }

 private:
  const Shape& shape_;
  std::vector<Ints> strides_;
  Ints at_, index_;
};

}  // namespace ingot::converters
