// SPDX-License-Identifier: Apache-2.0
#include "graph/typed_data.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "base/error.h"
#include "base/tensor.h"
#include "graph/tensor_store.h"

namespace ingot::graph {
namespace {

static_assert(std::endian::native == std::endian::little, "ONNX's raw data is little-endian");

enum class Field { kFloat, kInt32, kString, kInt64, kDouble, kUint64, kNone };

constexpr const char* kFieldNames[] = {"float_data",  "int32_data",  "string_data", "int64_data",
                                       "double_data", "uint64_data", "no field"};

const char* name_of(Field field) { return kFieldNames[static_cast<std::size_t>(field)]; }

/// The typed field that onnx.proto assigns to an element type.
Field field_of(DType dtype) {
  switch (dtype) {
    case DType::kUndefined:
      return Field::kNone;
    case DType::kFloat:
    case DType::kComplex64:
      return Field::kFloat;
    case DType::kString:
      return Field::kString;
    case DType::kInt64:
      return Field::kInt64;
    case DType::kDouble:
    case DType::kComplex128:
      return Field::kDouble;
    case DType::kUint32:
    case DType::kUint64:
      return Field::kUint64;
    default:
      return dtype_bits(dtype) > 0 ? Field::kInt32 : Field::kNone;
  }
}

/// The one typed field that has values; kNone when all are empty.
Field used_field(const onnx::TensorProto& tensor) {
  const int counts[] = {tensor.float_data_size(),  tensor.int32_data_size(),
                        tensor.string_data_size(), tensor.int64_data_size(),
                        tensor.double_data_size(), tensor.uint64_data_size()};
  Field used = Field::kNone;
  int filled = tensor.raw_data().empty() ? 0 : 1;
  for (std::size_t i = 0; i < std::size(counts); ++i) {
    if (counts[i] == 0) continue;
    used = static_cast<Field>(i);
    ++filled;
  }
  if (filled > 1)
    throw Error(Code::kInput,
                fmt::format("{} keeps values in more than one field", tensor_label(tensor)));
  return used;
}

/// The low `sizeof(T)` bytes of each value.
template <class T, class Values>
std::vector<std::byte> narrowed(const Values& values) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(values.size()) * sizeof(T));
  std::byte* out = bytes.data();
  for (const auto value : values) {
    const T element = static_cast<T>(value);
    std::memcpy(out, &element, sizeof(T));
    out += sizeof(T);
  }
  return bytes;
}

}  // namespace

std::optional<std::vector<std::byte>> typed_bytes(const onnx::TensorProto& tensor) {
  const Field used = used_field(tensor);
  if (used == Field::kNone) return std::nullopt;
  const auto dtype = static_cast<DType>(tensor.data_type());
  const Field wanted = field_of(dtype);
  if (used != wanted) {
    throw Error(Code::kInput, fmt::format("{} of type {} keeps its values in {}; {} is wanted",
                                          tensor_label(tensor), dtype_name(dtype), name_of(used),
                                          name_of(wanted)));
  }
  switch (used) {
    case Field::kFloat:
      return narrowed<float>(tensor.float_data());
    case Field::kInt64:
      return narrowed<std::int64_t>(tensor.int64_data());
    case Field::kDouble:
      return narrowed<double>(tensor.double_data());
    case Field::kUint64:
      return dtype == DType::kUint32 ? narrowed<std::uint32_t>(tensor.uint64_data())
                                     : narrowed<std::uint64_t>(tensor.uint64_data());
    case Field::kInt32:
      break;
    default:
      return std::nullopt;
  }
  switch (dtype_bits(dtype)) {
    case 32:
      return narrowed<std::uint32_t>(tensor.int32_data());
    case 16:
      return narrowed<std::uint16_t>(tensor.int32_data());
    default:
      return narrowed<std::uint8_t>(tensor.int32_data());
  }
}

}  // namespace ingot::graph
