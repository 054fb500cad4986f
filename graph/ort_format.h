// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime's own file format is told from ONNX here, and no more: only the runtime reads and
// writes it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace ingot::graph {

/// True when `bytes` begin as a file in the ORT format does: a flatbuffer with the identifier
/// "ORTM" at byte 4.
bool is_ort_format(std::span<const std::byte> bytes);
/// The same of a file. Throws kInput when it cannot be opened.
bool is_ort_file(const std::filesystem::path& path);

}  // namespace ingot::graph
