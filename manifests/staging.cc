// SPDX-License-Identifier: Apache-2.0
#include "manifests/staging.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <vector>

#include "base/error.h"
#include "manifests/manifest.h"

namespace ingot::manifests {
namespace {

namespace fs = std::filesystem;

/// Without a trailing '/', so that it has a parent.
fs::path normal(const fs::path& path) {
  fs::path result = path.lexically_normal();
  return result.has_filename() ? result : result.parent_path();
}

fs::path folder_around(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

void require_replaceable(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(path, ignored);
  if (!fs::exists(status)) return;
  if (fs::is_directory(status) &&
      (fs::is_empty(path, ignored) || fs::is_regular_file(path / kManifestName, ignored)))
    return;
  throw Error(Code::kUsage,
              fmt::format("'{}' is neither a bundle nor an empty folder, and is not replaced",
                          path.string()));
}

const fs::path& checked_destination(const fs::path& path, Overwrite overwrite) {
  refuse_existing(path, overwrite);
  require_replaceable(path);
  const fs::path around = folder_around(path);
  if (!fs::is_directory(around))
    throw Error(Code::kInput, fmt::format("the folder '{}' does not exist", around.string()));
  return path;
}

void sync_folder(const fs::path& folder) {
  const Descriptor descriptor = open_folder(folder);
  if (fsync(descriptor.get()) != 0) throw_errno("cannot sync", folder, errno);
}

void write_all(int fd, std::span<const std::byte> bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) throw_errno("cannot write", path, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
}

}  // namespace

Staging::Staging(const fs::path& destination, Overwrite overwrite)
    : destination_(normal(destination)),
      temporary_(folder_around(checked_destination(destination_, overwrite))) {}

void Staging::make_folder_of(std::string_view path) {
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/', slash + 1)) {
    const fs::path folder = temporary_.path() / path.substr(0, slash);
    if (mkdir(folder.c_str(), 0755) != 0) {
      if (errno == EEXIST) continue;
      throw_errno("cannot make the folder", folder, errno);
    }
    if (chmod(folder.c_str(), 0755) != 0)
      throw_errno("cannot set the mode of", folder, errno);  // whatever the umask is
  }
}

Digests Staging::copy(const fs::path& source, std::string_view path) const {
  // O_NONBLOCK: a FIFO must be refused below, not waited for.
  const Descriptor from(open(source.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!from.is_open()) throw_errno("cannot open", source, errno);
  struct stat status{};
  if (fstat(from.get(), &status) != 0) throw_errno("cannot examine", source, errno);
  if (!S_ISREG(status.st_mode)) {
    throw Error(Code::kInput, fmt::format("'{}' is a {}, a regular file is wanted", source.string(),
                                          type_name(status.st_mode)));
  }
  const fs::path place = temporary_.path() / path;
  const Descriptor to(
      open(place.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!to.is_open()) throw_errno("cannot create", place, errno);
  Digests digests = hash_descriptor(from.get(), source, [&](std::span<const std::byte> chunk) {
    write_all(to.get(), chunk, place);
  });
  if (fchmod(to.get(), 0644) != 0 || fsync(to.get()) != 0)
    throw_errno("cannot write", place, errno);
  return digests;
}

Digests Staging::write(std::string_view text, std::string_view path) const {
  const fs::path place = temporary_.path() / path;
  const Descriptor to(
      open(place.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!to.is_open()) throw_errno("cannot create", place, errno);
  write_all(to.get(), std::as_bytes(std::span(text)), place);
  if (fchmod(to.get(), 0644) != 0 || fsync(to.get()) != 0)
    throw_errno("cannot write", place, errno);
  return hash_descriptor(to.get(), place);
}

void Staging::publish() {
  const fs::path& folder = temporary_.path();
  if (chmod(folder.c_str(), 0755) != 0) throw_errno("cannot set the mode of", folder, errno);
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_directory()) sync_folder(entry.path());
  }
  sync_folder(folder);
  if (renameat2(AT_FDCWD, folder.c_str(), AT_FDCWD, destination_.c_str(), RENAME_NOREPLACE) != 0) {
    // What we made takes the place of the older bundle, which the destructor of temporary_ then
    // removes.
    if (errno != EEXIST) throw_errno("cannot create", destination_, errno);
    require_replaceable(destination_);
    if (renameat2(AT_FDCWD, folder.c_str(), AT_FDCWD, destination_.c_str(), RENAME_EXCHANGE) != 0) {
      throw_errno("cannot replace", destination_, errno);
    }
  }
  sync_folder(folder_around(destination_));
}

}  // namespace ingot::manifests
