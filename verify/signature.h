// SPDX-License-Identifier: Apache-2.0
// Whether two models can stand for each other: names, types and order of inputs and outputs, before
// anything runs.
#pragma once

#include <string>
#include <vector>

#include "runtime/session.h"

namespace ingot::verify {

/// What a model takes and gives. `optional_inputs`: initializers that may be fed.
struct Signature {
  std::vector<runtime::ValueInfo> inputs, optional_inputs, outputs;
};
Signature signature_of(const runtime::Session& session);

struct SignatureMatch {
  /// The reference's tensor outputs that the candidate has too, in the reference's order: what is
  /// compared.
  std::vector<runtime::ValueInfo> outputs;
  std::vector<std::string>
      violations;  ///< a missing input or output, one more input, an input's other type
  std::vector<std::string> warnings;  ///< another order, more outputs
  std::vector<std::string>
      not_tensors;  ///< outputs both have that cannot be compared (sequence, map, optional)
  /// False when the candidate cannot be given the reference's inputs.
  bool can_feed = true;
};
SignatureMatch match(const Signature& reference, const Signature& candidate);

/// Names of `values`, in order.
std::vector<std::string> names_of(const std::vector<runtime::ValueInfo>& values);

}  // namespace ingot::verify
