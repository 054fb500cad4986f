// SPDX-License-Identifier: Apache-2.0
// A model taken to another opset and held against itself in ONNX Runtime.
#pragma once

#include <string>
#include <string_view>

#include "converters/opset/change_opset.h"
#include "tests/support/model_builder.h"

namespace ingot::test {

struct Converted {
  onnx::ModelProto model;
  converters::OpsetChange change;
  double error = 0;  ///< as Cleaned::error

  /// Operators of the main graph in order.
  std::string operators() const;
};

/// Takes a copy of `proto` to `target`, validates it and holds both against each other in the
/// runtime.
Converted convert_and_compare(const onnx::ModelProto& proto, std::int64_t target);

/// The same from text: an opset and what follows the header.
Converted convert_and_compare(std::string_view graph, int opset, std::int64_t target);

/// The kUnsupported message of a change that is refused; "" when it is not.
std::string refusal(std::string_view graph, int opset, std::int64_t target);

}  // namespace ingot::test
