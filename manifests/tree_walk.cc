// SPDX-License-Identifier: Apache-2.0
#include "manifests/tree_walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "base/files.h"
#include "manifests/descriptor.h"
#include "manifests/path_rules.h"

namespace ingot::manifests {
namespace {

constexpr std::size_t kMaxEntries = 2 * kMaxFiles;

/// A name as it may be shown: other than printable ASCII as \xNN.
std::string printable(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f && c != '\\') {
      text += c;
    } else {
      text += fmt::format("\\x{:02x}", byte);
    }
  }
  return text;
}

class Walk {
 public:
  explicit Walk(const std::filesystem::path& folder) : folder_(folder) {}

  void visit(int fd, const std::string& prefix) {
    require_mode(fd, prefix);
    const std::vector<std::string> names = names_in(fd, prefix);
    if (names.empty() && !prefix.empty()) {
      tree_.findings.push_back({"E_FILE_EXTRA", prefix, "nothing", "an empty folder"});
    }
    for (const std::string& name : names) {
      if (++entry_count_ > kMaxEntries) {
        if (entry_count_ == kMaxEntries + 1) {
          tree_.findings.push_back({"E_FILE_EXTRA", "./",
                                    fmt::format("at most {} files", kMaxFiles),
                                    fmt::format("more than {} entries", kMaxEntries)});
        }
        return;
      }
      visit_entry(fd, prefix + name, name);
    }
  }

  Tree result() {
    std::ranges::sort(tree_.files);
    return std::move(tree_);
  }

 private:
  void visit_entry(int fd, const std::string& path, const std::string& name) {
    const std::string fault = path_fault(path);
    if (!fault.empty()) {
      tree_.findings.push_back({"E_PATH", printable(path), "a path that a bundle may hold", fault});
      return;
    }
    struct stat status{};
    if (fstatat(fd, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
      throw_errno("cannot examine", folder_ / path, errno);
    if (!S_ISDIR(status.st_mode)) {
      tree_.files.push_back(path);
      return;
    }
    const Descriptor below(
        openat(fd, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!below.is_open()) throw_errno("cannot open", folder_ / path, errno);
    visit(below.get(), path + "/");
  }

  void require_mode(int fd, const std::string& prefix) {
    struct stat status{};
    if (fstat(fd, &status) != 0) throw_errno("cannot examine", folder_ / prefix, errno);
    const unsigned mode = status.st_mode & 07777;
    if (mode == 0755) return;
    tree_.findings.push_back(
        {"E_MODE", prefix.empty() ? "./" : prefix, "mode 0755", fmt::format("mode {:04o}", mode)});
  }

  std::vector<std::string> names_in(int fd, const std::string& prefix) const {
    // A descriptor of its own: fdopendir takes it over.
    Descriptor copy(openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!copy.is_open()) throw_errno("cannot open", folder_ / prefix, errno);
    struct Close {
      void operator()(DIR* stream) const { closedir(stream); }
    };
    const std::unique_ptr<DIR, Close> stream(fdopendir(copy.get()));
    if (!stream) throw_errno("cannot list", folder_ / prefix, errno);
    copy.release();
    std::vector<std::string> names;
    while (names.size() <= kMaxEntries) {
      errno = 0;
      const dirent* entry = readdir(stream.get());
      if (entry == nullptr && errno != 0) throw_errno("cannot list", folder_ / prefix, errno);
      if (entry == nullptr) break;
      const std::string name = entry->d_name;
      if (name != "." && name != "..") names.push_back(name);
    }
    std::ranges::sort(names);
    return names;
  }

  const std::filesystem::path& folder_;
  Tree tree_;
  std::size_t entry_count_ = 0;
};

}  // namespace

Tree walk_tree(int folder_fd, const std::filesystem::path& folder) {
  Walk walk(folder);
  walk.visit(folder_fd, "");
  return walk.result();
}

}  // namespace ingot::manifests
