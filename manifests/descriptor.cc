// SPDX-License-Identifier: Apache-2.0
#include "manifests/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "base/files.h"
#include "base/hash.h"
#include "base/interrupt.h"

namespace ingot::manifests {
namespace {

// Large enough that system calls do not count, small enough to stay in the second-level cache
// between the two digests.
constexpr std::size_t kChunkBytes = std::size_t{256} << 10;

}  // namespace

Descriptor::~Descriptor() {
  if (fd_ >= 0) close(fd_);
}

Descriptor open_folder(const std::filesystem::path& folder) {
  Descriptor descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor.is_open()) throw_errno("cannot open", folder, errno);
  return descriptor;
}

Descriptor open_beneath(int folder_fd, std::string_view path) {
  Descriptor at;
  int from = folder_fd;
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/')) {
    const std::string component(path.substr(0, slash));
    Descriptor next(
        openat(from, component.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!next.is_open()) return next;
    at = std::move(next);
    from = at.get();
    path.remove_prefix(slash + 1);
  }
  // O_NONBLOCK: a FIFO put in the place of a file must not stop us; it changes nothing for regular
  // files.
  return Descriptor(
      openat(from, std::string(path).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

Digests hash_descriptor(int fd, const std::filesystem::path& path,
                        const std::function<void(std::span<const std::byte>)>& each) {
  static_cast<void>(posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL));
  std::vector<std::byte> buffer(kChunkBytes);
  Sha256 sha256;
  Xxh3 xxh3;
  Digests digests;
  for (;;) {
    check_interrupt();
    const ssize_t got =
        pread(fd, buffer.data(), buffer.size(), static_cast<off_t>(digests.size_bytes));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_errno("cannot read", path, errno);
    if (got == 0) break;
    const std::span<const std::byte> chunk(buffer.data(), static_cast<std::size_t>(got));
    sha256.update(chunk);
    xxh3.update(chunk);
    if (each) each(chunk);
    digests.size_bytes += chunk.size();
  }
  digests.sha256 = sha256.hex();
  digests.xxh3_128 = xxh3.hex();
  return digests;
}

const char* type_name(mode_t mode) noexcept {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return "regular file";
    case S_IFLNK:
      return "symbolic link";
    case S_IFDIR:
      return "folder";
    case S_IFIFO:
      return "FIFO";
    case S_IFSOCK:
      return "socket";
    case S_IFBLK:
      return "block device";
    default:
      return "character device";
  }
}

}  // namespace ingot::manifests
