// SPDX-License-Identifier: Apache-2.0
// Which opset a model is to have, and the change to it.
#pragma once

#include <filesystem>
#include <optional>

#include "converters/opset/change_opset.h"

namespace ingot::converters {

/// Who wants which opset.
struct OpsetWish {
  std::optional<std::int64_t> asked;  ///< --opset
  std::filesystem::path runtime;      ///< the library; empty: ONNX's own versions bound the choice
};

/// Takes `model` to the opset asked for; without one it keeps its opset where the runtime runs it,
/// else it is taken to the nearest one that is run. A change that nobody asked for and that is not
/// possible is a warning, and the model stays. The IR version is lowered to what the runtime opens.
/// Throws kUnsupported when the opset asked for is none the runtime runs, or as change_opset does.
OpsetChange choose_opset(graph::Model& model, const OpsetWish& wish, Reporter& reporter);

}  // namespace ingot::converters
