// SPDX-License-Identifier: Apache-2.0
// PNG through libpng. libpng leaves by longjmp, so the two functions that call it hold no object
// with a destructor.
#include <fmt/format.h>
#include <png.h>

#include <array>
#include <csetjmp>
#include <cstring>

#include "base/error.h"
#include "base/files.h"
#include "data/pictures.h"

namespace ingot::data {
namespace {

constexpr std::uint64_t kMaxDeflateRatio = 1032;
constexpr png_alloc_size_t kMaxChunkBytes = png_alloc_size_t{8} << 20;

struct Decoder {
  std::span<const std::byte> file;
  std::size_t position = 0;
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::array<char, 200> message{};
  std::uint32_t width = 0, height = 0;
  int bits_per_pixel = 0;       ///< as stored
  std::size_t row_bytes = 0;    ///< as decoded: 3 or 4 channels of 8 bits
  std::vector<png_bytep> rows;  ///< into pixels
  std::vector<png_byte> pixels;

  ~Decoder() { png_destroy_read_struct(&png, &info, nullptr); }
};

void on_error(png_structp png, png_const_charp text) {
  auto& decoder = *static_cast<Decoder*>(png_get_error_ptr(png));
  std::strncpy(decoder.message.data(), text, decoder.message.size() - 1);
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void on_read(png_structp png, png_bytep out, std::size_t wanted) {
  auto& decoder = *static_cast<Decoder*>(png_get_io_ptr(png));
  if (wanted > decoder.file.size() - decoder.position) png_error(png, "the file ends too early");
  std::memcpy(out, decoder.file.data() + decoder.position, wanted);
  decoder.position += wanted;
}

/// Reads the head and declares what the rows shall become. False: see decoder.message.
bool read_head(Decoder& decoder) {
  png_structp png = decoder.png;
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_read_fn(png, &decoder, on_read);
  png_set_user_limits(png, 1'000'000, 1'000'000);
  png_set_chunk_malloc_max(png, kMaxChunkBytes);
  png_read_info(png, decoder.info);
  decoder.width = png_get_image_width(png, decoder.info);
  decoder.height = png_get_image_height(png, decoder.info);
  decoder.bits_per_pixel =
      png_get_bit_depth(png, decoder.info) * png_get_channels(png, decoder.info);
  png_set_scale_16(png);
  png_set_expand(png);
  png_set_gray_to_rgb(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, decoder.info);
  decoder.row_bytes = png_get_rowbytes(png, decoder.info);
  return true;
}

bool read_rows(Decoder& decoder) {
  if (setjmp(png_jmpbuf(decoder.png)) != 0) return false;
  png_read_image(decoder.png, decoder.rows.data());
  png_read_end(decoder.png, nullptr);
  return true;
}

/// Drops the fourth channel by laying the picture over white.
void flatten(const Decoder& decoder, std::vector<std::uint8_t>& rgb) {
  for (std::size_t pixel = 0; pixel < rgb.size() / 3; ++pixel) {
    const png_byte* rgba = decoder.pixels.data() + 4 * pixel;
    const unsigned alpha = rgba[3];
    for (std::size_t c = 0; c < 3; ++c) {
      rgb[3 * pixel + c] =
          static_cast<std::uint8_t>((rgba[c] * alpha + 255U * (255U - alpha) + 127U) / 255U);
    }
  }
}

void check_size(const Decoder& decoder, const std::string& path) {
  const std::uint64_t width = decoder.width, height = decoder.height;
  if (width * height > static_cast<std::uint64_t>(kMaxPixels)) {
    throw Error(Code::kInput, fmt::format("'{}' has {} x {} pixels, at most {} are allowed", path,
                                          width, height, kMaxPixels));
  }
  const std::uint64_t stored =
      (width * static_cast<std::uint64_t>(decoder.bits_per_pixel) + 7) / 8 * height;
  if (stored > decoder.file.size() * kMaxDeflateRatio) {
    throw Error(Code::kInput,
                fmt::format("'{}' claims {} x {} pixels, more than its {} bytes can hold", path,
                            width, height, decoder.file.size()));
  }
}

}  // namespace

Picture read_png(const std::filesystem::path& path) {
  const MappedFile file(path);
  Decoder decoder;
  decoder.file = file.bytes();
  const auto fail = [&] {
    throw Error(Code::kInput, fmt::format("'{}' is not a complete PNG file: {}", path.string(),
                                          decoder.message.data()));
  };
  constexpr std::size_t kSignatureBytes = 8;
  if (decoder.file.size() < kSignatureBytes ||
      png_sig_cmp(reinterpret_cast<png_const_bytep>(decoder.file.data()), 0, kSignatureBytes) !=
          0) {
    throw Error(Code::kInput, fmt::format("'{}' is not a PNG file", path.string()));
  }
  decoder.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &decoder, on_error, on_warning);
  if (decoder.png != nullptr) decoder.info = png_create_info_struct(decoder.png);
  if (decoder.info == nullptr)
    throw Error(Code::kEnvironment,
                "libpng cannot be used: out of memory or of another version than its header");
  if (!read_head(decoder)) fail();
  check_size(decoder, path.string());
  Picture picture{decoder.width, decoder.height, {}};
  decoder.pixels.resize(decoder.row_bytes * decoder.height);
  for (std::size_t y = 0; y < decoder.height; ++y)
    decoder.rows.push_back(decoder.pixels.data() + y * decoder.row_bytes);
  if (!read_rows(decoder)) fail();
  const std::size_t channels = decoder.row_bytes / decoder.width;
  INGOT_CHECK(channels == 3 || channels == 4);
  if (channels == 3) {
    picture.rgb = std::move(decoder.pixels);
  } else {
    picture.rgb.resize(std::size_t{3} * decoder.width * decoder.height);
    flatten(decoder, picture.rgb);
  }
  return picture;
}

}  // namespace ingot::data
