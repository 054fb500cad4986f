// SPDX-License-Identifier: Apache-2.0
// What all quantized forms share when they are written into one graph: quantized activations and
// weights, each made once however many nodes read them.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "quant/blocks.h"
#include "quant/sites.h"

namespace ingot::quant {

inline constexpr const char* kContribDomain = "com.microsoft";

/// Names of the initializers of one quantized weight.
struct StoredWeight {
  std::string values, scale, zero_point;
  std::uint64_t bytes = 0;  ///< of all of them
  double error_db = 0;      ///< SQNR of what they stand for against the float weight
};

/// Quantized weights by what they are, for all graphs of one model.
using WeightCache = std::unordered_map<std::string, StoredWeight>;

class FormWriter {
 public:
  /// Writes into `scope` of `scopes`, which describe `model` as it came. `ranges`: of activations,
  /// for static forms.
  FormWriter(graph::Model& model, const Scopes& scopes, const Scope& scope,
             const std::map<std::string, Range>& ranges, graph::NameMaker& names,
             WeightCache& weights);

  graph::Model& model() { return model_; }
  const Scope& scope() const { return scope_; }
  /// A constant of the model as it came.
  TensorView constant(const std::string& name) const;

  /// Adds a node and returns the name of its only output: `output`, or a fresh one from the stem.
  std::string node(const std::string& op_type, const std::string& stem,
                   const std::vector<std::string>& inputs, const std::string& output = {},
                   const std::string& domain = {});
  /// The node added last, for its attributes.
  onnx::NodeProto& last();
  std::string fresh(const std::string& stem) { return names_.fresh(stem); }
  /// Adds an initializer to this graph.
  std::string initializer(const std::string& stem, Tensor value);
  std::string scalar(const std::string& stem, float value);

  /// uint8 with one calibrated scale.
  struct Activation {
    std::string scale, zero_point;  ///< initializers, rank 0: the runtime fuses only scalars
    ActivationParams params;
    std::string quantized;    ///< uint8 tensor
    std::string dequantized;  ///< float tensor behind DequantizeLinear; empty until needed
  };
  Activation& quantized(const std::string& tensor);
  /// Scale and zero point for `tensor`, nothing else. Throws kInput when the plan has no range.
  Activation parameters(const std::string& tensor);
  const std::string& dequantized(const std::string& tensor, Activation& activation);
  /// Makes readers of `tensor` in this graph use `activation`.
  void chain(const std::string& tensor, Activation activation);

  /// uint8 with a scale found at run time, for the whole tensor.
  struct Dynamic {
    std::string quantized, scale, zero_point;
  };
  const Dynamic& dynamic(const std::string& tensor);
  /// uint8 with one scale per row (the last axis), found at run time: x ≈ (q - 128) / 127 ·
  /// row_scale.
  struct PerToken {
    std::string quantized, scale, zero_point, row_scale;
  };
  const PerToken& per_token(const std::string& tensor);

  /// int8 [inputs, outputs] with a scale per output feature, alpha of the site folded in.
  const StoredWeight& int8_matrix(const Site& site);
  /// int8 [rows, columns] as stored, one scale [rows, 1] per row.
  const StoredWeight& int8_rows(const Site& site);
  /// Blocks along the input features: values [outputs, blocks, bytes], scales float32 [outputs,
  /// blocks], kept as float16 behind a Cast.
  const StoredWeight& block_matrix(const Site& site, BlockFormat format);
  /// The bias of a site times its beta as a float vector with one element per output feature; ""
  /// when it has none.
  std::string bias_vector(const Site& site);

  /// Adds an initializer to the graph that owns the weight of `site`.
  std::string beside_weight(const std::string& weight, const std::string& stem, Tensor value);
  void import_contrib();

 private:
  onnx::GraphProto& owner_of(const std::string& weight);

  graph::Model& model_;
  const Scopes& scopes_;
  const Scope& scope_;
  const std::map<std::string, Range>& ranges_;
  graph::NameMaker& names_;
  WeightCache& weights_;
  std::unordered_map<std::string, Activation> activations_;
  std::unordered_map<std::string, Dynamic> dynamic_;
  std::unordered_map<std::string, PerToken> per_token_;
};

}  // namespace ingot::quant
