// SPDX-License-Identifier: Apache-2.0
// Moving a model that was written for trial to the place where it belongs.
#include "converters/publish.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/files.h"

namespace ingot::converters {
namespace {

std::filesystem::path data_of(std::filesystem::path model) { return model += ".data"; }

void move_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) throw_errno("cannot write", to, errno);
}

/// The renames last only when the folder is on the disk too.
void sync_folder(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) throw_errno("cannot open", folder, errno);
  const int result = ::fsync(fd);
  const int error_number = errno;
  ::close(fd);
  // Some file systems have no fsync for folders.
  if (result != 0 && error_number != EINVAL) throw_errno("cannot write", folder, error_number);
}

}  // namespace

void publish_model(const std::filesystem::path& trial, const std::filesystem::path& destination) {
  if (std::filesystem::exists(data_of(trial))) {
    // Should the machine stop here: no model is better than the older one with the new weights.
    std::error_code missing;
    if (std::filesystem::exists(data_of(destination), missing))
      std::filesystem::remove(destination, missing);
    move_file(data_of(trial), data_of(destination));
  }
  move_file(trial, destination);
  sync_folder(destination);
}

}  // namespace ingot::converters
