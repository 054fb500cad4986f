// SPDX-License-Identifier: Apache-2.0
// A model written in ONNX Runtime's own format (ORT), by the runtime, in a child process as in the
// check: the model is not trusted.
#pragma once

#include <cstdint>
#include <filesystem>

#include "verify/check_messages.h"

namespace ingot::verify {

struct OrtFormatOptions {
  std::filesystem::path executable;  ///< as in CheckOptions
  std::filesystem::path runtime;     ///< the ONNX Runtime library, as found
  std::uint64_t model_bytes = 0;     ///< of the model with its weights: sets time and memory
  bool exact = false;  ///< true: the graph as it is; false: with the runtime's own fusions for the
                       ///< CPU, without layouts that only one kind of CPU runs
};
/// The optimisation that `exact` means; the original is to run with the same.
runtime::Optimization ort_optimization(bool exact);

/// Writes the ONNX model `model` to `output` (a name that ends in ".ort", in a folder of the
/// caller's own). The runtime adds no optimisation when it loads such a file, so what is written is
/// what runs. Throws what the runtime says of the model (kInput, kUnsupported, kEngine), kEngine
/// when it crashes or does not end, kEnvironment when this runtime does not write the format.
void write_ort_format(const std::filesystem::path& model, const std::filesystem::path& output,
                      const OrtFormatOptions& options);

/// The child's side; `answer.stage` says how far it got when this throws.
void write_ort_in_child(const CheckRequest& request, CheckAnswer& answer);

}  // namespace ingot::verify
