// SPDX-License-Identifier: Apache-2.0
#include "graph/model_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "base/error.h"

namespace ingot::graph {
namespace {

namespace fs = std::filesystem;

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

[[noreturn]] void refuse(const std::string& why, std::string hint = {}) {
  throw Error(Code::kInput, why, std::move(hint));
}

/// The system's reason, in the style of our messages. A file that is not there is the input's
/// fault; anything else the machine's.
[[noreturn]] void refuse_errno(int error_number, std::string hint = {}) {
  std::string reason = std::generic_category().message(error_number);
  if (!reason.empty() && reason[0] >= 'A' && reason[0] <= 'Z')
    reason[0] = static_cast<char>(reason[0] - 'A' + 'a');
  const bool no_such_file = error_number == ENOENT || error_number == ENOTDIR ||
                            error_number == ENAMETOOLONG || error_number == ELOOP;
  throw Error(no_such_file ? Code::kInput : Code::kEnvironment, reason, std::move(hint));
}

std::string link_of(int fd) { return fmt::format("/proc/self/fd/{}", fd); }

/// Where an open file or folder really lies, whatever names led to it.
fs::path real_path(int fd) {
  std::error_code failed;
  fs::path path = fs::read_symlink(link_of(fd), failed);
  if (failed) refuse_errno(failed.value());
  return path;
}

bool lies_below(const fs::path& file, const fs::path& folder) {
  const std::string prefix = folder == "/" ? "/" : folder.string() + "/";
  return file.string().starts_with(prefix);
}

/// The folder in which the file behind a symbolic link really lies; empty when `model` is no link.
fs::path linked_folder(const fs::path& model) {
  if (!fs::is_symlink(model)) return {};
  const FileDescriptor opened(::open(model.c_str(), O_PATH | O_CLOEXEC));
  return opened.get() < 0 ? fs::path() : real_path(opened.get()).parent_path();
}

void require_place(int file, int folder, const fs::path& model) {
  const fs::path real = real_path(file);
  if (lies_below(real, real_path(folder))) return;
  const fs::path linked = linked_folder(model);
  if (!linked.empty() && real.parent_path() == linked) return;
  refuse(fmt::format("it leads to '{}', outside of the model's folder", real.string()),
         "put the file itself into the model's folder");
}

std::string hint_for_missing(const fs::path& model) {
  const fs::path linked = linked_folder(model);
  if (linked.empty()) return {};
  return fmt::format("the model is a link into '{}': name the file there", linked.string());
}

}  // namespace

std::vector<std::string> location_components(const std::string& location) {
  if (location.empty()) refuse("it has no location");
  if (location.find('\0') != std::string::npos) refuse("its location contains a zero byte");
  if (location.find('\\') != std::string::npos)
    refuse("its location contains a backslash; '/' separates folders");
  if (location.front() == '/')
    refuse("an absolute path; a path below the model's folder is wanted");
  std::vector<std::string> components;
  for (const auto& part : fs::path(location)) {
    if (part == "..") refuse("'..' leads out of the model's folder");
    if (part != "." && !part.empty()) components.push_back(part.string());
  }
  if (components.empty()) refuse("it names no file");
  return components;
}

DataFile open_data_file(const fs::path& model, const std::string& location) {
  fs::path relative;
  for (const std::string& component : location_components(location)) relative /= component;
  const fs::path parent = model.has_parent_path() ? model.parent_path() : fs::path(".");
  const FileDescriptor folder(::open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0) refuse_errno(errno);
  // O_PATH finds a file without opening it: nothing happens to what turns out to be a device.
  const FileDescriptor found(::openat(folder.get(), relative.c_str(), O_PATH | O_CLOEXEC));
  if (found.get() < 0) refuse_errno(errno, errno == ENOENT ? hint_for_missing(model) : "");
  struct stat status{};
  if (::fstat(found.get(), &status) != 0) refuse_errno(errno);
  require_place(found.get(), folder.get(), model);
  if (!S_ISREG(status.st_mode)) refuse("not a regular file");
  if (status.st_nlink > 1) {
    refuse(fmt::format("the file has {} hard links; one is wanted", status.st_nlink),
           "copy the file into the model's folder");
  }
  // The very file that was judged, not whatever has its name by now.
  const FileDescriptor opened(::open(link_of(found.get()).c_str(), O_RDONLY | O_CLOEXEC));
  if (opened.get() < 0) refuse_errno(errno);
  return {{status.st_dev, status.st_ino},
          std::make_shared<const MappedFile>(opened.get(), model.parent_path() / relative)};
}

}  // namespace ingot::graph
