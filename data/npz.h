// SPDX-License-Identifier: Apache-2.0
// NumPy's file forms: .npy (one array) and .npz (a zip of them). What a header claims is held
// against what the file has before anything is allocated. Written files depend on their content
// only.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/tensor.h"

namespace ingot::data {

/// Arrays read from one file may take this many bytes in all.
inline constexpr std::size_t kMaxArrayBytes = std::size_t{1} << 30;

/// Parses a whole .npy file (versions 1 to 3) held in memory. `source` begins each message
/// ("'a.npz': array 'x'"). All numeric types, bool, float16, complex; '<V2' is bfloat16 (as
/// ml_dtypes writes it); '<U' and '|S' become a string tensor (UTF-8). Big-endian and Fortran order
/// are converted. Throws kInput when the bytes are not what the header says, or hold Python objects
/// or structures.
Tensor parse_npy(std::span<const std::byte> file, std::string_view source);
Tensor read_npy(const std::filesystem::path& path);
/// The bytes of a version 1 .npy file. Throws kUnsupported for types NumPy does not have (int4,
/// float8, …).
std::string npy_bytes(const TensorView& view);

/// An open .npz: entries are listed at once and unpacked one by one. Not for several threads at a
/// time.
class NpzFile {
 public:
  /// Throws kInput when `path` is missing or not a zip of .npy files, stored or deflated.
  explicit NpzFile(const std::filesystem::path& path);
  ~NpzFile();
  NpzFile(NpzFile&&) noexcept;
  /// Names of the arrays (without ".npy"), sorted.
  const std::vector<std::string>& names() const;
  bool has(std::string_view name) const;
  /// Throws kInput naming file and array when it is damaged (CRC) or claims more than the file can
  /// hold or than kMaxArrayBytes.
  Tensor read(std::string_view name) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Every array of `path`, by name.
std::map<std::string, Tensor> read_npz(const std::filesystem::path& path);
/// Writes `arrays` in the order of their names, stored, with a fixed time stamp: the same arrays
/// give the same bytes. Appears whole or not at all (OutputFile). Throws kUsage when `path` exists
/// and `overwrite` is kNo, kUnsupported as npy_bytes does.
void write_npz(const std::filesystem::path& path, const std::map<std::string, Tensor>& arrays,
               Overwrite overwrite = Overwrite::kNo);

}  // namespace ingot::data
