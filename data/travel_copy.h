// SPDX-License-Identifier: Apache-2.0
// A dataset.toml as it goes with a model to the device: the preprocessing and the meaning of the
// outputs, without the samples.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ingot::data {

struct TravelCopy {
  std::string text;  ///< TOML; refers to `files` by name; the same file gives the same text
  struct File {
    std::string name;  ///< as `text` refers to it: letters, digits, '.', '_' and '-' only
    std::filesystem::path source;  ///< where it is now
  };
  std::vector<File> files;  ///< dictionaries and class names
};

/// Leaves out the globs of samples and [labels]; comments are lost. Throws as parse_dataset_file.
TravelCopy travel_copy(const std::filesystem::path& dataset_file);

}  // namespace ingot::data
