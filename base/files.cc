// SPDX-License-Identifier: Apache-2.0
// Reading; writing is in output_file.cc.
#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/error.h"
#include "base/mapped_guard.h"

namespace ingot {
namespace {

namespace fs = std::filesystem;

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

void require_regular(const struct stat& status, const fs::path& path) {
  if (S_ISREG(status.st_mode)) return;
  throw Error(Code::kInput,
              fmt::format("'{}' is {}; wanted a regular file", path.string(),
                          S_ISDIR(status.st_mode) ? "a folder" : "a device, pipe or socket"));
}

std::string errno_message(std::string_view what, const fs::path& path, int error_number) {
  std::string reason = std::generic_category().message(error_number);
  if (!reason.empty() && reason[0] >= 'A' && reason[0] <= 'Z') {
    reason[0] = static_cast<char>(reason[0] - 'A' + 'a');
  }
  return fmt::format("{}{}'{}': {}", what, what.empty() ? "" : " ", path.string(), reason);
}

int open_regular(const fs::path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) throw_errno("cannot open", path, errno);
  require_regular(status, path);
  // O_NONBLOCK: should a pipe have taken the file's place since, open must not wait for its writer.
  // The mapping checks again.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) throw_errno("cannot open", path, errno);
  return fd;
}

const std::byte* map(int fd, const fs::path& path, std::size_t& size_bytes) {
  struct stat status{};
  if (::fstat(fd, &status) != 0) throw_errno("cannot read", path, errno);
  require_regular(status, path);
  size_bytes = static_cast<std::size_t>(status.st_size);
  if (size_bytes == 0) return nullptr;
  void* data = ::mmap(nullptr, size_bytes, PROT_READ, MAP_PRIVATE, fd, 0);
  if (data == MAP_FAILED) throw_errno("cannot map", path, errno);
  guard_mapping({static_cast<const std::byte*>(data), size_bytes}, path);
  return static_cast<const std::byte*>(data);
}

}  // namespace

void throw_errno(std::string_view what, const fs::path& path, int error_number) {
  const bool no_such_file = error_number == ENOENT || error_number == ENOTDIR ||
                            error_number == ELOOP || error_number == ENAMETOOLONG;
  const Code code = no_such_file ? Code::kInput : Code::kEnvironment;
  throw Error(code, errno_message(what, path, error_number));
}

MappedFile::MappedFile(const fs::path& path) : path_(path) {
  const Descriptor file(open_regular(path));
  data_ = map(file.get(), path, size_bytes_);
}

MappedFile::MappedFile(int fd, const fs::path& path) : path_(path) {
  data_ = map(fd, path, size_bytes_);
}

MappedFile::~MappedFile() {
  if (data_ == nullptr) return;
  forget_mapping(bytes());
  ::munmap(const_cast<std::byte*>(data_), size_bytes_);
}

void refuse_existing(const fs::path& path, Overwrite overwrite) {
  if (path.empty()) throw Error(Code::kUsage, "an output has an empty name");
  if (path == "-") {
    throw Error(Code::kUsage, "'-' names no file, and this output cannot go to standard output",
                "a file of that name is './-'");
  }
  struct stat status{};
  const fs::path folder = path.parent_path();
  if (!folder.empty() && ::stat(folder.c_str(), &status) != 0) {
    throw Error(Code::kEnvironment, errno_message("cannot write", path, errno),
                errno == ENOENT ? "make the folder first" : "");
  }
  if (overwrite == Overwrite::kYes || ::lstat(path.c_str(), &status) != 0) return;
  throw Error(Code::kUsage, fmt::format("'{}' exists already", path.string()),
              "--force overwrites it");
}

std::string read_text_file(const fs::path& path, std::size_t max_bytes) {
  const Descriptor file(open_regular(path));
  std::string text;
  std::string chunk(std::size_t{64} << 10, '\0');
  // Read, not mapped: a file that shrinks meanwhile must not end the process.
  for (;;) {
    const ssize_t n = ::read(file.get(), chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw_errno("cannot read", path, errno);
    if (n == 0) return text;
    text.append(chunk, 0, static_cast<std::size_t>(n));
    if (text.size() > max_bytes) {
      throw Error(Code::kInput,
                  fmt::format("'{}' is larger than {} bytes, the most a text file may have",
                              path.string(), max_bytes));
    }
  }
}

TempDir::TempDir(const fs::path& near) {
  std::error_code failed;
  const fs::path folder = near.empty() ? fs::temp_directory_path(failed) : near;
  if (failed) {
    throw Error(Code::kEnvironment, "the folder for temporary files is missing",
                "make it, or set TMPDIR to another");
  }
  std::string name = (folder / ".ingot-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw Error(Code::kEnvironment, errno_message("cannot make a folder in", folder, errno));
  path_ = name;
}

TempDir::~TempDir() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace ingot
