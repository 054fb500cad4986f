// SPDX-License-Identifier: Apache-2.0
// Greedy reading of CTC outputs (A. Graves et al., "Connectionist Temporal Classification", 2006,
// section 3.2: best path).
#pragma once

#include <cstdint>
#include <vector>

#include "base/tensor.h"

namespace ingot::metrics {

/// Per time step the class with the largest value (ties: the lowest index; NaN counts as smaller
/// than any number), repeats collapsed, then `blank` removed. `logits`: float [T, C] or [1, T, C].
/// Throws kInput for other shapes, C = 0, or types that are not float.
std::vector<std::int64_t> ctc_collapse(const TensorView& logits, std::int64_t blank);
/// The same for every line of a batch: [N, T, C], or [T, C] as one line.
std::vector<std::vector<std::int64_t>> ctc_collapse_batch(const TensorView& logits,
                                                          std::int64_t blank);

}  // namespace ingot::metrics
