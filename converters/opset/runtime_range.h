// SPDX-License-Identifier: Apache-2.0
// Which opsets and IR versions a runtime opens: asked of it, not of a table.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace ingot::converters {

/// The newest versions that a runtime opens; it runs opsets from kLowestOpset on.
struct RuntimeRange {
  std::int64_t newest_opset, newest_ir_version;
  std::string runtime;  ///< "ONNX Runtime 1.32.0", for messages
};

/// What ONNX knows, where no runtime is at hand.
RuntimeRange onnx_range();
/// What any supported runtime opens (the floor is ONNX Runtime 1.21): no need to ask up to here.
RuntimeRange floor_range();
/// Opens models of one Identity in `library` until one is taken, newest versions first. Throws
/// kEnvironment when the library cannot be opened.
RuntimeRange ask_runtime(const std::filesystem::path& library);

}  // namespace ingot::converters
