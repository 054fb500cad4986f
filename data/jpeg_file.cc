// SPDX-License-Identifier: Apache-2.0
// JPEG through libjpeg-turbo. The library leaves by longjmp, so the two functions that call it hold
// no object with a destructor.
#include <fmt/format.h>
#include <jpeglib.h>

#include <array>
#include <csetjmp>
#include <cstdio>  // jpeglib.h wants it
#include <cstring>

#include "base/error.h"
#include "base/files.h"
#include "data/pictures.h"

namespace ingot::data {
namespace {

/// Encoders write about ten; each scan of a large picture costs as much as all of a small file.
constexpr int kMaxScans = 100;
/// With Huffman codes a block of 8 x 8 pixels has at least one bit.
constexpr std::uint64_t kMaxPixelsPerByte = 8 * 64;

struct Decoder {
  jpeg_decompress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  std::jmp_buf escape{};
  std::array<char, JMSG_LENGTH_MAX> message{};
  std::span<const std::byte> file;
  std::uint8_t* rgb = nullptr;  ///< where the rows go

  ~Decoder() { jpeg_destroy_decompress(&jpeg); }
};

[[noreturn]] void leave(j_common_ptr jpeg) {
  std::longjmp(static_cast<Decoder*>(jpeg->client_data)->escape, 1);
}

[[noreturn]] void on_error(j_common_ptr jpeg) {
  (*jpeg->err->format_message)(jpeg, static_cast<Decoder*>(jpeg->client_data)->message.data());
  leave(jpeg);
}

/// Levels below 0 are warnings: the decoder goes on with pixels it has made up.
void on_message(j_common_ptr jpeg, int level) {
  if (level < 0) on_error(jpeg);
}

void on_progress(j_common_ptr jpeg) {
  auto& decoder = *static_cast<Decoder*>(jpeg->client_data);
  if (decoder.jpeg.input_scan_number <= kMaxScans) return;
  std::strncpy(decoder.message.data(), "it has more than 100 scans", decoder.message.size() - 1);
  leave(jpeg);
}

/// False: see decoder.message.
bool read_head(Decoder& decoder) {
  if (setjmp(decoder.escape) != 0) return false;
  decoder.jpeg.err = jpeg_std_error(&decoder.errors);
  decoder.errors.error_exit = on_error;
  decoder.errors.emit_message = on_message;
  decoder.jpeg.client_data = &decoder;
  jpeg_create_decompress(&decoder.jpeg);
  decoder.progress.progress_monitor = on_progress;
  decoder.jpeg.progress = &decoder.progress;
  jpeg_mem_src(&decoder.jpeg, reinterpret_cast<const unsigned char*>(decoder.file.data()),
               static_cast<unsigned long>(decoder.file.size()));
  jpeg_read_header(&decoder.jpeg, TRUE);
  return true;
}

/// The accurate integer transform and the smooth chroma upsampling: their SIMD and plain forms give
/// the same bits, so that a picture has the same pixels on every machine.
bool read_rows(Decoder& decoder) {
  if (setjmp(decoder.escape) != 0) return false;
  decoder.jpeg.out_color_space = JCS_RGB;
  decoder.jpeg.dct_method = JDCT_ISLOW;
  decoder.jpeg.do_fancy_upsampling = TRUE;
  decoder.jpeg.do_block_smoothing = FALSE;
  jpeg_start_decompress(&decoder.jpeg);
  const std::size_t row_bytes = std::size_t{3} * decoder.jpeg.output_width;
  while (decoder.jpeg.output_scanline < decoder.jpeg.output_height) {
    JSAMPROW row = decoder.rgb + decoder.jpeg.output_scanline * row_bytes;
    jpeg_read_scanlines(&decoder.jpeg, &row, 1);
  }
  jpeg_finish_decompress(&decoder.jpeg);
  return true;
}

const char* color_name(J_COLOR_SPACE space) {
  switch (space) {
    case JCS_CMYK:
      return "CMYK";
    case JCS_YCCK:
      return "YCCK";
    default:
      return "of an unknown kind";
  }
}

void check_head(const Decoder& decoder, const std::string& path) {
  const std::uint64_t width = decoder.jpeg.image_width, height = decoder.jpeg.image_height;
  if (width * height > static_cast<std::uint64_t>(kMaxPixels)) {
    throw Error(Code::kInput, fmt::format("'{}' has {} x {} pixels, at most {} are allowed", path,
                                          width, height, kMaxPixels));
  }
  const J_COLOR_SPACE space = decoder.jpeg.jpeg_color_space;
  if (space != JCS_GRAYSCALE && space != JCS_YCbCr && space != JCS_RGB) {
    throw Error(Code::kUnsupported,
                fmt::format("the colours of '{}' are {}; gray, YCbCr or RGB is wanted", path,
                            color_name(space)));
  }
  if (decoder.jpeg.arith_code != 0) {
    throw Error(Code::kUnsupported,
                fmt::format("'{}' is coded arithmetically; Huffman codes are wanted", path));
  }
  if (width * height > decoder.file.size() * kMaxPixelsPerByte) {
    throw Error(Code::kInput,
                fmt::format("'{}' claims {} x {} pixels, more than its {} bytes can hold", path,
                            width, height, decoder.file.size()));
  }
}

}  // namespace

Picture read_jpeg(const std::filesystem::path& path) {
  const MappedFile file(path);
  Decoder decoder;
  decoder.file = file.bytes();
  const auto fail = [&] {
    throw Error(Code::kInput, fmt::format("'{}' is not a sound JPEG file: {}", path.string(),
                                          decoder.message.data()));
  };
  if (!read_head(decoder)) fail();
  check_head(decoder, path.string());
  Picture picture{decoder.jpeg.image_width, decoder.jpeg.image_height, {}};
  picture.rgb.resize(static_cast<std::size_t>(3 * picture.width * picture.height));
  decoder.rgb = picture.rgb.data();
  if (!read_rows(decoder)) fail();
  return picture;
}

}  // namespace ingot::data
