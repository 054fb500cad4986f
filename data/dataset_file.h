// SPDX-License-Identifier: Apache-2.0
// dataset.toml as a plain struct: which raw files feed which input, how they are prepared, and what
// the outputs mean. Parsing reads the file and its companions only; the raw files are looked for by
// Dataset, so that a device can use the file without them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/tensor.h"
#include "data/dataset.h"

namespace ingot::data {

enum class ColorOrder { kRgb, kBgr, kGray };
enum class Layout { kNchw, kNhwc };
enum class Resize { kBilinear, kNearest };

/// One side of the prepared picture.
struct Extent {
  enum class Mode { kFixed, kKeep, kKeepRatio };
  Mode mode = Mode::kKeep;
  std::int64_t pixels = 0;  ///< kFixed only
};

/// An [[input]] of kind "image". See prepare_image() in pictures.h for the exact arithmetic.
struct ImageInput {
  std::string name;                ///< the model's input
  std::vector<std::string> files;  ///< globs or paths as written, relative to the file's folder;
                                   ///< may be empty on a device
  ColorOrder color = ColorOrder::kRgb;
  Layout layout = Layout::kNchw;
  DType dtype = DType::kFloat;  ///< kFloat or kUint8
  Extent height, width;
  std::int64_t max_width = 0;  ///< 0 = no limit
  Resize resize = Resize::kBilinear;
  double divide = 1;              ///< kFloat only
  std::vector<double> mean, std;  ///< empty, or one per channel in the order of `color`

  std::int64_t channels() const { return color == ColorOrder::kGray ? 1 : 3; }
};

/// A file that dataset.toml refers to and that is needed to use it without the raw files (a
/// dictionary, topk labels).
struct Companion {
  std::string written;         ///< as in the file, relative to its folder
  std::filesystem::path path;  ///< where it is now
};

struct DatasetFile {
  std::filesystem::path path;
  std::vector<ImageInput> inputs;
  std::vector<OutputMeaning> outputs;  ///< with the symbols read from the companions
  std::vector<Companion> companions;   ///< each once, in the order of the file
  std::optional<std::string>
      labels_file;  ///< [labels] file as written; the true answers, not needed on a device
};

/// Throws kInput naming file, key, the value seen and the value wanted; an unknown key with the
/// nearest known one.
DatasetFile parse_dataset_file(const std::filesystem::path& path);

}  // namespace ingot::data
