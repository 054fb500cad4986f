// SPDX-License-Identifier: Apache-2.0
// Local functions of a model: which node calls which, and what writing the calls out would cost.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ingot::converters {

/// "" for the default domain however it is written.
std::string canonical_domain(const std::string& domain);

/// The functions of a model by domain, name and overload. Views into the model.
class FunctionTable {
 public:
  explicit FunctionTable(const onnx::ModelProto& model);

  /// The function `node` calls; -1 when it calls none.
  int find(const onnx::NodeProto& node) const;
  /// True when the model has functions of that domain and operator, whatever their overload.
  bool has_overloads_of(const onnx::NodeProto& node) const;
  const onnx::FunctionProto& at(int index) const { return model_->functions(index); }
  int size() const { return model_->functions_size(); }
  /// Functions that cannot be called, since an earlier one has the same domain, name and overload.
  const std::vector<int>& doubled() const { return doubled_; }
  /// Functions that are never called, since ONNX has an operator of that domain and name.
  const std::vector<int>& hidden() const { return hidden_; }

 private:
  const onnx::ModelProto* model_;
  std::map<std::tuple<std::string, std::string, std::string>, int> by_key_;
  std::vector<int> doubled_, hidden_;
};

/// Who calls whom.
struct CallGraph {
  explicit CallGraph(const FunctionTable& functions);

  std::vector<int> circle;     ///< functions that call each other, in order; empty: there is none
  std::vector<int> bottom_up;  ///< every function after those it calls; without circle only
};

/// What stands in place of a call.
struct InlinedSize {
  std::uint64_t nodes = 0;  ///< of all graphs; sticks at the largest number
  std::uint64_t bytes = 0;  ///< of large tensors that each call would get anew
  int depth = 0;            ///< graphs inside one another below the call
};

/// Of each function, and of the main graph (last). Linear in the model. The model has no circle.
std::vector<InlinedSize> inlined_sizes(const onnx::ModelProto& model,
                                       const FunctionTable& functions, const CallGraph& calls);

/// "function 'F'", with the overload where it has one.
std::string function_label(const onnx::FunctionProto& function);

}  // namespace ingot::converters
