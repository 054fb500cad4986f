// SPDX-License-Identifier: Apache-2.0
#include "base/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace ingot {
namespace {

struct DTypeRow {
  std::string_view name;
  int bits;
};

// Indexed by the value of DType.
constexpr std::array<DTypeRow, 27> kDTypes{{
    {"undefined", 0},      {"float32", 32},     {"uint8", 8},          {"int8", 8},
    {"uint16", 16},        {"int16", 16},       {"int32", 32},         {"int64", 64},
    {"string", 0},         {"bool", 8},         {"float16", 16},       {"float64", 64},
    {"uint32", 32},        {"uint64", 64},      {"complex64", 64},     {"complex128", 128},
    {"bfloat16", 16},      {"float8e4m3fn", 8}, {"float8e4m3fnuz", 8}, {"float8e5m2", 8},
    {"float8e5m2fnuz", 8}, {"uint4", 4},        {"int4", 4},           {"float4e2m1", 4},
    {"float8e8m0", 8},     {"uint2", 2},        {"int2", 2},
}};

constexpr std::int64_t kMaxElements = std::int64_t{1} << 62;

const DTypeRow& row(DType dtype) noexcept {
  const auto index = static_cast<std::size_t>(static_cast<int>(dtype));
  return kDTypes[index < kDTypes.size() ? index : 0];
}

template <class T, class Convert>
void convert_all(const TensorView& view, std::vector<float>& out, Convert convert) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    T value;  // the bytes may lie at any address
    std::memcpy(&value, view.bytes.data() + i * sizeof(T), sizeof(T));
    out[i] = convert(value);
  }
}

}  // namespace

std::string_view dtype_name(DType dtype) noexcept { return row(dtype).name; }

DType dtype_from_name(std::string_view name) noexcept {
  if (name == "float") return DType::kFloat;
  for (std::size_t i = 1; i < kDTypes.size(); ++i) {
    if (kDTypes[i].name == name) return static_cast<DType>(static_cast<int>(i));
  }
  return DType::kUndefined;
}

int dtype_bits(DType dtype) noexcept { return row(dtype).bits; }

bool is_float(DType dtype) noexcept {
  return dtype == DType::kFloat || dtype == DType::kDouble || dtype == DType::kFloat16 ||
         dtype == DType::kBfloat16;
}

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ',';
    text += shape[i] == -1 ? "?" : std::to_string(shape[i]);
  }
  return text + "]";
}

std::int64_t element_count(const Shape& shape) {
  bool empty = false;
  for (const std::int64_t dim : shape) {
    if (dim < 0)
      throw Error(Code::kInput,
                  fmt::format("shape {} has a dimension that is not fixed; wanted all of them",
                              to_string(shape)));
    empty = empty || dim == 0;
  }
  if (empty) return 0;
  std::int64_t count = 1;
  for (const std::int64_t dim : shape) {
    if (dim > kMaxElements / count)
      throw Error(Code::kInput,
                  fmt::format("shape {} has more than 2^62 elements", to_string(shape)));
    count *= dim;
  }
  return count;
}

std::size_t byte_count(DType dtype, std::int64_t count) {
  const auto bits = static_cast<std::uint64_t>(dtype_bits(dtype));
  if (bits == 0 || count <= 0) return 0;
  const auto elements = static_cast<std::uint64_t>(count);
  if (bits < 8) {
    const std::uint64_t per_byte = 8 / bits;
    return elements / per_byte + (elements % per_byte != 0 ? 1 : 0);
  }
  if (elements > (std::uint64_t{1} << 62) / (bits / 8)) {
    throw Error(Code::kInput, fmt::format("{} elements of {} are more than 2^62 bytes", count,
                                          dtype_name(dtype)));
  }
  return elements * (bits / 8);
}

Tensor Tensor::zeros(DType dtype, Shape shape) {
  Tensor tensor{dtype, std::move(shape), {}, {}};
  const std::int64_t count = element_count(tensor.shape);
  if (dtype == DType::kString) {
    tensor.strings.resize(static_cast<std::size_t>(count));
  } else {
    tensor.bytes.resize(byte_count(dtype, count));
  }
  return tensor;
}

Tensor Tensor::copy_of(const TensorView& view) {
  return {view.dtype,
          view.shape,
          {view.bytes.begin(), view.bytes.end()},
          {view.strings.begin(), view.strings.end()}};
}

float half_to_float(std::uint16_t half) noexcept {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1fu;
  const std::uint32_t mantissa = half & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | mantissa << 13);
  if (exponent == 0) {
    // A subnormal half is mantissa * 2^-24, which float32 holds exactly.
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}

std::uint16_t float_to_half(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return static_cast<std::uint16_t>(sign | 0x7e00u | (magnitude >> 13 & 0x3ffu));
  if (magnitude >= 0x47800000u)
    return static_cast<std::uint16_t>(sign | 0x7c00u);  // 2^16 and above
  std::uint32_t rounded;
  if (magnitude < 0x38800000u) {
    // Below the smallest normal half: adding 0.5 leaves units of 2^-24 in the low bits, rounded by
    // the addition itself.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    rounded = std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u;
  } else {
    // Rebias, then round half to even; a carry runs into the exponent, up to infinity, as it
    // should.
    rounded = (magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
  }
  return static_cast<std::uint16_t>(sign | rounded);
}

float bfloat16_to_float(std::uint16_t value) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16);
}

std::vector<float> to_floats(const TensorView& view) {
  INGOT_CHECK(is_float(view.dtype));
  std::vector<float> out(view.bytes.size() / static_cast<std::size_t>(dtype_bits(view.dtype) / 8));
  switch (view.dtype) {
    case DType::kFloat:
      std::memcpy(out.data(), view.bytes.data(), out.size() * sizeof(float));
      break;
    case DType::kDouble:
      convert_all<double>(view, out, [](double v) { return static_cast<float>(v); });
      break;
    case DType::kFloat16:
      convert_all<std::uint16_t>(view, out, half_to_float);
      break;
    default:
      convert_all<std::uint16_t>(view, out, bfloat16_to_float);
      break;
  }
  return out;
}

}  // namespace ingot
