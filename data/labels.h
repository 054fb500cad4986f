// SPDX-License-Identifier: Apache-2.0
// True answers beside the samples: labels.npy of a folder of .npz, or the label file of a
// dataset.toml. Private to data/.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/dataset_file.h"

namespace ingot::data {

/// The classes in labels.npy: integers, [count] or [count,1]. Throws kInput otherwise.
std::vector<std::int64_t> read_class_labels(const std::filesystem::path& path, std::size_t count);

struct Answers {
  std::vector<std::string> texts;  ///< one per sample where an output is declared ctc; else empty
  std::vector<std::int64_t> classes;  ///< else one per sample
};

/// Reads `file.labels_file` ("file<TAB>answer" lines) for the samples that were made from `names`
/// (as written relative to the dataset file's folder; a line may also give the bare file name). A
/// class is an integer or a label of the topk output. Lines for other files are ignored. Throws
/// kInput naming file and line.
Answers read_answers(const DatasetFile& file, const std::vector<std::string>& names);

}  // namespace ingot::data
