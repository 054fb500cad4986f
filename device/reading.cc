// SPDX-License-Identifier: Apache-2.0
#include "device/reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "metrics/ctc.h"

namespace ingot::device {
namespace {

constexpr std::size_t kTopClasses = 5;

std::vector<std::string> read_ctc(const std::string& name, const TensorView& values,
                                  const data::OutputMeaning& meaning) {
  const auto classes = static_cast<std::size_t>(values.shape.empty() ? 0 : values.shape.back());
  if (classes != meaning.symbols.size()) {
    throw Error(Code::kInput,
                fmt::format("output '{}' has {} classes, the dictionary and the blank make {}",
                            name, classes, meaning.symbols.size()));
  }
  std::vector<std::string> lines;
  for (const std::vector<std::int64_t>& line : metrics::ctc_collapse_batch(values, meaning.blank)) {
    std::string text;
    for (const std::int64_t symbol : line)
      text += meaning.symbols[static_cast<std::size_t>(symbol)];
    lines.push_back(std::move(text));
  }
  return lines;
}

std::vector<std::vector<ReadOutput::Class>> read_top(const std::string& name,
                                                     const TensorView& values,
                                                     const data::OutputMeaning& meaning) {
  if (!is_float(values.dtype) || values.shape.empty() || values.shape.back() == 0) {
    throw Error(
        Code::kInput,
        fmt::format(
            "output '{}' is {} {}, a float tensor with classes along its last axis is wanted", name,
            dtype_name(values.dtype), to_string(values.shape)));
  }
  const std::vector<float> all = to_floats(values);
  const auto classes = static_cast<std::size_t>(values.shape.back());
  if (!meaning.symbols.empty() && meaning.symbols.size() != classes) {
    throw Error(Code::kInput, fmt::format("output '{}' has {} classes, there are {} labels", name,
                                          classes, meaning.symbols.size()));
  }
  std::vector<std::vector<ReadOutput::Class>> rows;
  for (std::size_t start = 0; start < all.size(); start += classes) {
    std::vector<std::size_t> order(classes);
    std::iota(order.begin(), order.end(), std::size_t{0});
    // NaN counts as smaller than any number, or there would be no order.
    const auto value = [&](std::size_t i) {
      return std::isnan(all[start + i]) ? -std::numeric_limits<float>::infinity() : all[start + i];
    };
    const std::size_t count = std::min(kTopClasses, classes);
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count),
                              [&](std::size_t a, std::size_t b) {
                                return value(a) != value(b) ? value(a) > value(b) : a < b;
                              });
    std::vector<ReadOutput::Class>& row = rows.emplace_back();
    for (std::size_t k = 0; k < count; ++k) {
      row.push_back({static_cast<std::int64_t>(order[k]),
                     meaning.symbols.empty() ? "" : meaning.symbols[order[k]],
                     all[start + order[k]]});
    }
  }
  return rows;
}

std::optional<ReadOutput::Range> range_of(const TensorView& values) {
  if (!is_float(values.dtype) || values.count() == 0) return {};
  const std::vector<float> all = to_floats(values);
  ReadOutput::Range range{all[0], all[0], 0};
  for (const float value : all) {
    range.min = std::isnan(value) || value < range.min ? value : range.min;
    range.max = std::isnan(value) || value > range.max ? value : range.max;
    range.mean += value;
  }
  range.mean /= static_cast<double>(all.size());
  return range;
}

}  // namespace

ReadOutput read_output(const std::string& name, bool is_first, const TensorView& values,
                       std::span<const data::OutputMeaning> meanings) {
  ReadOutput output{name, values.dtype, values.shape,    data::OutputKind::kNone,
                    {},   {},           range_of(values)};
  for (const data::OutputMeaning& meaning : meanings) {
    if (meaning.output != name && !(meaning.output.empty() && is_first)) continue;
    output.kind = meaning.kind;
    if (meaning.kind == data::OutputKind::kCtc) output.lines = read_ctc(name, values, meaning);
    if (meaning.kind == data::OutputKind::kTopK) output.top = read_top(name, values, meaning);
  }
  return output;
}

}  // namespace ingot::device
