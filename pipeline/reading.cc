// SPDX-License-Identifier: Apache-2.0
#include "pipeline/reading.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "metrics/ctc.h"

namespace ingot::pipeline {

std::vector<std::string> read_lines(const TensorView& logits, const data::OutputMeaning& meaning,
                                    const std::string& output) {
  std::vector<std::string> lines;
  const auto classes =
      with_context([&] { return fmt::format("output '{}'", output); },
                   [&] { return metrics::ctc_collapse_batch(logits, meaning.blank); });
  for (const std::vector<std::int64_t>& line : classes) {
    std::string& text = lines.emplace_back();
    for (const std::int64_t index : line) {
      if (static_cast<std::size_t>(index) >= meaning.symbols.size()) {
        throw Error(Code::kInput,
                    fmt::format("output '{}' reads class {}, but its dictionary has {} symbols",
                                output, index, meaning.symbols.size()));
      }
      text += meaning.symbols[static_cast<std::size_t>(index)];
    }
  }
  return lines;
}

void add_sample(Reading& reading, const std::string& sample,
                const std::optional<std::string>& truth, const std::vector<std::string>& original,
                const std::vector<std::string>& quantized) {
  const std::size_t count = std::max(original.size(), quantized.size());
  for (std::size_t i = 0; i < count; ++i) {
    Line line;
    line.sample = count == 1 ? sample : fmt::format("{} line {}", sample, i);
    if (count == 1) line.truth = truth;
    if (i < original.size()) line.original = original[i];
    if (i < quantized.size()) line.quantized = quantized[i];
    ++reading.lines;
    const bool alike =
        i < original.size() && i < quantized.size() && line.original == line.quantized;
    reading.alike += alike ? 1 : 0;
    if (line.truth) {
      ++reading.with_truth;
      reading.original_right += line.original == *line.truth ? 1 : 0;
      reading.quantized_right += line.quantized == *line.truth ? 1 : 0;
    }
    if (!alike) reading.differing.push_back(std::move(line));
  }
}

}  // namespace ingot::pipeline
