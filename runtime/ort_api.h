// SPDX-License-Identifier: Apache-2.0
// What the .cc files of this folder share of ONNX Runtime's C API. Included by them only.
#pragma once

#include <onnxruntime_c_api.h>

#include <filesystem>
#include <memory>
#include <string>

#include "runtime/session.h"

namespace ingot::runtime {

struct Library::Impl {
  std::filesystem::path path;
  std::string version;
  const OrtApi* api = nullptr;
  OrtEnv* env = nullptr;
};

/// Throws unless `status` is null; `subject` (a file's path) begins the message. The only place
/// where a status becomes an Error. Missing files and unreadable protobufs are kInput, operators
/// and types the runtime lacks kUnsupported, all else kEngine.
void check_status(const OrtApi& api, OrtStatus* status, const std::filesystem::path& subject);
/// The runtime's text without source positions, C++ signatures and line breaks, at most 1000 bytes.
std::string shorten_engine_text(std::string text);

/// Releases an object of the runtime through the API it came from.
template <class T>
struct OrtRelease {
  const OrtApi* api;
  void (ORT_API_CALL* OrtApi::*release)(T*);
  void operator()(T* object) const { (api->*release)(object); }
};
template <class T>
using OrtOwned = std::unique_ptr<T, OrtRelease<T>>;

/// Takes ownership of `object`: `own(api, value, &OrtApi::ReleaseValue)`.
template <class T>
OrtOwned<T> own(const OrtApi& api, T* object, void (ORT_API_CALL* OrtApi::*release)(T*)) {
  return OrtOwned<T>(object, OrtRelease<T>{&api, release});
}

/// "tensor", "sequence", "map", …
const char* onnx_type_name(ONNXType type);

/// An OrtValue over `view`'s bytes; strings are copied. `view` must outlive it.
OrtOwned<OrtValue> make_value(const OrtApi& api, const OrtMemoryInfo& memory,
                              const TensorView& view, const std::filesystem::path& model);
/// Throws kInput when `feed` does not fit `wanted`, naming model, input, wanted and got.
void check_feed(const ValueInfo& wanted, const TensorView& feed,
                const std::filesystem::path& model);

struct Results::Impl {
  std::shared_ptr<const Library> library;
  std::filesystem::path model;
  std::vector<std::string> names;
  std::vector<OrtValue*> values;                ///< owned
  std::vector<std::vector<std::string>> texts;  ///< the elements of string results

  Impl(std::shared_ptr<const Library> its_library, std::filesystem::path its_model,
       std::vector<std::string> its_names);
  ~Impl();
  /// Fetches the elements of string results; call once, when `values` is filled.
  void read_texts();
};

}  // namespace ingot::runtime
