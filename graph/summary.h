// SPDX-License-Identifier: Apache-2.0
// What is in a model, counted without running it and without touching its weights.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/tensor.h"
#include "graph/model.h"

namespace ingot::graph {

/// One input or output of the main graph.
struct PortSummary {
  std::string name;
  DType dtype = DType::kUndefined;  ///< of the elements; kUndefined when the model does not say
  std::string type;  ///< "float32[1,3,48,W]": named dimensions by their name; "sequence(…)",
                     ///< "map(…)", "optional(…)"
  bool has_initializer = false;  ///< an input that need not be fed
};

/// One stored tensor: an initializer, or a tensor in a node's attribute.
struct TensorSummary {
  std::string name;  ///< initializer or Constant's output; "in If 'x'" for other attributes
  DType dtype = DType::kUndefined;
  Shape shape;
  std::uint64_t size_bytes = 0;
};

struct DTypeTotals {
  std::uint64_t tensor_count = 0, parameter_count = 0, size_bytes = 0;
};

struct Summary {
  std::int64_t ir_version = 0;
  std::string producer;  ///< name and version
  std::string graph_name;
  std::vector<std::pair<std::string, std::int64_t>>
      opset_imports;  ///< domain ("ai.onnx" for the default one), version; as written
  std::vector<PortSummary> inputs, outputs;
  std::uint64_t node_count = 0;  ///< all graphs and functions
  std::map<std::string, std::uint64_t>
      operator_counts;  ///< "Conv", "com.microsoft.Gelu"; all graphs and functions
  std::uint64_t subgraph_count = 0, function_count = 0;
  std::uint64_t parameter_count = 0;  ///< elements of all stored tensors
  std::uint64_t weight_bytes = 0;
  std::map<DType, DTypeTotals> by_dtype;
  std::vector<TensorSummary> largest;  ///< largest first, equal sizes in file order
  bool external_weights = false;
  std::vector<std::string> external_files;  ///< relative to the model's folder, sorted
  std::uint64_t file_bytes = 0;  ///< of the model file, without its external data; 0 for a model
                                 ///< that was not loaded from a file
  std::string domain, doc;       ///< of the model; empty when it has none
  std::int64_t model_version = 0;
  std::vector<std::string> functions;  ///< "loc.F", "loc.F:overload"; in file order
  std::uint64_t training_info_count = 0;
  std::vector<std::pair<std::string, std::string>> metadata;  ///< metadata_props as written
};

/// `largest_count`: how many of the largest tensors to list. Linear in nodes and tensors. Throws
/// kInput when a tensor's dimensions are negative or too large.
Summary summarize(const Model& model, std::size_t largest_count = 10);

}  // namespace ingot::graph
