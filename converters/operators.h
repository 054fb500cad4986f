// SPDX-License-Identifier: Apache-2.0
// Nodes against the schemas of ONNX's operators.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "converters/functions.h"
#include "converters/validate.h"

namespace ingot::converters {

/// Version by domain; the default domain is "".
using Opsets = std::map<std::string, std::int64_t, std::less<>>;

/// Reads opset imports and reports missing, impossible, unknown and contradicting versions.
/// `owner`: "the model" or "function 'F'".
Opsets read_opsets(const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>& imports,
                   const std::string& owner, std::vector<Finding>& findings);

/// Checks nodes one by one.
class OperatorCheck {
 public:
  OperatorCheck(const FunctionTable& functions, Validation& validation)
      : functions_(functions), validation_(validation) {}

  /// Domain, operator, numbers of inputs and outputs, attributes.
  void check(const onnx::NodeProto& node, const Opsets& opsets);

 private:
  void check_call(const onnx::NodeProto& node, const onnx::FunctionProto& function);
  void report(Code code, std::string message);

  const FunctionTable& functions_;
  Validation& validation_;
  std::set<std::string> foreign_;
};

/// "ai.onnx" for the default domain.
std::string shown_domain(const std::string& domain);
/// True for the domains that ONNX itself defines.
bool is_standard_domain(const std::string& domain);

}  // namespace ingot::converters
