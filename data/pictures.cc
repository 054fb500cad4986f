// SPDX-License-Identifier: Apache-2.0
// From pixels to a model's input, as declared.
#include "data/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/files.h"

namespace ingot::data {
namespace {

struct Size {
  std::int64_t height, width;
};

Size target_size(const ImageInput& input, const Picture& picture) {
  Size size{picture.height, picture.width};
  if (input.height.mode == Extent::Mode::kFixed) size.height = input.height.pixels;
  if (input.width.mode == Extent::Mode::kFixed) size.width = input.width.pixels;
  if (input.width.mode == Extent::Mode::kKeepRatio) {
    size.width = std::max<std::int64_t>(
        1, (2 * picture.width * size.height + picture.height) / (2 * picture.height));
  }
  if (input.max_width > 0) size.width = std::min(size.width, input.max_width);
  if (size.width > kMaxPixels / size.height) {
    throw Error(Code::kInput, fmt::format("input '{}': a picture of {} x {} pixels becomes {} x "
                                          "{}, at most {} pixels are allowed",
                                          input.name, picture.width, picture.height, size.width,
                                          size.height, kMaxPixels));
  }
  return size;
}

/// [height, width, channels] in the order asked for.
std::vector<std::uint8_t> reorder(ColorOrder color, const Picture& picture) {
  std::vector<std::uint8_t> pixels;
  if (color == ColorOrder::kGray) {
    pixels.resize(picture.rgb.size() / 3);
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      const std::uint8_t* rgb = picture.rgb.data() + 3 * i;
      pixels[i] = static_cast<std::uint8_t>(
          (19595U * rgb[0] + 38470U * rgb[1] + 7471U * rgb[2] + 32768U) >> 16);
    }
    return pixels;
  }
  pixels = picture.rgb;
  if (color == ColorOrder::kBgr) {
    for (std::size_t i = 0; i < pixels.size(); i += 3) std::swap(pixels[i], pixels[i + 2]);
  }
  return pixels;
}

/// Where one output row or column takes its values from: `low` and `high` weighted 1 - weight and
/// weight.
struct Tap {
  std::size_t low, high;
  float weight;
};

std::vector<Tap> make_taps(std::int64_t in, std::int64_t out, Resize resize) {
  std::vector<Tap> taps;
  taps.reserve(static_cast<std::size_t>(out));
  for (std::int64_t i = 0; i < out; ++i) {
    if (resize == Resize::kNearest) {
      const auto at = static_cast<std::size_t>((2 * i + 1) * in / (2 * out));
      taps.push_back({at, at, 0});
      continue;
    }
    const double centre =
        (static_cast<double>(i) + 0.5) * static_cast<double>(in) / static_cast<double>(out) - 0.5;
    const double clamped = std::clamp(centre, 0.0, static_cast<double>(in - 1));
    const double low = std::floor(clamped);
    taps.push_back({static_cast<std::size_t>(low),
                    static_cast<std::size_t>(std::min(low + 1, static_cast<double>(in - 1))),
                    static_cast<float>(clamped - low)});
  }
  return taps;
}

/// [size.height, size.width, channels] in float32, values 0 to 255.
std::vector<float> resized(const ImageInput& input, const Picture& picture, const Size& size) {
  const std::vector<std::uint8_t> pixels = reorder(input.color, picture);
  const auto channels = static_cast<std::size_t>(input.channels());
  const std::size_t stride = static_cast<std::size_t>(picture.width) * channels;
  const std::vector<Tap> rows = make_taps(picture.height, size.height, input.resize),
                         columns = make_taps(picture.width, size.width, input.resize);
  std::vector<float> values;
  values.reserve(rows.size() * columns.size() * channels);
  for (const Tap& row : rows) {
    const std::uint8_t *above = pixels.data() + row.low * stride,
                       *below = pixels.data() + row.high * stride;
    for (const Tap& column : columns) {
      for (std::size_t c = 0; c < channels; ++c) {
        const std::size_t left = column.low * channels + c, right = column.high * channels + c;
        const float top = static_cast<float>(above[left]) * (1 - column.weight) +
                          static_cast<float>(above[right]) * column.weight;
        const float bottom = static_cast<float>(below[left]) * (1 - column.weight) +
                             static_cast<float>(below[right]) * column.weight;
        values.push_back(top * (1 - row.weight) + bottom * row.weight);
      }
    }
  }
  return values;
}

void normalize(const ImageInput& input, std::vector<float>& values) {
  const auto channels = static_cast<std::size_t>(input.channels());
  const auto divide = static_cast<float>(input.divide);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t c = i % channels;
    const float mean = input.mean.empty() ? 0.0F : static_cast<float>(input.mean[c]);
    const float std = input.std.empty() ? 1.0F : static_cast<float>(input.std[c]);
    values[i] = (values[i] / divide - mean) / std;
  }
}

/// `values` [h, w, c] as elements of T in the layout asked for.
template <class T>
void store(const std::vector<float>& values, std::size_t channels, Layout layout,
           std::span<T> out) {
  const std::size_t plane = values.size() / channels;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t at = layout == Layout::kNhwc ? i : i % channels * plane + i / channels;
    if constexpr (std::is_same_v<T, std::uint8_t>) {
      out[at] = static_cast<std::uint8_t>(std::floor(values[i] + 0.5F));
    } else {
      out[at] = values[i];
    }
  }
}

bool begins_with(std::span<const std::byte> file, std::string_view signature) {
  return file.size() >= signature.size() &&
         std::memcmp(file.data(), signature.data(), signature.size()) == 0;
}

}  // namespace

Picture read_picture(const std::filesystem::path& path) {
  const MappedFile file(path);
  if (begins_with(file.bytes(), "\xFF\xD8\xFF")) return read_jpeg(path);
  if (begins_with(file.bytes(), "\x89PNG")) return read_png(path);
  throw Error(Code::kInput, fmt::format("'{}' is neither a PNG nor a JPEG file", path.string()));
}

Tensor prepare_picture(const ImageInput& input, const Picture& picture) {
  INGOT_CHECK(picture.width > 0 && picture.height > 0 && input.divide != 0);
  const Size size = target_size(input, picture);
  std::vector<float> values = resized(input, picture, size);
  const std::int64_t channels = input.channels();
  Tensor tensor = Tensor::zeros(input.dtype, input.layout == Layout::kNchw
                                                 ? Shape{1, channels, size.height, size.width}
                                                 : Shape{1, size.height, size.width, channels});
  if (input.dtype == DType::kUint8) {
    store(values, static_cast<std::size_t>(channels), input.layout,
          tensor.as_mutable<std::uint8_t>());
  } else {
    normalize(input, values);
    store(values, static_cast<std::size_t>(channels), input.layout, tensor.as_mutable<float>());
  }
  return tensor;
}

Tensor prepare_image(const ImageInput& input, const std::filesystem::path& path) {
  const Picture picture = read_picture(path);
  return with_context([&] { return fmt::format("while preparing '{}'", path.string()); },
                      [&] { return prepare_picture(input, picture); });
}

Sample prepare_sample(std::span<const ImageInput> inputs,
                      std::span<const std::filesystem::path> files) {
  INGOT_CHECK(inputs.size() == files.size() && !files.empty());
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](Clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
  };
  Sample sample;
  sample.name = files.front().string();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto begin = Clock::now();
    const Picture picture = read_picture(files[i]);
    const auto decoded = Clock::now();
    Tensor tensor =
        with_context([&] { return fmt::format("while preparing '{}'", files[i].string()); },
                     [&] { return prepare_picture(inputs[i], picture); });
    sample.inputs.emplace(inputs[i].name, std::move(tensor));
    sample.decode_seconds += seconds(decoded - begin);
    sample.preprocess_seconds += seconds(Clock::now() - decoded);
  }
  return sample;
}

}  // namespace ingot::data
