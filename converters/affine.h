// SPDX-License-Identifier: Apache-2.0
// Nodes that multiply and add per channel with constants, as y = scale·x + shift.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/graph_index.h"

namespace ingot::converters {

/// Per channel, in double. A vector of one element holds for all channels.
struct Affine {
  std::vector<double> scale{1.0};
  std::vector<double> shift{0.0};

  double scale_of(std::int64_t channel) const { return at(scale, channel); }
  double shift_of(std::int64_t channel) const { return at(shift, channel); }
  bool shifts() const;  ///< some shift is not zero
  bool scales() const;  ///< some scale is not one

 private:
  static double at(const std::vector<double>& values, std::int64_t channel) {
    return values.size() == 1 ? values[0] : values[static_cast<std::size_t>(channel)];
  }
};

/// `first`, then `second` on its result.
Affine then(const Affine& first, const Affine& second);

/// The tensor that runs through an affine node: its rank, its channels along axis 1, and its
/// element type.
struct Channels {
  int rank = 0;
  std::int64_t count = 0;
  DType dtype = DType::kUndefined;
};

struct AffineNode {
  Affine map;
  int data_slot = 0;  ///< the input that is not the constant
};

/// `node` as Mul, Add, Sub or Div by a constant that is one value, or one per channel along axis 1
/// (a constant of shape [W] on a rank-4 tensor is per column: nullopt), and does not raise the
/// rank. nullopt for all else.
std::optional<AffineNode> read_elementwise(const graph::GraphIndex& index,
                                           const onnx::NodeProto& node, const Channels& channels);

/// `node` as an inference BatchNormalization with constant parameters and one result in use.
std::optional<AffineNode> read_batch_norm(const graph::GraphIndex& index,
                                          const onnx::NodeProto& node, const Channels& channels);

/// A constant that is one value or one per channel along axis 1 of a tensor like `channels`: its
/// values, 1 or channels.count of them.
std::optional<std::vector<double>> channel_values(const TensorView& constant,
                                                  const Channels& channels);

}  // namespace ingot::converters
