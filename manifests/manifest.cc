// SPDX-License-Identifier: Apache-2.0
// Names that the manifest uses, and look-ups in it.
#include "manifests/manifest.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ingot::manifests {
namespace {

constexpr std::array<std::pair<DType, std::string_view>, 13> kProtocolNames{{
    {DType::kBool, "BOOL"},
    {DType::kUint8, "UINT8"},
    {DType::kUint16, "UINT16"},
    {DType::kUint32, "UINT32"},
    {DType::kUint64, "UINT64"},
    {DType::kInt8, "INT8"},
    {DType::kInt16, "INT16"},
    {DType::kInt32, "INT32"},
    {DType::kInt64, "INT64"},
    {DType::kFloat16, "FP16"},
    {DType::kFloat, "FP32"},
    {DType::kDouble, "FP64"},
    {DType::kString, "BYTES"},
}};

}  // namespace

const char* role_name(Role role) noexcept {
  switch (role) {
    case Role::kConfig:
      return "config";
    case Role::kData:
      return "data";
    case Role::kLicense:
      return "license";
    case Role::kModel:
      return "model";
    case Role::kPreprocess:
      return "preprocess";
    case Role::kReport:
      return "report";
    case Role::kRuntime:
      return "runtime";
  }
  return "data";
}

const FileEntry* Manifest::find(std::string_view path) const {
  const auto found = std::ranges::lower_bound(files, path, {}, &FileEntry::path);
  return found != files.end() && found->path == path ? &*found : nullptr;
}

std::string runtime_path(const Manifest& manifest, std::string_view triplet) {
  if (std::ranges::find(manifest.targets, triplet, &Target::triplet) == manifest.targets.end()) {
    return "";
  }
  const std::string& first = manifest.engine.runtime;
  return "runtime/" + std::string(triplet) + first.substr(first.rfind('/'));
}

std::string datatype_name(DType dtype) {
  for (const auto& [type, name] : kProtocolNames) {
    if (type == dtype) return std::string(name);
  }
  if (dtype == DType::kBfloat16) return "BF16";
  std::string name(dtype_name(dtype));
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return name;
}

DType datatype_from_name(std::string_view name) {
  for (int value = 1; dtype_name(static_cast<DType>(value)) != "undefined"; ++value) {
    if (datatype_name(static_cast<DType>(value)) == name) return static_cast<DType>(value);
  }
  return DType::kUndefined;
}

}  // namespace ingot::manifests
