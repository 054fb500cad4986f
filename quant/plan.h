// SPDX-License-Identifier: Apache-2.0
// The precision plan: what every node and every weight becomes, and why. Made by a scheme and its
// search, executed by quant/emit.h and by nothing else. The JSON form is docs/formats/plan.md.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "quant/affine.h"

namespace ingot::quant {

/// How a node computes; the rows of quant/forms/forms.h.
enum class Form {
  kFloat,
  kStatic,
  kDynamic,
  kPerToken,
  kRows,
  kBlocks8x128,
  kBlocks8x32,
  kBlocks4x128,
  kBlocks4x64,
  kBlocks4x32,
};

/// How a weight is kept in the file.
enum class Storage {
  kFloat32,  ///< as it came
  kFloat16,  ///< binary16, widened by Cast when the runtime loads the model
  kInt8,     ///< int8 per channel, widened by Cast and Mul when the runtime loads the model
  kKernel,   ///< as the forms of the nodes that read it say
};

/// The name of its row: "float", "static", "dynamic", ….
const char* form_name(Form form);
/// "float32", "float16", "int8", "kernel".
const char* storage_name(Storage storage);

struct NodePlan {
  std::string node;  ///< graph::node_key
  std::string op_type;
  Form form = Form::kFloat;
  std::string reason;
  std::string weight, input, output;  ///< tensors of a candidate; empty otherwise
  std::map<Form, double> error_db;    ///< SQNR of its output when it alone takes that form, on
                                      ///< calibration data; higher is better; empty = not measured
  std::optional<double>
      multiply_adds;  ///< share of the model's multiply-adds in candidate nodes, 0..1
};

struct WeightPlan {
  std::string tensor;
  Storage storage = Storage::kFloat32;
  std::string reason;
  std::string granularity;         ///< "channel" or ""
  std::optional<double> error_db;  ///< SQNR of the stored weight against the float weight
  std::uint64_t bytes_before = 0, bytes_after = 0;
};

struct Plan {
  std::string scheme;
  std::string source_sha256;  ///< of the model file the plan was made for
  std::string calibration;    ///< "minmax" or "mse"; empty when no range was needed
  std::string data_sha256;    ///< digest of the calibration samples
  std::size_t samples = 0;
  std::vector<NodePlan> nodes;          ///< every node of the cleaned main graph, in graph order
  std::vector<WeightPlan> weights;      ///< every float weight of at least kSmallWeight elements
  std::map<std::string, Range> ranges;  ///< of activations that enter or leave a static node

  NodePlan* find_node(const std::string& key);
  const NodePlan* find_node(const std::string& key) const;
  WeightPlan* find_weight(const std::string& tensor);
  const WeightPlan* find_weight(const std::string& tensor) const;
};

/// Canonical text: the same plan, the same bytes. Floats are written as shortest decimals that read
/// back exactly.
std::string plan_to_json(const Plan& plan);

}  // namespace ingot::quant
