// SPDX-License-Identifier: Apache-2.0
// Nodes against the schemas of ONNX's operators.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "converters/tensor_types.h"
#include "converters/validate.h"

namespace ingot::converters {

/// Version by domain; the default domain is "".
using Opsets = std::map<std::string, std::int64_t, std::less<>>;

/// Reads opset imports and reports missing, doubled, impossible and unknown versions. `owner`: "the
/// model" or "function 'F'".

Opsets read_opsets(const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>& imports,
                   const std::string& owner, std::vector<Finding>& findings);

/// Checks nodes one by one; local functions count as known.
class OperatorCheck {
 public:
  OperatorCheck(const onnx::ModelProto& model, Validation& validation);

  /// Domain, operator, numbers of inputs and outputs, attributes. `types`: null where types are not
  /// known (subgraphs, functions).
  void check(const onnx::NodeProto& node, const Opsets& opsets, TensorTypes* types);

 private:
  void check_types(const onnx::NodeProto& node, std::int64_t version, TensorTypes& types);
  void report(Code code, std::string message);

  Validation& validation_;
  std::set<std::pair<std::string, std::string>> functions_;  ///< domain, name
  std::set<std::string> foreign_;
};

/// "" for the default domain however it is written.
std::string canonical_domain(const std::string& domain);
/// "ai.onnx" for the default domain.
std::string shown_domain(const std::string& domain);
/// True for the domains that ONNX itself defines.
bool is_standard_domain(const std::string& domain);

}  // namespace ingot::converters
