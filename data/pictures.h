// SPDX-License-Identifier: Apache-2.0
// Pictures: PNG and JPEG files decoded and turned into model inputs as a dataset.toml declares it.
// The device does the same.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "base/tensor.h"
#include "data/dataset.h"
#include "data/dataset_file.h"

namespace ingot::data {

/// A picture of more pixels is refused before memory is taken for it.
inline constexpr std::int64_t kMaxPixels = std::int64_t{64} << 20;

/// 8 bits per channel, rows from the top, channels R, G, B.
struct Picture {
  std::int64_t width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< [height, width, 3]
};

/// Decodes a PNG: gray and palette become RGB, 16 bits are scaled to 8, transparent pixels are laid
/// over white; gamma and colour profiles are not applied. Throws kInput when it is missing, not a
/// PNG, damaged, or above kMaxPixels.
Picture read_png(const std::filesystem::path& path);

/// Decodes a JPEG, baseline or progressive: gray becomes RGB, YCbCr is converted with the accurate
/// integer transform and smooth chroma upsampling, the same pixels on every machine. The
/// orientation that a camera notes (EXIF) and colour profiles are not applied. Throws kInput when
/// it is missing, damaged (also where a decoder could go on with a warning), above kMaxPixels or of
/// more than 100 scans; kUnsupported for CMYK and arithmetic coding.
Picture read_jpeg(const std::filesystem::path& path);

/// read_png or read_jpeg, by the file's first bytes. Throws kInput when it is neither.
Picture read_picture(const std::filesystem::path& path);

/// The tensor of `input` for `picture`, with a batch axis of 1 in front:
/// 1. colour: the order asked for; gray is (19595 R + 38470 G + 7471 B + 32768) >> 16;
/// 2. size: height as declared; width as declared, where "keep-ratio" is width * new_height /
/// height rounded half up and at least 1; then
///    at most max_width;
/// 3. resize: bilinear with half-pixel centres, edges repeated, no antialiasing; nearest takes
/// floor((i + 0.5) * in / out);
///    float32 keeps fractions, uint8 rounds half up;
/// 4. float32 only: (value / divide - mean) / std, each step in float32.
/// Throws kInput when the result would be above kMaxPixels.
Tensor prepare_picture(const ImageInput& input, const Picture& picture);
/// read_picture, then prepare_picture.
Tensor prepare_image(const ImageInput& input, const std::filesystem::path& path);
/// One sample from one raw file per input, with the times of decoding and preparing. Not checked
/// against a model's specs.
Sample prepare_sample(std::span<const ImageInput> inputs,
                      std::span<const std::filesystem::path> files);

}  // namespace ingot::data
