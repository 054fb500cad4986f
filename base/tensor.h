// SPDX-License-Identifier: Apache-2.0
// Element types, shapes and dense tensors as they pass between folders. No arithmetic here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace ingot {

/// Values equal ONNX's TensorProto.DataType, and ONNX Runtime's ONNXTensorElementDataType where
/// both have the type.
enum class DType : int {
  kUndefined = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUint32 = 12,
  kUint64 = 13,
  kComplex64 = 14,
  kComplex128 = 15,
  kBfloat16 = 16,
  kFloat8e4m3fn = 17,
  kFloat8e4m3fnuz = 18,
  kFloat8e5m2 = 19,
  kFloat8e5m2fnuz = 20,
  kUint4 = 21,
  kInt4 = 22,
  kFloat4e2m1 = 23,
  kFloat8e8m0 = 24,
  kUint2 = 25,
  kInt2 = 26,
};

/// "float32", "int8", "bfloat16", …; "undefined" for kUndefined and values out of range.
std::string_view dtype_name(DType dtype) noexcept;
/// The inverse of dtype_name; also "float" for float32. kUndefined when there is no such name.
DType dtype_from_name(std::string_view name) noexcept;
/// Bits per element: 2, 4, 8 … 128; 0 for kString and kUndefined.
int dtype_bits(DType dtype) noexcept;
/// float32, float64, float16 or bfloat16.
bool is_float(DType dtype) noexcept;
template <class T>
constexpr DType dtype_of();

/// Dimensions, outermost first. In a description of a model's input, -1 stands for a dimension that
/// is not fixed.
using Shape = std::vector<std::int64_t>;
/// "[1,3,48,?]": -1 is written '?'.
std::string to_string(const Shape& shape);
/// Product of the dimensions (1 for rank 0). Throws kInput when a dimension is negative or the
/// product exceeds 2^62.
std::int64_t element_count(const Shape& shape);
/// Bytes of `count` packed elements (sub-byte types round up to whole bytes). Throws kInput on
/// overflow; kString counts 0.
std::size_t byte_count(DType dtype, std::int64_t count);

/// A read-only look at a dense row-major tensor, little-endian. Does not own its bytes. `strings`
/// is used by kString only.
struct TensorView {
  DType dtype = DType::kUndefined;
  Shape shape;
  std::span<const std::byte> bytes;
  std::span<const std::string> strings;

  std::int64_t count() const { return element_count(shape); }
  /// The elements as T. Throws kInternal unless T is this dtype's C++ type (bool: std::uint8_t also
  /// fits; float16: std::uint16_t).
  template <class T>
  std::span<const T> as() const;
};

/// A dense row-major tensor that owns its bytes. `strings` holds the elements of a kString tensor.
struct Tensor {
  DType dtype = DType::kUndefined;
  Shape shape;
  std::vector<std::byte> bytes;
  std::vector<std::string> strings;

  /// All elements zero (empty strings for kString).
  static Tensor zeros(DType dtype, Shape shape);
  /// Copies `values`; throws kInternal when their number is not the shape's.
  template <class T>
  static Tensor of(Shape shape, std::span<const T> values);
  template <class T>
  static Tensor of(Shape shape, const std::vector<T>& values) {
    return of<T>(std::move(shape), std::span<const T>(values));
  }
  static Tensor copy_of(const TensorView& view);

  std::int64_t count() const { return element_count(shape); }
  TensorView view() const { return {dtype, shape, bytes, strings}; }
  template <class T>
  std::span<const T> as() const {
    return view().as<T>();
  }
  template <class T>
  std::span<T> as_mutable();
};

/// IEEE 754 binary16 and bfloat16, rounding to nearest even; NaN stays NaN, overflow becomes
/// infinity.
float half_to_float(std::uint16_t half) noexcept;
std::uint16_t float_to_half(float value) noexcept;
float bfloat16_to_float(std::uint16_t value) noexcept;
/// The elements of a float32, float64, float16 or bfloat16 tensor as float32. Throws kInternal for
/// other types.
std::vector<float> to_floats(const TensorView& view);

/// True when elements of `dtype` are stored as T.
template <class T>
bool holds(DType dtype) noexcept;

template <>
constexpr DType dtype_of<float>() {
  return DType::kFloat;
}
template <>
constexpr DType dtype_of<double>() {
  return DType::kDouble;
}
template <>
constexpr DType dtype_of<std::int8_t>() {
  return DType::kInt8;
}
template <>
constexpr DType dtype_of<std::uint8_t>() {
  return DType::kUint8;
}
template <>
constexpr DType dtype_of<std::int16_t>() {
  return DType::kInt16;
}
template <>
constexpr DType dtype_of<std::uint16_t>() {
  return DType::kUint16;
}
template <>
constexpr DType dtype_of<std::int32_t>() {
  return DType::kInt32;
}
template <>
constexpr DType dtype_of<std::uint32_t>() {
  return DType::kUint32;
}
template <>
constexpr DType dtype_of<std::int64_t>() {
  return DType::kInt64;
}
template <>
constexpr DType dtype_of<std::uint64_t>() {
  return DType::kUint64;
}
template <>
constexpr DType dtype_of<bool>() {
  return DType::kBool;
}

template <class T>
bool holds(DType dtype) noexcept {
  if constexpr (sizeof(T) == 1 && std::is_same_v<T, std::uint8_t>) {
    if (dtype == DType::kBool || (dtype_bits(dtype) > 0 && dtype_bits(dtype) < 8)) return true;
  }
  if constexpr (std::is_same_v<T, std::uint16_t>) {
    if (dtype == DType::kFloat16 || dtype == DType::kBfloat16) return true;
  }
  return dtype == dtype_of<T>();
}

template <class T>
std::span<const T> TensorView::as() const {
  INGOT_CHECK(holds<T>(dtype));
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

template <class T>
std::span<T> Tensor::as_mutable() {
  INGOT_CHECK(holds<T>(dtype));
  return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
}

template <class T>
Tensor Tensor::of(Shape shape, std::span<const T> values) {
  Tensor tensor{dtype_of<T>(), std::move(shape), {}, {}};
  INGOT_CHECK(static_cast<std::int64_t>(values.size()) == element_count(tensor.shape));
  const auto* begin = reinterpret_cast<const std::byte*>(values.data());
  tensor.bytes.assign(begin, begin + values.size_bytes());
  return tensor;
}

}  // namespace ingot
