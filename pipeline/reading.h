// SPDX-License-Identifier: Apache-2.0
// What a person reads in a model's CTC outputs, before and after quantization, beside the truth.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/tensor.h"
#include "data/dataset.h"

namespace ingot::pipeline {

/// One line of text as both models read it.
struct Line {
  std::string sample;
  std::optional<std::string> truth;  ///< where the data set knows it
  std::string original, quantized;
};

/// One output declared ctc, over all samples.
struct Reading {
  std::string output;
  std::size_t lines = 0;
  std::size_t alike = 0;                                ///< read as the original model reads them
  std::size_t with_truth = 0;                           ///< lines whose truth is known
  std::size_t original_right = 0, quantized_right = 0;  ///< of those with a truth
  std::vector<Line> differing;                          ///< all that are read differently, in order
};

/// The text of every line of a batch: logits [N, T, C] or [T, C]. Throws kInput naming the output
/// when its shape is another, or it has more classes than `meaning` has symbols and one of those is
/// read.
std::vector<std::string> read_lines(const TensorView& logits, const data::OutputMeaning& meaning,
                                    const std::string& output);

/// Adds the lines of one sample. `truth` counts when the sample has one line.
void add_sample(Reading& reading, const std::string& sample,
                const std::optional<std::string>& truth, const std::vector<std::string>& original,
                const std::vector<std::string>& quantized);

}  // namespace ingot::pipeline
