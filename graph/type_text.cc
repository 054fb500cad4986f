// SPDX-License-Identifier: Apache-2.0
#include "graph/type_text.h"

#include <fmt/format.h>

#include "base/tensor.h"

namespace ingot::graph {
namespace {

DType dtype_of_field(std::int32_t value) { return static_cast<DType>(value); }

std::string dims_text(const onnx::TensorShapeProto& shape) {
  std::string text = "[";
  for (int i = 0; i < shape.dim_size(); ++i) {
    if (i > 0) text += ',';
    const auto& dim = shape.dim(i);
    if (dim.has_dim_value()) {
      text += std::to_string(dim.dim_value());
    } else {
      text += dim.dim_param().empty() ? "?" : dim.dim_param();
    }
  }
  return text + "]";
}

std::string tensor_text(std::int32_t elem_type, bool has_shape,
                        const onnx::TensorShapeProto& shape) {
  return std::string(dtype_name(dtype_of_field(elem_type))) + (has_shape ? dims_text(shape) : "");
}

}  // namespace

std::string type_text(const onnx::TypeProto& type) {
  switch (type.value_case()) {
    case onnx::TypeProto::kTensorType:
      return tensor_text(type.tensor_type().elem_type(), type.tensor_type().has_shape(),
                         type.tensor_type().shape());
    case onnx::TypeProto::kSparseTensorType:
      return fmt::format("sparse({})", tensor_text(type.sparse_tensor_type().elem_type(),
                                                   type.sparse_tensor_type().has_shape(),
                                                   type.sparse_tensor_type().shape()));
    case onnx::TypeProto::kSequenceType:
      return fmt::format("sequence({})", type_text(type.sequence_type().elem_type()));
    case onnx::TypeProto::kOptionalType:
      return fmt::format("optional({})", type_text(type.optional_type().elem_type()));
    case onnx::TypeProto::kMapType:
      return fmt::format("map({}, {})", dtype_name(dtype_of_field(type.map_type().key_type())),
                         type_text(type.map_type().value_type()));
    default:
      return "undefined";
  }
}

}  // namespace ingot::graph
