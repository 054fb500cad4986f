// SPDX-License-Identifier: Apache-2.0
#include "data/npy_header.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "base/error.h"

namespace ingot::data {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeaderBytes = 65536;
constexpr std::size_t kMaxRank = 16;
constexpr std::size_t kMaxItemBytes = std::size_t{1} << 24;

/// Reads the dictionary literal; just the part of Python that NumPy writes.
class Literal {
 public:
  Literal(std::string_view text, std::string_view source) : rest_(text), source_(source) {}

  [[noreturn]] void fail(std::string_view why) const {
    throw Error(Code::kInput, fmt::format("{}: malformed .npy header: {}", source_, why));
  }
  void skip_space() {
    while (!rest_.empty() &&
           (rest_.front() == ' ' || rest_.front() == '\n' || rest_.front() == '\t'))
      rest_.remove_prefix(1);
  }
  bool take(std::string_view token) {
    skip_space();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) fail(fmt::format("wanted '{}'", token));
  }
  bool at_end() {
    skip_space();
    return rest_.empty();
  }
  std::string_view string() {
    const char quote = take("'") ? '\'' : take("\"") ? '"' : '\0';
    const std::size_t end = quote == '\0' ? std::string_view::npos : rest_.find(quote);
    if (end == std::string_view::npos) fail("wanted a string");
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }
  bool boolean() {
    if (take("True")) return true;
    if (take("False")) return false;
    fail("wanted True or False");
  }
  std::int64_t integer() {
    skip_space();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{} || value < 0) fail("wanted a dimension, an integer of at least 0");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  Shape shape() {
    Shape dimensions;
    expect("(");
    while (!take(")")) {
      dimensions.push_back(integer());
      if (dimensions.size() > kMaxRank) fail(fmt::format("more than {} dimensions", kMaxRank));
      if (!take(",")) {
        expect(")");
        break;
      }
    }
    return dimensions;
  }

 private:
  std::string_view rest_, source_;
};

DType numeric_dtype(char kind, std::size_t bytes) {
  switch (kind) {
    case 'b':
      return bytes == 1 ? DType::kBool : DType::kUndefined;
    case 'i':
      return bytes == 1   ? DType::kInt8
             : bytes == 2 ? DType::kInt16
             : bytes == 4 ? DType::kInt32
             : bytes == 8 ? DType::kInt64
                          : DType::kUndefined;
    case 'u':
      return bytes == 1   ? DType::kUint8
             : bytes == 2 ? DType::kUint16
             : bytes == 4 ? DType::kUint32
             : bytes == 8 ? DType::kUint64
                          : DType::kUndefined;
    case 'f':
      return bytes == 2   ? DType::kFloat16
             : bytes == 4 ? DType::kFloat
             : bytes == 8 ? DType::kDouble
                          : DType::kUndefined;
    case 'c':
      return bytes == 8 ? DType::kComplex64 : bytes == 16 ? DType::kComplex128 : DType::kUndefined;
    case 'V':
      return bytes == 2 ? DType::kBfloat16 : DType::kUndefined;
    case 'U':
    case 'S':
      return DType::kString;
    default:
      return DType::kUndefined;
  }
}

/// "<f4" → type and element size.
void parse_descr(std::string_view descr, std::string_view source, NpyHeader& header) {
  const auto refuse = [&] {
    throw Error(Code::kInput,
                fmt::format("{}: element type '{}' is not supported, wanted numbers, bool or text",
                            source, descr));
  };
  if (descr.size() < 2) refuse();
  if (descr[1] == 'O')
    throw Error(Code::kInput,
                fmt::format("{}: holds Python objects, wanted numbers, bool or text", source));
  const char order = descr[0];
  if (order != '<' && order != '>' && order != '|' && order != '=') refuse();
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(descr.data() + 2, descr.data() + descr.size(), count);
  if (error != std::errc{} || end != descr.data() + descr.size() || count > kMaxItemBytes) refuse();
  header.kind = descr[1];
  header.dtype = numeric_dtype(header.kind, count);
  if (header.dtype == DType::kUndefined) refuse();
  header.item_bytes = header.kind == 'U' ? 4 * count : count;
  header.big_endian = order == '>';
}

/// Length of the dictionary and where it begins, by version.
std::pair<std::size_t, std::size_t> header_extent(std::span<const std::byte> file,
                                                  std::string_view source) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (!text.starts_with(kMagic))
    throw Error(Code::kInput,
                fmt::format("{} is not a .npy array: it does not begin with \\x93NUMPY", source));
  if (text.size() < 12) throw Error(Code::kInput, fmt::format("{}: truncated .npy header", source));
  const auto byte = [&](std::size_t i) { return std::to_integer<std::size_t>(file[i]); };
  const std::size_t version = byte(6);
  if (version < 1 || version > 3)
    throw Error(Code::kInput, fmt::format("{}: .npy version {}, wanted 1 to 3", source, version));
  const std::size_t begin = version == 1 ? 10 : 12;
  const std::size_t length = version == 1
                                 ? byte(8) | byte(9) << 8
                                 : byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24;
  if (length > kMaxHeaderBytes || length > file.size() - begin) {
    throw Error(
        Code::kInput,
        fmt::format("{}: the .npy header claims {} bytes, {} are there (at most {} allowed)",
                    source, length, file.size() - begin, kMaxHeaderBytes));
  }
  return {begin, length};
}

}  // namespace

NpyHeader parse_npy_header(std::span<const std::byte> file, std::string_view source) {
  const auto [begin, length] = header_extent(file, source);
  Literal literal({reinterpret_cast<const char*>(file.data()) + begin, length}, source);
  NpyHeader header;
  header.data_offset = begin + length;
  bool has_descr = false, has_order = false, has_shape = false;
  literal.expect("{");
  while (!literal.take("}")) {
    const std::string_view key = literal.string();
    literal.expect(":");
    if (key == "descr" && !has_descr) {
      if (literal.take("["))
        throw Error(Code::kInput,
                    fmt::format("{}: holds structures, wanted numbers, bool or text", source));
      parse_descr(literal.string(), source, header);
      has_descr = true;
    } else if (key == "fortran_order" && !has_order) {
      header.fortran_order = literal.boolean();
      has_order = true;
    } else if (key == "shape" && !has_shape) {
      header.shape = literal.shape();
      has_shape = true;
    } else {
      literal.fail(fmt::format("key '{}' is unknown or given twice", key));
    }
    if (!literal.take(",")) {
      literal.expect("}");
      break;
    }
  }
  if (!literal.at_end()) literal.fail("text after the dictionary");
  if (!has_descr || !has_order || !has_shape)
    literal.fail("wanted the keys descr, fortran_order and shape");
  return header;
}

std::string npy_header(std::string_view descr, const Shape& shape) {
  std::string dimensions;
  for (std::size_t i = 0; i < shape.size(); ++i)
    dimensions += fmt::format("{}{}", i == 0 ? "" : ", ", shape[i]);
  if (shape.size() == 1) dimensions += ',';
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, dimensions);
  const std::size_t unpadded = kMagic.size() + 4 + dictionary.size() + 1;
  dictionary.append((64 - unpadded % 64) % 64, ' ');
  dictionary += '\n';
  INGOT_CHECK(dictionary.size() < 65536);
  std::string head(kMagic);
  head += {'\x01', '\x00', static_cast<char>(dictionary.size() & 0xFFU),
           static_cast<char>(dictionary.size() >> 8)};
  return head + dictionary;
}

}  // namespace ingot::data
