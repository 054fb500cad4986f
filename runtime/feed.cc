// SPDX-License-Identifier: Apache-2.0
// Tensors on their way into the runtime: checked against the model, then wrapped without a copy.
#include <fmt/format.h>

#include <cstring>

#include "base/error.h"
#include "runtime/ort_api.h"

namespace ingot::runtime {
namespace {

bool fits(const Shape& wanted, const Shape& got) {
  // The C API reports an input of unknown rank as rank 0.
  if (wanted.empty()) return true;
  if (wanted.size() != got.size()) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] >= 0 && wanted[i] != got[i]) return false;
  }
  return true;
}

void fill_strings(const OrtApi& api, OrtValue& value, std::span<const std::string> strings,
                  const std::filesystem::path& model) {
  for (std::size_t i = 0; i < strings.size(); ++i) {
    char* buffer = nullptr;
    check_status(
        api, api.GetResizedStringTensorElementBuffer(&value, i, strings[i].size(), &buffer), model);
    if (!strings[i].empty()) std::memcpy(buffer, strings[i].data(), strings[i].size());
  }
}

}  // namespace

void check_feed(const ValueInfo& wanted, const TensorView& feed,
                const std::filesystem::path& model) {
  if (!wanted.is_tensor) {
    throw Error(Code::kUnsupported,
                fmt::format("'{}': input '{}' is not a tensor", model.string(), wanted.name));
  }
  if (feed.dtype != wanted.dtype) {
    throw Error(Code::kInput,
                fmt::format("'{}': input '{}' wants {}, got {}", model.string(), wanted.name,
                            dtype_name(wanted.dtype), dtype_name(feed.dtype)));
  }
  if (!fits(wanted.shape, feed.shape)) {
    throw Error(Code::kInput,
                fmt::format("'{}': input '{}' wants shape {}, got {}", model.string(), wanted.name,
                            to_string(wanted.shape), to_string(feed.shape)));
  }
}

OrtOwned<OrtValue> make_value(const OrtApi& api, const OrtMemoryInfo& memory,
                              const TensorView& view, const std::filesystem::path& model) {
  OrtValue* value = nullptr;
  const auto type = static_cast<ONNXTensorElementDataType>(view.dtype);
  if (view.dtype == DType::kString) {
    INGOT_CHECK(static_cast<std::int64_t>(view.strings.size()) == view.count());
    OrtAllocator* allocator = nullptr;
    check_status(api, api.GetAllocatorWithDefaultOptions(&allocator), model);
    check_status(
        api,
        api.CreateTensorAsOrtValue(allocator, view.shape.data(), view.shape.size(), type, &value),
        model);
    auto owned = own(api, value, &OrtApi::ReleaseValue);
    fill_strings(api, *value, view.strings, model);
    return owned;
  }
  INGOT_CHECK(view.bytes.size() == byte_count(view.dtype, view.count()));
  // The API takes a mutable pointer and refuses null; a run does not write to its inputs.
  static std::byte nothing{};
  void* data = view.bytes.empty() ? &nothing : const_cast<std::byte*>(view.bytes.data());
  check_status(
      api,
      api.CreateTensorWithDataAsOrtValue(&memory, data, view.bytes.size(), view.shape.data(),
                                         view.shape.size(), type, &value),
      model);
  return own(api, value, &OrtApi::ReleaseValue);
}

}  // namespace ingot::runtime
