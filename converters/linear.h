// SPDX-License-Identifier: Apache-2.0
// Conv, ConvTranspose and Gemm with constant weights that only they read: products and sums per
// channel fold into these.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "converters/affine.h"
#include "converters/edits.h"
#include "converters/pipeline.h"

namespace ingot::converters {

/// Weight of Conv [M, C/g, k…], ConvTranspose [C, M/g, k…], Gemm [K, N] or, transB, [N, K].
struct Linear {
  onnx::NodeProto* node = nullptr;
  onnx::TensorProto* weight =
      nullptr;  ///< an initializer that only `node` reads and nobody can override
  Shape weight_shape;
  DType dtype = DType::kUndefined;  ///< a float type
  std::int64_t inputs = 0, outputs = 0, groups = 1;
  bool outputs_first = true;  ///< axis 0 of the weight belongs to the outputs

  bool is_gemm() const { return node->op_type() == "Gemm"; }
  /// What runs in and out of it; rank as of the weight.
  Channels input_channels() const;
  Channels output_channels() const;
  /// The channels that the weight at [i, j, …] connects.
  std::int64_t input_of(std::int64_t i, std::int64_t j) const;
  std::int64_t output_of(std::int64_t i, std::int64_t j) const;
  /// True when it may read zeros that are not in its input: padding given, computed (auto_pad), or
  /// unknown.
  bool pads() const;
};

/// `node` as a Linear; nullopt when it is none or its weight must stay as it is.
std::optional<Linear> read_linear(const graph::GraphIndex& index, onnx::NodeProto& node);

/// Folds `map`, applied to the output of `linear`, into its weight and bias. False, with nothing
/// changed, when the bias is not a constant per channel or a value would not fit the type.
bool fold_into_output(PassContext& context, const graph::GraphIndex& index, onnx::GraphProto& graph,
                      const Linear& linear, const Affine& map, Edits& edits);

/// Folds `map`, applied to the input of the Conv or ConvTranspose `linear`, into its weight and
/// bias. A shift needs a Conv that does not pad. False, with nothing changed, as above.
bool fold_into_input(PassContext& context, const graph::GraphIndex& index, onnx::GraphProto& graph,
                     const Linear& linear, const Affine& map, Edits& edits);

}  // namespace ingot::converters
