// SPDX-License-Identifier: Apache-2.0
// Files: mapped for reading, and written so that they appear whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace ingot {

/// A regular file mapped read-only and private. Throws kInput when it is missing or not a regular
/// file (a FIFO or device is never opened for reading), kEnvironment on any other failure of the
/// system.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  /// Maps an open file descriptor (kept open by the caller or closed: the mapping stays). `path` is
  /// for messages.
  MappedFile(int fd, const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_bytes_}; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  const std::byte* data_ = nullptr;
  std::size_t size_bytes_ = 0;
};

enum class Overwrite { kNo, kYes };

/// Throws kUsage when `path` exists and `overwrite` is kNo ("'out.onnx' exists already"; hint:
/// --force), when it is empty or "-"; kEnvironment when its folder is missing.
void refuse_existing(const std::filesystem::path& path, Overwrite overwrite);

/// A file being written beside its destination under a temporary name: commit() does fsync, rename
/// and fsync of the folder; without it the destructor removes the temporary file and an older
/// destination stays untouched. Write errors throw kEnvironment naming the destination and the
/// system's reason (disk full, no permission, missing folder).
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& destination);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  /// Writes zero bytes until the position is a multiple of `alignment` (a power of two).
  void align(std::uint64_t alignment);
  std::uint64_t position_bytes() const { return position_bytes_; }
  /// Where the bytes are until commit(); for checks on the file before it appears.
  const std::filesystem::path& temporary_path() const { return temporary_; }
  /// Flushes buffered bytes to the temporary file without publishing it.
  void flush();
  void commit();

 private:
  void write_through(const std::byte* data, std::size_t size);

  std::filesystem::path destination_, temporary_;
  int fd_ = -1;
  std::uint64_t position_bytes_ = 0;
  std::string buffer_;
};

/// Writes `text` to `path` through an OutputFile.
void write_text_file(const std::filesystem::path& path, std::string_view text);
/// The whole file. Throws kInput when missing, not regular, or larger than `max_bytes`.
std::string read_text_file(const std::filesystem::path& path,
                           std::size_t max_bytes = std::size_t{64} << 20);

/// A fresh folder, removed with all it holds by the destructor. `near`: the folder to make it in;
/// empty = the system's.
class TempDir {
 public:
  explicit TempDir(const std::filesystem::path& near = {});
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// "'path': strerror text" as an Error of kEnvironment (no such file, in all its forms:
/// kInput).
[[noreturn]] void throw_errno(std::string_view what, const std::filesystem::path& path,
                              int error_number);

}  // namespace ingot
