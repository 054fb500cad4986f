// SPDX-License-Identifier: Apache-2.0
// Finds what can be quantized in a model, and names the reason wherever something cannot: nodes
// that a quantized form could replace (sites) and weights that could be stored in fewer bits. Looks
// only; changes nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quant/affine.h"
#include "quant/scopes.h"

namespace ingot::quant {

/// Weights with fewer elements are left alone: a Cast node costs more bytes than they could save.
inline constexpr std::int64_t kSmallWeight = 1024;

enum class SiteKind {
  kConv,
  kMatMul,  ///< a Gemm is a MatMul with its weight maybe transposed
  kLstm,
  kTable,  ///< a Gather from a constant table along axis 0
};

/// A node that could run in a quantized form, together with the neighbours that the form takes
/// over.
struct Site {
  SiteKind kind = SiteKind::kConv;
  std::size_t graph = 0;   ///< index into Scopes::all()
  std::string node;        ///< key of the node
  std::string weight;      ///< initializer, float32: of this graph or of one around it
  std::string recurrence;  ///< the second weight of an LSTM
  std::string bias;        ///< constant; empty = none
  std::string input;       ///< float activation that is quantized (of a table: the indices)
  std::string output;  ///< float tensor the group writes (after an absorbed bias Add or activation)
  std::string bias_add, activation;  ///< keys of absorbed nodes, empty = none
  std::string transpose;             ///< key of the Transpose between weight and node, empty = none
  bool shared_weight = false;        ///< other nodes read the weight, too
  bool transposed_weight = false;    ///< the weight's rows are output features
  float alpha = 1, beta = 1;         ///< of a Gemm
  bool output_is_quantized = false;  ///< the static kernel writes uint8 (Conv); others write float
  ChannelLayout layout;  ///< of the weight as stored: one channel per output feature, or row
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
  std::size_t graph = 0;  ///< index into Scopes::all(): whose initializer it is
  std::optional<ChannelLayout> layout;
  std::string reason;      ///< why there is no layout, or why it must stay float32
  bool may_change = true;  ///< false: must stay as it is
};

struct Sites {
  std::vector<Site> sites;      ///< in graph order, outer graphs first
  std::vector<NodeNote> notes;  ///< every other node
  std::vector<WeightSite>
      weights;  ///< every float32 initializer of at least kSmallWeight elements, in graph order

  const Site* find(std::string_view node) const;
};

/// Reads `model`, its nested graphs too.
Sites find_sites(graph::Model& model);

}  // namespace ingot::quant
