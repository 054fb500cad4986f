// SPDX-License-Identifier: Apache-2.0
// A model loaded into ONNX Runtime and run.
#include "runtime/session.h"

#include <fmt/format.h>
#include <onnxruntime_session_options_config_keys.h>

#include <cerrno>

#include "base/error.h"
#include "base/files.h"
#include "base/parallel.h"
#include "base/text.h"
#include "runtime/ort_api.h"

namespace ingot::runtime {
namespace {

GraphOptimizationLevel ort_level(Optimization optimization) {
  switch (optimization) {
    case Optimization::kNone:
      return ORT_DISABLE_ALL;
    case Optimization::kBasic:
      return ORT_ENABLE_BASIC;
    case Optimization::kExtended:
      return ORT_ENABLE_EXTENDED;
    case Optimization::kAll:
      return ORT_ENABLE_ALL;
  }
  return ORT_ENABLE_ALL;
}

// The same type for inputs, outputs and overridable initializers.
using SessionCount = decltype(&OrtApi::SessionGetInputCount);
using SessionName = decltype(&OrtApi::SessionGetInputName);
using SessionInfo = decltype(&OrtApi::SessionGetInputTypeInfo);

const ValueInfo* find(const std::vector<ValueInfo>& infos, std::string_view name) {
  for (const ValueInfo& info : infos) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

std::vector<std::string> names_of(const std::vector<ValueInfo>& infos) {
  std::vector<std::string> names;
  for (const ValueInfo& info : infos) names.push_back(info.name);
  return names;
}

/// The runtime's own text for a missing file varies from version to version.
void require_model_file(const std::filesystem::path& model) {
  std::error_code ignored;
  const auto status = std::filesystem::status(model, ignored);
  if (!std::filesystem::exists(status)) throw_errno("cannot open", model, ENOENT);
  if (std::filesystem::is_regular_file(status)) return;
  throw Error(Code::kInput, fmt::format("'{}' is not a regular file", model.string()));
}

}  // namespace

struct Session::Impl {
  std::shared_ptr<const Library> library;
  std::filesystem::path model;
  const OrtApi& api;
  OrtSession* session = nullptr;
  OrtMemoryInfo* memory = nullptr;
  std::vector<ValueInfo> inputs, outputs, overridable;
  bool profiling = false;

  Impl(std::shared_ptr<const Library> its_library, std::filesystem::path its_model)
      : library(std::move(its_library)), model(std::move(its_model)), api(*library->impl().api) {}
  ~Impl() {
    if (session != nullptr) api.ReleaseSession(session);
    if (memory != nullptr) api.ReleaseMemoryInfo(memory);
  }

  void check(OrtStatus* status) const { check_status(api, status, model); }
  OrtAllocator* allocator() const {
    OrtAllocator* allocator = nullptr;
    check(api.GetAllocatorWithDefaultOptions(&allocator));
    return allocator;
  }
  /// Takes a string that the runtime allocated.
  std::string take(char* text) const {
    std::string copy = text;
    check(api.AllocatorFree(allocator(), text));
    return copy;
  }
  OrtOwned<OrtSessionOptions> make_options(const SessionOptions& options) const;
  ValueInfo read_type(std::string name, const OrtTypeInfo& type) const;
  std::vector<ValueInfo> read_infos(SessionCount count_of, SessionName name_of,
                                    SessionInfo type_of) const;
  const ValueInfo& feedable(const std::string& name) const;
  void check_complete(const Feeds& feeds) const;
  std::vector<std::string> wanted_names(const std::vector<std::string>& asked) const;
};

OrtOwned<OrtSessionOptions> Session::Impl::make_options(const SessionOptions& options) const {
  OrtSessionOptions* raw = nullptr;
  check(api.CreateSessionOptions(&raw));
  auto owned = own(api, raw, &OrtApi::ReleaseSessionOptions);
  // An explicit number of threads: by itself the runtime counts the machine's cores, not those this
  // process may use, and pins them.
  check(api.SetIntraOpNumThreads(raw,
                                 options.threads > 0 ? options.threads : available_processors()));
  check(api.SetInterOpNumThreads(raw, 1));
  check(api.SetSessionExecutionMode(raw, ORT_SEQUENTIAL));
  check(api.SetSessionGraphOptimizationLevel(raw, ort_level(options.optimization)));
  check(api.SetSessionLogSeverityLevel(raw, ORT_LOGGING_LEVEL_FATAL));
  check(options.memory_pattern ? api.EnableMemPattern(raw) : api.DisableMemPattern(raw));
  check(api.AddSessionConfigEntry(raw, kOrtSessionOptionsConfigAllowIntraOpSpinning,
                                  options.spinning ? "1" : "0"));
  check(api.AddSessionConfigEntry(raw, kOrtSessionOptionsConfigDisablePrepacking,
                                  options.prepacking ? "0" : "1"));
  if (!options.optimized_model.empty()) {
    check(api.SetOptimizedModelFilePath(raw, options.optimized_model.c_str()));
    const bool ort = options.optimized_model.extension() == ".ort";
    check(api.AddSessionConfigEntry(raw, kOrtSessionOptionsConfigSaveModelFormat,
                                    ort ? "ORT" : "ONNX"));
  }
  if (!options.profile_prefix.empty())
    check(api.EnableProfiling(raw, options.profile_prefix.c_str()));
  return owned;
}

ValueInfo Session::Impl::read_type(std::string name, const OrtTypeInfo& type) const {
  ValueInfo info{std::move(name), DType::kUndefined, {}, false};
  ONNXType onnx_type = ONNX_TYPE_UNKNOWN;
  check(api.GetOnnxTypeFromTypeInfo(&type, &onnx_type));
  if (onnx_type != ONNX_TYPE_TENSOR) return info;
  const OrtTensorTypeAndShapeInfo* tensor = nullptr;
  check(api.CastTypeInfoToTensorInfo(&type, &tensor));
  ONNXTensorElementDataType element{};
  check(api.GetTensorElementType(tensor, &element));
  std::size_t rank = 0;
  check(api.GetDimensionsCount(tensor, &rank));
  info.shape.resize(rank);
  check(api.GetDimensions(tensor, info.shape.data(), rank));
  info.dtype = static_cast<DType>(element);
  info.is_tensor = true;
  return info;
}

std::vector<ValueInfo> Session::Impl::read_infos(SessionCount count_of, SessionName name_of,
                                                 SessionInfo type_of) const {
  std::size_t count = 0;
  check((api.*count_of)(session, &count));
  std::vector<ValueInfo> infos;
  for (std::size_t i = 0; i < count; ++i) {
    char* name = nullptr;
    check((api.*name_of)(session, i, allocator(), &name));
    std::string text = take(name);
    OrtTypeInfo* type = nullptr;
    check((api.*type_of)(session, i, &type));
    const auto owned = own(api, type, &OrtApi::ReleaseTypeInfo);
    infos.push_back(read_type(std::move(text), *type));
  }
  return infos;
}

const ValueInfo& Session::Impl::feedable(const std::string& name) const {
  const ValueInfo* info = find(inputs, name);
  if (info == nullptr) info = find(overridable, name);
  if (info == nullptr) {
    throw Error(Code::kInput, fmt::format("'{}': no input '{}'{}", model.string(), name,
                                          did_you_mean(name, names_of(inputs))));
  }
  return *info;
}

void Session::Impl::check_complete(const Feeds& feeds) const {
  for (const ValueInfo& input : inputs) {
    if (feeds.contains(input.name)) continue;
    if (!input.is_tensor) {
      throw Error(Code::kUnsupported,
                  fmt::format("'{}': input '{}' is not a tensor", model.string(), input.name));
    }
    throw Error(Code::kInput,
                fmt::format("'{}': input '{}' is missing, wanted {} {}", model.string(), input.name,
                            dtype_name(input.dtype), to_string(input.shape)));
  }
}

std::vector<std::string> Session::Impl::wanted_names(const std::vector<std::string>& asked) const {
  const std::vector<std::string> all = names_of(outputs);
  if (asked.empty()) return all;
  for (const std::string& name : asked) {
    if (find(outputs, name) == nullptr) {
      throw Error(Code::kInput, fmt::format("'{}': no output '{}'{}", model.string(), name,
                                            did_you_mean(name, all)));
    }
  }
  return asked;
}

Session::Session(std::shared_ptr<const Library> library, const std::filesystem::path& model,
                 const SessionOptions& options)
    : impl_(std::make_unique<Impl>(std::move(library), model)) {
  require_model_file(model);
  const OrtApi& api = impl_->api;
  const auto ort_options = impl_->make_options(options);
  impl_->check(api.CreateSession(impl_->library->impl().env, model.c_str(), ort_options.get(),
                                 &impl_->session));
  impl_->check(api.CreateCpuMemoryInfo(OrtDeviceAllocator, OrtMemTypeDefault, &impl_->memory));
  impl_->profiling = !options.profile_prefix.empty();
  impl_->inputs = impl_->read_infos(&OrtApi::SessionGetInputCount, &OrtApi::SessionGetInputName,
                                    &OrtApi::SessionGetInputTypeInfo);
  impl_->outputs = impl_->read_infos(&OrtApi::SessionGetOutputCount, &OrtApi::SessionGetOutputName,
                                     &OrtApi::SessionGetOutputTypeInfo);
  impl_->overridable = impl_->read_infos(&OrtApi::SessionGetOverridableInitializerCount,
                                         &OrtApi::SessionGetOverridableInitializerName,
                                         &OrtApi::SessionGetOverridableInitializerTypeInfo);
}

Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

const std::vector<ValueInfo>& Session::inputs() const { return impl_->inputs; }
const std::vector<ValueInfo>& Session::outputs() const { return impl_->outputs; }
const std::vector<ValueInfo>& Session::overridable_initializers() const {
  return impl_->overridable;
}

Results Session::run(const Feeds& feeds, const std::vector<std::string>& outputs) {
  impl_->check_complete(feeds);
  std::vector<OrtOwned<OrtValue>> owned;
  std::vector<const char*> input_names, output_names;
  std::vector<const OrtValue*> values;
  for (const auto& [name, feed] : feeds) {
    check_feed(impl_->feedable(name), feed, impl_->model);
    owned.push_back(make_value(impl_->api, *impl_->memory, feed, impl_->model));
    input_names.push_back(name.c_str());
    values.push_back(owned.back().get());
  }
  auto results =
      std::make_unique<Results::Impl>(impl_->library, impl_->model, impl_->wanted_names(outputs));
  for (const std::string& name : results->names) output_names.push_back(name.c_str());
  impl_->check(impl_->api.Run(impl_->session, nullptr, input_names.data(), values.data(),
                              values.size(), output_names.data(), output_names.size(),
                              results->values.data()));
  results->read_texts();
  return Results(std::move(results));
}

std::vector<Tensor> Session::run_copy(const Feeds& feeds, const std::vector<std::string>& outputs) {
  const Results results = run(feeds, outputs);
  std::vector<Tensor> copies;
  for (std::size_t i = 0; i < results.size(); ++i)
    copies.push_back(Tensor::copy_of(results.view(i)));
  return copies;
}

std::filesystem::path Session::end_profiling() {
  INGOT_CHECK(impl_->profiling);
  impl_->profiling = false;
  char* path = nullptr;
  impl_->check(impl_->api.SessionEndProfiling(impl_->session, impl_->allocator(), &path));
  return impl_->take(path);
}

}  // namespace ingot::runtime
