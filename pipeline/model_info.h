// SPDX-License-Identifier: Apache-2.0
// What a manifest says about a model, read from its graph.
#pragma once

#include "graph/model.h"
#include "manifests/manifest.h"
#include "runtime/session.h"

namespace ingot::pipeline {

/// Opset of the default domain, and the inputs (those without a default) and outputs in the model's
/// order. Throws kUnsupported naming an input or output that is not a tensor. The other members are
/// left to the caller.
manifests::ModelInfo model_info(const graph::Model& model);

/// The same of a model in the ORT format, which only the runtime reads: inputs and outputs.
manifests::ModelInfo model_info(const runtime::Session& session);

}  // namespace ingot::pipeline
