// SPDX-License-Identifier: Apache-2.0
#include "graph/external_data.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <charconv>
#include <optional>
#include <set>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/tensor.h"
#include "graph/tensor_store.h"

namespace ingot::graph {
namespace {

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return fd_; }
  void reset(int fd) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }

 private:
  int fd_;
};

[[noreturn]] void refuse(const std::string& why, std::string hint = {}) {
  throw Error(Code::kInput, why, std::move(hint));
}

/// The system's reason, in the style of our messages. A file that is not there is the input's
/// fault; anything else the machine's.
[[noreturn]] void refuse_errno(int error_number) {
  std::string reason = std::generic_category().message(error_number);
  if (!reason.empty())
    reason[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(reason[0])));
  const bool missing =
      error_number == ENOENT || error_number == ENOTDIR || error_number == ENAMETOOLONG;
  throw Error(missing ? Code::kInput : Code::kEnvironment, reason);
}

/// The components of a relative path; throws on anything that could leave the folder.
std::vector<std::string> components_of(const std::string& location) {
  if (location.empty()) refuse("it has no location");
  if (location.find('\0') != std::string::npos) refuse("its location contains a zero byte");
  if (location.front() == '/')
    refuse("an absolute path; a path below the model's folder is wanted");
  std::vector<std::string> components;
  for (const auto& part : std::filesystem::path(location)) {
    if (part == "..") refuse("'..' leads out of the model's folder");
    if (part != "." && !part.empty()) components.push_back(part.string());
  }
  if (components.empty()) refuse("it names no file");
  return components;
}

[[noreturn]] void refuse_open(int folder, const std::string& component, int error_number) {
  struct stat status{};
  if (::fstatat(folder, component.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
      S_ISLNK(status.st_mode)) {
    refuse("symbolic links are not followed", "put the file itself below the model's folder");
  }
  refuse_errno(error_number);
}

/// Opens the file step by step, so that no component can be a link, even one made meanwhile.
/// O_NONBLOCK: a FIFO must not hang the open.
int open_below(const std::filesystem::path& folder, const std::vector<std::string>& components) {
  FileDescriptor at(
      ::open(folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (at.get() < 0) refuse_errno(errno);
  for (std::size_t i = 0; i + 1 < components.size(); ++i) {
    const int next =
        ::openat(at.get(), components[i].c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (next < 0) refuse_open(at.get(), components[i], errno);
    at.reset(next);
  }
  const int file =
      ::openat(at.get(), components.back().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) refuse_open(at.get(), components.back(), errno);
  return file;
}

std::optional<std::uint64_t> number_entry(const std::string* text, const char* key) {
  if (text == nullptr) return std::nullopt;
  std::uint64_t value = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, value);
  if (error != std::errc{} || stop != end)
    refuse(fmt::format("its {} is '{}'; a number of bytes is wanted", key, *text));
  return value;
}

struct Entries {
  const std::string* location = nullptr;
  const std::string* offset = nullptr;
  const std::string* length = nullptr;
};

Entries entries_of(const onnx::TensorProto& tensor) {
  Entries entries;
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() == "location") entries.location = &entry.value();
    if (entry.key() == "offset") entries.offset = &entry.value();
    if (entry.key() == "length") entries.length = &entry.value();
  }
  return entries;
}

std::uint64_t wanted_bytes(const onnx::TensorProto& tensor) {
  const auto dtype = static_cast<DType>(tensor.data_type());
  if (dtype_bits(dtype) == 0)
    refuse(fmt::format("elements of type {} cannot be kept outside", tensor.data_type()));
  return byte_count(dtype, element_count(Shape(tensor.dims().begin(), tensor.dims().end())));
}

}  // namespace

std::shared_ptr<const MappedFile> ExternalFiles::open(const std::string& location) {
  auto& file = files_[location];
  if (file) return file;
  const FileDescriptor opened(open_below(model_.parent_path(), components_of(location)));
  struct stat status{};
  if (::fstat(opened.get(), &status) != 0) refuse_errno(errno);
  if (!S_ISREG(status.st_mode)) refuse("not a regular file");
  if (status.st_nlink > 1) {
    refuse(fmt::format("the file has {} hard links; one is wanted", status.st_nlink),
           "copy the file into the model's folder");
  }
  file = std::make_shared<const MappedFile>(opened.get(), model_.parent_path() / location);
  return file;
}

std::vector<std::string> ExternalFiles::locations() const {
  std::set<std::string> normal;
  for (const auto& [location, file] : files_) {
    if (file) normal.insert(std::filesystem::path(location).lexically_normal().string());
  }
  return {normal.begin(), normal.end()};
}

ExternalBytes ExternalFiles::resolve(const onnx::TensorProto& tensor) {
  const Entries entries = entries_of(tensor);
  const std::string location = entries.location == nullptr ? "" : *entries.location;
  try {
    const auto file = open(location);
    const std::uint64_t offset = number_entry(entries.offset, "offset").value_or(0);
    const std::uint64_t wanted = wanted_bytes(tensor);
    const std::uint64_t length = number_entry(entries.length, "length").value_or(wanted);
    if (length != wanted)
      refuse(fmt::format("its length is {} bytes; its type and shape want {}", length, wanted));
    const std::uint64_t size = file->bytes().size();
    if (offset > size || length > size - offset) {
      refuse(
          fmt::format("{} bytes from byte {} are wanted, the file has {}", length, offset, size));
    }
    return {file->bytes().subspan(offset, length), file};
  } catch (const Error& error) {
    throw Error(error.code(),
                fmt::format("'{}': {}: external data '{}': {}", model_.string(),
                            tensor_label(tensor), location, error.message()),
                error.hint());
  }
}

}  // namespace ingot::graph
