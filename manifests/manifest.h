// SPDX-License-Identifier: Apache-2.0
// The manifest of a bundle, schema "ingot.bundle/1": what it holds and the two digests of every
// file. docs/formats/bundle.md is the specification. Nothing here touches a file system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/tensor.h"

namespace ingot::manifests {

inline constexpr std::string_view kManifestName = "manifest.json";
inline constexpr std::string_view kBundleSchema = "ingot.bundle/1";
inline constexpr std::size_t kMaxManifestBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxFiles = 4096;

/// What a file is for. The name in the manifest is the enumerator in lower case ("model").
enum class Role { kConfig, kData, kLicense, kModel, kPreprocess, kReport, kRuntime };
const char* role_name(Role role) noexcept;

struct FileEntry {
  std::string path;  ///< relative, see path_rules.h
  std::uint64_t size_bytes = 0;
  unsigned mode = 0644;  ///< permission bits; 0644 in this version
  Role role = Role::kData;
  std::string sha256;    ///< 64 lower-case hex digits
  std::string xxh3_128;  ///< 32 lower-case hex digits
};

/// One kind of machine the bundle runs on. Its runtime library is "runtime/<triplet>/<file name of
/// Engine::runtime>".
struct Target {
  std::string triplet;  ///< Debian's name: "x86_64-linux-gnu"
  std::string
      min_glibc;  ///< newest glibc version the library asks for ("2.28"); empty = it asks for none
};

struct Engine {
  std::string name = "onnxruntime";
  std::string version;           ///< "1.32.0"
  std::int64_t api_version = 0;  ///< of its C API: 32
  std::string runtime;           ///< path of the first target's library
};

/// One input or output of the model; -1 = dimension not fixed.
struct TensorSpec {
  std::string name;
  DType dtype = DType::kUndefined;
  Shape shape;
};

struct Quantization {
  std::string scheme;       ///< "int8"
  std::string plan_sha256;  ///< of the plan file; empty = not given
};

struct ModelInfo {
  std::string main;             ///< path of the model's file
  std::string format = "onnx";  ///< or "ort": ONNX Runtime's own format
  std::int64_t opset = 0;       ///< 0 where the format is "ort", whose operators are of many
  std::vector<std::string> external_data;  ///< paths of the files its tensors lie in, sorted
  std::vector<TensorSpec> inputs, outputs;
  std::optional<Quantization> quantization;
  std::string source_sha256;  ///< of the export this model was made from; empty = not given
  std::string license;        ///< SPDX expression; empty = not given
};

struct Manifest {
  std::string name, version;  ///< [A-Za-z0-9._+-]{1,100}
  std::string created;        ///< "2026-11-30T12:00:00Z"; empty = left out
  std::vector<Target> targets;
  Engine engine;
  ModelInfo model;
  std::string run_config;        ///< path of the run configuration
  std::string preprocess;        ///< path of the travelling dataset.toml; empty = none
  std::vector<FileEntry> files;  ///< every file but the manifest, sorted by path bytes
  std::string bundle_id;  ///< SHA-256 of the manifest's bytes; set by parse_manifest, not written

  /// The entry of `path`; nullptr when there is none.
  const FileEntry* find(std::string_view path) const;
};

/// The library of `triplet`: "" when the bundle has no such target.
std::string runtime_path(const Manifest& manifest, std::string_view triplet);

/// The name of an element type in a manifest: "FP32", "INT64", "BOOL", "BYTES" (strings), as the
/// Open Inference Protocol has them; other types in upper case ("BF16", "INT4", "FLOAT8E5M2").
std::string datatype_name(DType dtype);
/// The inverse; kUndefined when there is no such name.
DType datatype_from_name(std::string_view name);

/// The canonical bytes (RFC 8785, with the member "self_sha256"). Throws kInput when the manifest
/// breaks a rule of the format.
std::string write_manifest(const Manifest& manifest);
/// Reads untrusted bytes. Throws kInput naming `source` and the fault when they are not a manifest
/// of this schema in canonical form, break a limit or a path rule, name a file that is not in
/// `files`, or have an unknown key inside a known member; kUnsupported for another version of the
/// schema or a `critical` member this reader does not know. A digest "self_sha256" that does not
/// match is not thrown: see self_digest().
Manifest parse_manifest(std::string_view text, std::string_view source);

/// The manifest's digest of itself: SHA-256 of its canonical bytes without the member
/// "self_sha256" and without the entries of files of role "report" (every member of those is held
/// against the file itself). It finds accidents only.
struct SelfDigest {
  std::string expected;  ///< as written
  std::string actual;    ///< as computed
};
SelfDigest self_digest(std::string_view text, std::string_view source);

}  // namespace ingot::manifests
