// SPDX-License-Identifier: Apache-2.0
// Writing: a temporary file beside the destination that takes its name only when it is complete and
// on disk.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/mapped_guard.h"

namespace ingot {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
// One system call takes this much: what a signal waits for, and small enough that the pages of a
// mapped source stay in the second-level cache.
constexpr std::size_t kWriteBytes = std::size_t{256} << 10;
// How much lies in memory before the disk is told to begin: commit() then has little to wait for.
constexpr off_t kWritebackBytes = off_t{64} << 20;
// Room for the rest of the temporary name within the usual 255 bytes of a file name.
constexpr std::size_t kMaxStem = 200;

[[noreturn]] void fail(const fs::path& destination, int error_number) {
  try {
    throw_errno("", destination, error_number);
  } catch (const Error& error) {
    // Missing folders included: a place that cannot be written is the environment's fault, never
    // the input's.
    std::string hint = error_number == ENOENT ? "make the folder first" : "";
    throw Error(Code::kEnvironment, error.message(), std::move(hint));
  }
}

fs::path temporary_name(const fs::path& destination) {
  static std::atomic<unsigned> counter{0};
  const std::string stem = destination.filename().string().substr(0, kMaxStem);
  return destination.parent_path() / fmt::format(".{}.{}-{}.tmp", stem, ::getpid(), counter++);
}

void sync_folder_of(const fs::path& destination) {
  const fs::path folder = destination.has_parent_path() ? destination.parent_path() : fs::path(".");
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;  // a folder that may be written but not read: the rename itself has worked
  ::fsync(fd);
  ::close(fd);
}

/// Tells the disk to begin whenever the file, which just grew by `written`, fills another
/// kWritebackBytes. Advice: where a file system does not take it, commit() waits longer.
void start_writeback(int fd, off_t written) {
  const off_t end = ::lseek(fd, 0, SEEK_CUR), full = end / kWritebackBytes * kWritebackBytes;
  if (full == 0 || end - written >= full) return;
  ::sync_file_range(fd, full - kWritebackBytes, kWritebackBytes, SYNC_FILE_RANGE_WRITE);
}

}  // namespace

OutputFile::OutputFile(const fs::path& destination) : destination_(destination) {
  struct stat status{};
  // Renaming over a device (or a link to one, such as /dev/stdout) would replace it.
  if (::stat(destination.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    throw Error(Code::kEnvironment,
                fmt::format("'{}' is {}; wanted the name of a file", destination.string(),
                            S_ISDIR(status.st_mode) ? "a folder" : "a device, pipe or socket"));
  }
  if (!destination.has_filename()) fail(destination, ENOENT);
  do {
    temporary_ = temporary_name(destination);
    fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  } while (fd_ < 0 && errno == EEXIST);  // left by a killed process with our number
  if (fd_ < 0) fail(destination_, errno);
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::span<const std::byte> bytes) {
  position_bytes_ += bytes.size();
  if (buffer_.size() + bytes.size() <= kBufferBytes) {
    buffer_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return;
  }
  flush();
  write_through(bytes.data(), bytes.size());
}

void OutputFile::write(std::string_view text) { write(std::as_bytes(std::span(text))); }

void OutputFile::align(std::uint64_t alignment) {
  INGOT_CHECK(alignment > 0 && (alignment & (alignment - 1)) == 0);
  const std::uint64_t padding = (alignment - position_bytes_ % alignment) % alignment;
  write(std::string(padding, '\0'));
}

void OutputFile::flush() {
  write_through(reinterpret_cast<const std::byte*>(buffer_.data()), buffer_.size());
  buffer_.clear();
}

void OutputFile::write_through(const std::byte* data, std::size_t size) {
  while (size > 0) {
    check_interrupt();
    const ssize_t written = ::write(fd_, data, std::min(size, kWriteBytes));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(destination_, errno);
    start_writeback(fd_, written);
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

void OutputFile::commit() {
  INGOT_CHECK(fd_ >= 0);
  flush();
  check_mapped_files();
  // Some file systems cannot sync (EINVAL); a full disk may only show here.
  if (::fsync(fd_) != 0 && errno != EINVAL && errno != ENOTSUP) fail(destination_, errno);
  check_interrupt();
  const int closed = ::close(fd_);
  fd_ = -1;
  if (closed != 0 && errno != EINTR) fail(destination_, errno);
  if (::rename(temporary_.c_str(), destination_.c_str()) != 0) fail(destination_, errno);
  temporary_.clear();
  sync_folder_of(destination_);
}

void write_text_file(const fs::path& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace ingot
