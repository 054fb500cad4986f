// SPDX-License-Identifier: Apache-2.0
// What an output says to a person: the text, the likeliest classes, or the range of its values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/tensor.h"
#include "data/dataset.h"

namespace ingot::device {

struct ReadOutput {
  std::string name;
  DType dtype = DType::kUndefined;
  Shape shape;
  data::OutputKind kind = data::OutputKind::kNone;
  std::vector<std::string> lines;  ///< ctc: the text of each line of the batch
  struct Class {
    std::int64_t index = 0;
    std::string label;  ///< empty when no labels are declared
    double value = 0;
  };
  std::vector<std::vector<Class>>
      top;  ///< topk: for each row of the batch up to 5 classes, likeliest first
  struct Range {
    double min = 0, max = 0, mean = 0;
  };
  std::optional<Range> range;  ///< of a float output that has elements; NaN where a value is
};

/// Reads the output `name` as `meanings` declare it (a meaning without a name is the model's first
/// output: `is_first`). Throws kInput naming the output when it does not fit its meaning.
ReadOutput read_output(const std::string& name, bool is_first, const TensorView& values,
                       std::span<const data::OutputMeaning> meanings);

}  // namespace ingot::device
