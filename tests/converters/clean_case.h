// SPDX-License-Identifier: Apache-2.0
// Cleaning a model and holding it against itself in ONNX Runtime, which is the oracle of every
// pass.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "converters/pipeline.h"
#include "tests/support/model_builder.h"

namespace ingot::test {

struct Cleaned {
  graph::Model model;
  converters::CleanReport report;
  /// max|a-b| / max|a| over all outputs, on inputs with seeded numbers; integer outputs count as
  /// numbers.
  double error = 0;
  bool identical = true;  ///< every output has the same bytes

  /// Operators of the main graph in order: "Conv HardSwish".
  std::string operators() const;
  /// How often the row `pass` changed something.
  std::size_t changes(std::string_view pass) const;
};

/// A model in ONNX's text form behind a header of this opset.
onnx::ModelProto proto_of(std::string_view graph, int opset = 17);

/// Runs two model files without the runtime's own optimisations on the same seeded inputs. Adds a
/// test failure when names, types or shapes of inputs or outputs differ; returns Cleaned::error.
double compare_in_runtime(const std::filesystem::path& reference,
                          const std::filesystem::path& candidate);

/// Cleans a copy of `proto` and runs both without the runtime's own optimisations. Adds a test
/// failure when names, types or shapes of inputs or outputs differ. `reference`: what is run in the
/// place of the original.
Cleaned clean_and_compare(const onnx::ModelProto& proto,
                          const converters::PassOptions& options = {},
                          const std::optional<onnx::ModelProto>& reference = std::nullopt);

/// Sums rounded in another order, float32.
inline constexpr double kNearExact = 2e-6;

}  // namespace ingot::test
