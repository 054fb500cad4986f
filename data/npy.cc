// SPDX-License-Identifier: Apache-2.0
// One array: the elements behind a .npy header, in and out.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/text.h"
#include "data/npy_header.h"
#include "data/npz.h"

namespace ingot::data {
namespace {

/// Calls visit(c_index, file_index) for every element: row-major against column-major order.
template <class Visit>
void for_each_fortran(const Shape& shape, Visit visit) {
  const auto total = static_cast<std::size_t>(element_count(shape));
  std::vector<std::size_t> index(shape.size(), 0), stride(shape.size(), 1);
  for (std::size_t axis = 1; axis < shape.size(); ++axis)
    stride[axis] = stride[axis - 1] * static_cast<std::size_t>(shape[axis - 1]);
  std::size_t at = 0;
  for (std::size_t i = 0; i < total; ++i) {
    visit(i, at);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      at += stride[axis];
      if (++index[axis] < static_cast<std::size_t>(shape[axis])) break;
      at -= index[axis] * stride[axis];
      index[axis] = 0;
    }
  }
}

std::vector<std::byte> to_row_major(std::span<const std::byte> data, const NpyHeader& header) {
  std::vector<std::byte> ordered(data.size());
  for_each_fortran(header.shape, [&](std::size_t to, std::size_t from) {
    std::memcpy(ordered.data() + to * header.item_bytes, data.data() + from * header.item_bytes,
                header.item_bytes);
  });
  return ordered;
}

/// In place. The halves of a complex number and the characters of a text are swapped each by
/// itself.
void swap_bytes(std::vector<std::byte>& data, const NpyHeader& header) {
  std::size_t unit = header.item_bytes;
  if (header.kind == 'c') unit /= 2;
  if (header.kind == 'U') unit = 4;
  if (header.kind == 'S' || unit < 2) return;
  for (std::size_t at = 0; at + unit <= data.size(); at += unit) {
    std::reverse(data.begin() + static_cast<std::ptrdiff_t>(at),
                 data.begin() + static_cast<std::ptrdiff_t>(at + unit));
  }
}

void append_utf8(std::string& text, std::uint32_t c, std::string_view source) {
  if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) {
    throw Error(Code::kInput,
                fmt::format("{}: text holds {:#x}, which is no Unicode character", source, c));
  }
  const auto push = [&](std::uint32_t bits) { text.push_back(static_cast<char>(bits)); };
  if (c < 0x80) {
    push(c);
  } else if (c < 0x800) {
    push(0xC0 | c >> 6);
    push(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    push(0xE0 | c >> 12);
    push(0x80 | (c >> 6 & 0x3F));
    push(0x80 | (c & 0x3F));
  } else {
    push(0xF0 | c >> 18);
    push(0x80 | (c >> 12 & 0x3F));
    push(0x80 | (c >> 6 & 0x3F));
    push(0x80 | (c & 0x3F));
  }
}

/// NumPy pads short texts with zeros.
std::string element_text(std::span<const std::byte> item, char kind, std::string_view source) {
  std::string text;
  if (kind == 'S') {
    text.assign(reinterpret_cast<const char*>(item.data()), item.size());
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
  }
  std::vector<std::uint32_t> characters(item.size() / 4);
  std::memcpy(characters.data(), item.data(), item.size());
  while (!characters.empty() && characters.back() == 0) characters.pop_back();
  for (const std::uint32_t c : characters) append_utf8(text, c, source);
  return text;
}

std::vector<std::string> to_strings(const std::vector<std::byte>& data, const NpyHeader& header,
                                    std::string_view source) {
  const std::size_t count = data.size() / header.item_bytes;
  if (count > kMaxArrayBytes / sizeof(std::string)) {
    throw Error(Code::kInput, fmt::format("{}: {} texts, at most {} are allowed", source, count,
                                          kMaxArrayBytes / sizeof(std::string)));
  }
  std::vector<std::string> strings;
  strings.reserve(count);
  const std::span<const std::byte> all(data);
  for (std::size_t i = 0; i < count; ++i) {
    strings.push_back(
        element_text(all.subspan(i * header.item_bytes, header.item_bytes), header.kind, source));
  }
  return strings;
}

/// The bytes of the elements, or an Error when the file does not have exactly those that the header
/// claims.
std::span<const std::byte> element_bytes(std::span<const std::byte> file, const NpyHeader& header,
                                         std::string_view source) {
  const std::span<const std::byte> data = file.subspan(header.data_offset);
  const auto count = static_cast<std::size_t>(with_context(
      [&] { return std::string(source); }, [&] { return element_count(header.shape); }));
  const bool fits = header.item_bytes == 0 ? count == 0 && data.empty()
                                           : count <= data.size() / header.item_bytes &&
                                                 count * header.item_bytes == data.size();
  if (!fits) {
    throw Error(
        Code::kInput,
        fmt::format("{}: shape {} of {} bytes each does not fit the {} bytes that are there",
                    source, to_string(header.shape), header.item_bytes, data.size()));
  }
  return data;
}

std::vector<std::uint32_t> to_utf32(const std::string& text) {
  if (!is_utf8(text))
    throw Error(Code::kUnsupported,
                "text that is not valid UTF-8 cannot be stored in a .npy array");
  std::vector<std::uint32_t> characters;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t c = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t k = 1; k < length; ++k)
      c = c << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    characters.push_back(c);
    i += length;
  }
  return characters;
}

std::string string_array(const TensorView& view) {
  std::vector<std::vector<std::uint32_t>> texts;
  std::size_t longest = 1;
  for (const std::string& text : view.strings) {
    texts.push_back(to_utf32(text));
    longest = std::max(longest, texts.back().size());
  }
  std::string bytes = npy_header(fmt::format("<U{}", longest), view.shape);
  for (auto& text : texts) {
    text.resize(longest, 0);
    bytes.append(reinterpret_cast<const char*>(text.data()), 4 * longest);
  }
  return bytes;
}

const char* descr_of(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return "|b1";
    case DType::kInt8:
      return "|i1";
    case DType::kUint8:
      return "|u1";
    case DType::kInt16:
      return "<i2";
    case DType::kUint16:
      return "<u2";
    case DType::kInt32:
      return "<i4";
    case DType::kUint32:
      return "<u4";
    case DType::kInt64:
      return "<i8";
    case DType::kUint64:
      return "<u8";
    case DType::kFloat16:
      return "<f2";
    case DType::kFloat:
      return "<f4";
    case DType::kDouble:
      return "<f8";
    case DType::kComplex64:
      return "<c8";
    case DType::kComplex128:
      return "<c16";
    case DType::kBfloat16:
      return "<V2";
    default:
      return nullptr;
  }
}

}  // namespace

Tensor parse_npy(std::span<const std::byte> file, std::string_view source) {
  const NpyHeader header = parse_npy_header(file, source);
  const std::span<const std::byte> data = element_bytes(file, header, source);
  Tensor tensor{header.dtype, header.shape, {}, {}};
  tensor.bytes = header.fortran_order && header.shape.size() > 1
                     ? to_row_major(data, header)
                     : std::vector(data.begin(), data.end());
  if (header.big_endian) swap_bytes(tensor.bytes, header);
  if (header.dtype == DType::kBool) {
    for (std::byte& b : tensor.bytes) b = b == std::byte{0} ? std::byte{0} : std::byte{1};
  }
  if (header.dtype == DType::kString) {
    if (header.item_bytes > 0) tensor.strings = to_strings(tensor.bytes, header, source);
    tensor.bytes.clear();
  }
  return tensor;
}

Tensor read_npy(const std::filesystem::path& path) {
  const MappedFile file(path);
  const std::string source = fmt::format("'{}'", path.string());
  if (file.bytes().size() > kMaxArrayBytes) {
    throw Error(Code::kInput, fmt::format("{} has {} bytes, at most {} are allowed", source,
                                          file.bytes().size(), kMaxArrayBytes));
  }
  return parse_npy(file.bytes(), source);
}

std::string npy_bytes(const TensorView& view) {
  if (view.dtype == DType::kString) return string_array(view);
  const char* descr = descr_of(view.dtype);
  if (descr == nullptr) {
    throw Error(Code::kUnsupported,
                fmt::format("{} cannot be stored in a .npy array: NumPy has no such type",
                            dtype_name(view.dtype)));
  }
  std::string bytes = npy_header(descr, view.shape);
  bytes.append(reinterpret_cast<const char*>(view.bytes.data()), view.bytes.size());
  return bytes;
}

}  // namespace ingot::data
