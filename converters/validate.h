// SPDX-License-Identifier: Apache-2.0
// Is a model well formed? Every fault is named in one run; nothing is computed and no weight is
// read. What only running shows is the check's business (verify/check.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "converters/budgets.h"
#include "graph/model.h"

namespace ingot::converters {

/// One fault, naming node and tensor in quotes, what was seen and what is wanted.
struct Finding {
  Code code =
      Code::kInput;  ///< kUnsupported: an operator, opset or IR version that ingot does not know
  std::string message;
};

struct Validation {
  std::vector<Finding> findings;
  /// What is odd and does no harm: kept or put right, one sentence each.
  std::vector<std::string> oddities;
  /// Operators of foreign domains, "acme.ops.MyOp", sorted, each once: kept as they are.
  std::vector<std::string> foreign_operators;
};

/// Looks at budgets, opset imports, every graph, subgraph and local function, every node against
/// its schema, every tensor's bytes against its dims; where all that holds, at element types and
/// shapes with the functions written out. Linear in the model, but for the order of nodes where
/// they are unsorted. A model over the budgets of nodes or depth is not looked at any further.
Validation validate(const graph::Model& model, const Budgets& budgets = {});

/// Throws when there are findings: kInput, or kUnsupported when all of them are that. The message
/// starts with `source` and lists them (at most 20).
void require_valid(const Validation& validation, std::string_view source);

}  // namespace ingot::converters
