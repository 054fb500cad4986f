// SPDX-License-Identifier: Apache-2.0
// Open file descriptors, opening below a folder without following a link, and hashing through a
// descriptor. Internal to this folder.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace ingot::manifests {

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor();

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  /// Gives the descriptor up without closing it.
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

/// Opens `folder` for openat. Throws kInput when it is missing or not a folder.
Descriptor open_folder(const std::filesystem::path& folder);
/// Opens the relative `path` below `folder_fd` for reading; neither it nor a folder on the way may
/// be a link. Not open (errno set) when that fails.
Descriptor open_beneath(int folder_fd, std::string_view path);

struct Digests {
  std::uint64_t size_bytes = 0;
  std::string sha256, xxh3_128;
};
/// Reads `fd` from its start to its end, once; `each` sees every chunk (may be empty). Throws
/// kEnvironment naming `path`, kInterrupted.
Digests hash_descriptor(int fd, const std::filesystem::path& path,
                        const std::function<void(std::span<const std::byte>)>& each = {});

/// "regular file", "symbolic link", "folder", "FIFO", "socket", "block device" or "character
/// device".
const char* type_name(mode_t mode) noexcept;

}  // namespace ingot::manifests
