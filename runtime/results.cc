// SPDX-License-Identifier: Apache-2.0
// Tensors coming out of the runtime, looked at where they are.
#include <fmt/format.h>

#include "base/error.h"
#include "runtime/ort_api.h"

namespace ingot::runtime {
namespace {

struct TypeAndShape {
  DType dtype;
  Shape shape;
};

TypeAndShape type_and_shape(const OrtApi& api, const OrtValue& value,
                            const std::filesystem::path& model) {
  OrtTensorTypeAndShapeInfo* info = nullptr;
  check_status(api, api.GetTensorTypeAndShape(&value, &info), model);
  const auto owned = own(api, info, &OrtApi::ReleaseTensorTypeAndShapeInfo);
  ONNXTensorElementDataType type{};
  check_status(api, api.GetTensorElementType(info, &type), model);
  std::size_t rank = 0;
  check_status(api, api.GetDimensionsCount(info, &rank), model);
  Shape shape(rank);
  check_status(api, api.GetDimensions(info, shape.data(), rank), model);
  return {static_cast<DType>(type), std::move(shape)};
}

std::vector<std::string> copy_strings(const OrtApi& api, const OrtValue& value, std::int64_t count,
                                      const std::filesystem::path& model) {
  std::vector<std::string> strings(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < strings.size(); ++i) {
    std::size_t length = 0;
    check_status(api, api.GetStringTensorElementLength(&value, i, &length), model);
    strings[i].resize(length);
    check_status(api, api.GetStringTensorElement(&value, length, i, strings[i].data()), model);
  }
  return strings;
}

ONNXType type_of(const OrtApi& api, const OrtValue& value, const std::filesystem::path& model) {
  ONNXType type = ONNX_TYPE_UNKNOWN;
  check_status(api, api.GetValueType(&value, &type), model);
  return type;
}

}  // namespace

Results::Impl::Impl(std::shared_ptr<const Library> its_library, std::filesystem::path its_model,
                    std::vector<std::string> its_names)
    : library(std::move(its_library)),
      model(std::move(its_model)),
      names(std::move(its_names)),
      values(names.size(), nullptr),
      texts(names.size()) {}

Results::Impl::~Impl() {
  for (OrtValue* value : values) {
    if (value != nullptr) library->impl().api->ReleaseValue(value);
  }
}

void Results::Impl::read_texts() {
  const OrtApi& api = *library->impl().api;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == nullptr || type_of(api, *values[i], model) != ONNX_TYPE_TENSOR) continue;
    const TypeAndShape info = type_and_shape(api, *values[i], model);
    if (info.dtype == DType::kString)
      texts[i] = copy_strings(api, *values[i], element_count(info.shape), model);
  }
}

Results::Results(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Results::Results(Results&&) noexcept = default;
Results& Results::operator=(Results&&) noexcept = default;
Results::~Results() = default;

std::size_t Results::size() const { return impl_->values.size(); }

TensorView Results::view(std::size_t i) const {
  INGOT_CHECK(i < size());
  const OrtApi& api = *impl_->library->impl().api;
  OrtValue* value = impl_->values[i];
  const ONNXType type = value == nullptr ? ONNX_TYPE_OPTIONAL : type_of(api, *value, impl_->model);
  if (type != ONNX_TYPE_TENSOR) {
    throw Error(Code::kUnsupported,
                fmt::format("'{}': output '{}' is a {}, wanted a tensor", impl_->model.string(),
                            impl_->names[i], onnx_type_name(type)));
  }
  TypeAndShape info = type_and_shape(api, *value, impl_->model);
  if (info.dtype == DType::kString) return {info.dtype, std::move(info.shape), {}, impl_->texts[i]};
  void* data = nullptr;
  check_status(api, api.GetTensorMutableData(value, &data), impl_->model);
  const std::size_t size_bytes = byte_count(info.dtype, element_count(info.shape));
  return {info.dtype, std::move(info.shape), {static_cast<const std::byte*>(data), size_bytes}, {}};
}

}  // namespace ingot::runtime
