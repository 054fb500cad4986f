// SPDX-License-Identifier: Apache-2.0
// Writes the static integer form of one site into a graph.
#pragma once

#include <map>
#include <string>
#include <unordered_map>

#include "graph/graph_index.h"
#include "quant/sites.h"

namespace ingot::quant {

class StaticForm {
 public:
  StaticForm(graph::Model& model, const std::map<std::string, Range>& ranges);

  /// Adds nodes that compute `site` in integers and write the float tensor `output`. Nothing is
  /// removed. With `chain`, a later site that reads `output` uses the uint8 tensor directly.
  /// Returns the bytes the weight takes now. Throws kInput when a range is missing, naming the
  /// tensor.
  std::uint64_t add(const Site& site, const onnx::NodeProto& original, const std::string& output,
                    bool chain);

 private:
  struct Activation {
    std::string scale, zero_point;  ///< initializers
    ActivationParams params;
    std::string quantized;    ///< uint8 tensor
    std::string dequantized;  ///< float tensor behind DequantizeLinear; empty until needed
  };

  Activation& input(const std::string& tensor);
  Activation parameters(const std::string& tensor);
  const std::string& dequantized(const std::string& tensor, Activation& activation);
  std::uint64_t add_conv(const Site& site, const onnx::NodeProto& original,
                         const std::string& output, bool chain);
  std::uint64_t add_matmul(const Site& site, const std::string& output);
  std::string initializer(const std::string& stem, Tensor value);
  TensorView constant(const std::string& name) const;
  Tensor weight_matrix(const Site& site) const;

  graph::Model& model_;
  onnx::GraphProto& graph_;
  graph::NameMaker names_;
  const std::map<std::string, Range>& ranges_;
  std::unordered_map<std::string, Activation> activations_;
  std::unordered_map<std::string, const onnx::TensorProto*>
      initializers_;  ///< of the graph as it came
};

}  // namespace ingot::quant
