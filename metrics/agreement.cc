// SPDX-License-Identifier: Apache-2.0
#include "metrics/agreement.h"

#include <algorithm>
#include <cstring>

#include "metrics/ctc.h"
#include "metrics/elements.h"

namespace ingot::metrics {
namespace {

/// Element `i` of a tensor of 2- or 4-bit elements, the first in the lowest bits (ONNX's packing).
unsigned packed_element(const std::byte* data, std::int64_t i, int bits) {
  const std::int64_t per_byte = 8 / bits;
  const auto byte = std::to_integer<unsigned>(data[i / per_byte]);
  return (byte >> (static_cast<unsigned>(i % per_byte) * static_cast<unsigned>(bits))) &
         ((1U << static_cast<unsigned>(bits)) - 1U);
}

template <class IsEqual>
Unequal count_where_not(std::int64_t count, const IsEqual& is_equal) {
  Unequal result;
  for (std::int64_t i = 0; i < count; ++i) {
    if (is_equal(i)) continue;
    if (result.count++ == 0) result.first = i;
  }
  return result;
}

}  // namespace

std::optional<double> Agreement::share() const {
  if (count_ == 0) return std::nullopt;
  return static_cast<double>(hits_) / static_cast<double>(count_);
}

bool has_classes(const TensorView& view) {
  return is_float(view.dtype) && !view.shape.empty() && view.shape.back() >= 2;
}

void add_top1(Agreement& agreement, const TensorView& reference, const TensorView& candidate) {
  INGOT_CHECK(has_classes(reference) && has_classes(candidate) &&
              reference.shape == candidate.shape);
  const std::int64_t classes = reference.shape.back(), count = reference.count();
  with_elements(reference, [&](const auto& a) {
    with_elements(candidate, [&](const auto& b) {
      for (std::int64_t row = 0; row < count; row += classes) {
        agreement.add(argmax(a, row, row + classes) == argmax(b, row, row + classes));
      }
    });
  });
}

void add_text(Agreement& agreement, const TensorView& reference, const TensorView& candidate,
              std::int64_t blank) {
  const auto wanted = ctc_collapse_batch(reference, blank),
             got = ctc_collapse_batch(candidate, blank);
  INGOT_CHECK(wanted.size() == got.size());
  for (std::size_t line = 0; line < wanted.size(); ++line) agreement.add(wanted[line] == got[line]);
}

Unequal count_unequal(const TensorView& reference, const TensorView& candidate) {
  INGOT_CHECK(reference.dtype == candidate.dtype && reference.shape == candidate.shape);
  const std::int64_t count = reference.count();
  if (reference.dtype == DType::kString) {
    return count_where_not(count, [&](std::int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      return reference.strings[at] == candidate.strings[at];
    });
  }
  const std::byte *a = reference.bytes.data(), *b = candidate.bytes.data();
  const int bits = dtype_bits(reference.dtype);
  INGOT_CHECK(bits > 0);
  if (bits < 8)
    return count_where_not(count, [&](std::int64_t i) {
      return packed_element(a, i, bits) == packed_element(b, i, bits);
    });
  if (count == 0 || std::memcmp(a, b, reference.bytes.size()) == 0) return {};
  const std::size_t bytes = static_cast<std::size_t>(bits) / 8;
  return count_where_not(count, [&](std::int64_t i) {
    const std::size_t at = static_cast<std::size_t>(i) * bytes;
    return std::memcmp(a + at, b + at, bytes) == 0;
  });
}

}  // namespace ingot::metrics
