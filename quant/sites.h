// SPDX-License-Identifier: Apache-2.0
// Finds what can be quantized in a model, and names the reason wherever something cannot: nodes
// that an integer kernel could run (sites) and weights that could be stored in fewer bits. Looks
// only; changes nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph_index.h"
#include "quant/affine.h"

namespace ingot::quant {

/// Weights with fewer elements are left alone: a Cast node costs more bytes than they could save.
inline constexpr std::int64_t kSmallWeight = 1024;

enum class SiteKind { kConv, kMatMul };  // a Gemm is a MatMul with its weight maybe transposed

/// A node that could run as an integer kernel, together with the neighbours that its kernel takes
/// over.
struct Site {
  SiteKind kind = SiteKind::kConv;
  std::string node;    ///< key of the Conv, MatMul or Gemm
  std::string weight;  ///< initializer, float32
  std::string bias;    ///< initializer [channels], empty = none
  std::string input;   ///< float activation that is quantized
  std::string output;  ///< float tensor the group writes (after an absorbed bias Add or activation)
  std::string bias_add, activation;  ///< keys of absorbed nodes, empty = none
  bool transposed_weight = false;    ///< Gemm with transB
  bool output_is_quantized =
      false;             ///< the kernel writes uint8 (Conv); a MatMul kernel writes float
  ChannelLayout layout;  ///< one channel per output feature
  std::int64_t multiply_adds_per_output = 0;
};

/// Why a node is not a site.
struct NodeNote {
  std::string node, op_type, reason;
};

/// A float weight and how int8 storage would group it into channels; no layout = float16 at best,
/// with the reason.
struct WeightSite {
  std::string tensor;
  std::optional<ChannelLayout> layout;
  std::string reason;      ///< why there is no layout, or why it must stay float32
  bool may_change = true;  ///< false: must stay as it is
};

struct Sites {
  std::vector<Site> sites;      ///< in graph order
  std::vector<NodeNote> notes;  ///< every other node of the main graph
  std::vector<WeightSite>
      weights;  ///< every float32 initializer of at least kSmallWeight elements, in graph order

  const Site* find(std::string_view node) const;
};

/// Reads `model` (its main graph; what nested graphs hold is noted, not changed).
Sites find_sites(graph::Model& model);

}  // namespace ingot::quant
