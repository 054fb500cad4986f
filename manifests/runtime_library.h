// SPDX-License-Identifier: Apache-2.0
// What an ONNX Runtime library says about itself, read from its ELF headers without loading it: so
// a library for another machine can be packed too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace ingot::manifests {

struct RuntimeLibrary {
  std::string triplet;           ///< "x86_64-linux-gnu"
  std::string soname;            ///< "libonnxruntime.so.1"
  std::string version;           ///< "1.32.0", from its symbol version VERS_1.32.0
  std::int64_t api_version = 0;  ///< of the C API; release 1.N has version N
  std::string min_glibc;         ///< the newest GLIBC_x.y it asks for; empty = none
};

/// Throws kInput naming `path` when it is missing, is not an ELF shared library for a machine we
/// know, or is not ONNX Runtime.
RuntimeLibrary read_runtime_library(const std::filesystem::path& path);

/// The triplet of the machine this program was built for; "" when it is none of the known ones.
const char* own_triplet() noexcept;
/// The version of the C library this process runs on ("2.36").
std::string own_glibc();
/// True when version `a` ("2.9") is older than `b` ("2.28"); numeric, part by part.
bool version_less(const std::string& a, const std::string& b);

}  // namespace ingot::manifests
