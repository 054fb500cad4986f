// SPDX-License-Identifier: Apache-2.0
#include "metrics/ctc.h"

#include <fmt/format.h>

#include "metrics/elements.h"

namespace ingot::metrics {
namespace {

struct Lines {
  std::int64_t count, steps, classes;
};

Lines lines_of(const TensorView& logits) {
  const Shape& shape = logits.shape;
  const bool fits =
      is_float(logits.dtype) && (shape.size() == 2 || shape.size() == 3) && shape.back() > 0;
  if (!fits) {
    throw Error(Code::kInput, fmt::format("a ctc output of type {} and shape {}; wanted float "
                                          "[steps,classes] or [lines,steps,classes]",
                                          dtype_name(logits.dtype), to_string(shape)));
  }
  return {shape.size() == 3 ? shape[0] : 1, shape[shape.size() - 2], shape.back()};
}

template <class Reader>
std::vector<std::int64_t> collapse(const Reader& element, const Lines& lines, std::int64_t line,
                                   std::int64_t blank) {
  std::vector<std::int64_t> symbols;
  std::int64_t previous = -1;
  for (std::int64_t step = 0; step < lines.steps; ++step) {
    const std::int64_t begin = (line * lines.steps + step) * lines.classes;
    const std::int64_t symbol = argmax(element, begin, begin + lines.classes);
    if (symbol != previous && symbol != blank) symbols.push_back(symbol);
    previous = symbol;
  }
  return symbols;
}

}  // namespace

std::vector<std::vector<std::int64_t>> ctc_collapse_batch(const TensorView& logits,
                                                          std::int64_t blank) {
  const Lines lines = lines_of(logits);
  std::vector<std::vector<std::int64_t>> all;
  with_elements(logits, [&](const auto& element) {
    for (std::int64_t line = 0; line < lines.count; ++line)
      all.push_back(collapse(element, lines, line, blank));
  });
  return all;
}

std::vector<std::int64_t> ctc_collapse(const TensorView& logits, std::int64_t blank) {
  const Lines lines = lines_of(logits);
  if (lines.count != 1)
    throw Error(Code::kInput, fmt::format("a ctc output of {} lines; wanted 1", lines.count));
  return ctc_collapse_batch(logits, blank).front();
}

}  // namespace ingot::metrics
