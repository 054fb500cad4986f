// SPDX-License-Identifier: Apache-2.0
// A model written for one opset of the default domain, rewritten for another so that it computes
// the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/reporter.h"
#include "converters/opset/rewriter.h"
#include "graph/model.h"

namespace ingot::converters {

/// What became of the opset.
struct OpsetChange {
  std::int64_t from = 0, to = 0;        ///< of the model
  std::int64_t ir_from = 0, ir_to = 0;  ///< IR versions
  std::string reason;                   ///< who wanted it
  std::vector<OpsetRewrite> rewrites;   ///< in the order made

  bool changed() const { return from != to || !rewrites.empty(); }
};

/// Changes every graph, subgraph, training graph and local function of a valid model (validate.h)
/// to opset `target` of the default domain; other domains stay. No weight is read. The IR version
/// becomes at least what ONNX released with that opset; weights that IR versions below 4 list as
/// inputs are inputs no more. A model that imports no default domain stays as it is. Throws
/// kUnsupported naming node, operator and both versions; the model is then of no more use.
OpsetChange change_opset(graph::Model& model, std::int64_t target, Reporter& reporter);

/// The IR version that ONNX released with an opset.
std::int64_t ir_version_of(std::int64_t opset);

}  // namespace ingot::converters
