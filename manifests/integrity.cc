// SPDX-License-Identifier: Apache-2.0
#include "manifests/integrity.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <numeric>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "base/parallel.h"
#include "manifests/descriptor.h"
#include "manifests/manifest_file.h"
#include "manifests/tree_walk.h"

namespace ingot::manifests {
namespace {

/// A file as it was when it was hashed.
struct Checked {
  Descriptor descriptor;  ///< closed for files nobody loads
  struct stat status{};
};

/// What a running program takes from a bundle; the rest need not stay open.
bool is_loaded(Role role) {
  return role == Role::kModel || role == Role::kRuntime || role == Role::kConfig ||
         role == Role::kPreprocess;
}

bool same(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/// Type, number of links and mode, in this order; nothing when all are as they must be.
std::optional<Finding> attribute_fault(const struct stat& status, const std::string& path) {
  if (!S_ISREG(status.st_mode))
    return Finding{"E_FILE_TYPE", path, "regular file", type_name(status.st_mode)};
  if (status.st_nlink != 1) {
    return Finding{"E_FILE_TYPE", path, "regular file with 1 link",
                   fmt::format("{} links", status.st_nlink)};
  }
  const unsigned mode = status.st_mode & 07777;
  if (mode != 0644) return Finding{"E_MODE", path, "mode 0644", fmt::format("mode {:04o}", mode)};
  return {};
}

/// Opens `path` and takes its status; a finding when it is not a regular file of the wanted mode
/// with one link.
std::optional<Finding> open_checked(int folder_fd, const std::filesystem::path& folder,
                                    const std::string& path, Checked& checked) {
  checked.descriptor = open_beneath(folder_fd, path);
  if (!checked.descriptor.is_open()) {
    const int reason = errno;
    struct stat status{};
    if (fstatat(folder_fd, path.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        !S_ISREG(status.st_mode)) {
      return attribute_fault(status, path);
    }
    throw_errno("cannot open", folder / path, reason);
  }
  if (fstat(checked.descriptor.get(), &checked.status) != 0)
    throw_errno("cannot examine", folder / path, errno);
  return attribute_fault(checked.status, path);
}

std::optional<Finding> compare(const FileEntry& entry, Checked& checked,
                               const std::filesystem::path& path) {
  const auto size_bytes = static_cast<std::uint64_t>(checked.status.st_size);
  if (size_bytes != entry.size_bytes) {
    return Finding{"E_SIZE", entry.path, fmt::format("{} bytes", entry.size_bytes),
                   fmt::format("{} bytes", size_bytes)};
  }
  const Digests digests = hash_descriptor(checked.descriptor.get(), path);
  if (digests.sha256 != entry.sha256) {
    return Finding{"E_HASH_MISMATCH", entry.path, "sha256 " + entry.sha256,
                   "sha256 " + digests.sha256};
  }
  if (digests.xxh3_128 != entry.xxh3_128) {
    return Finding{"E_HASH_MISMATCH", entry.path, "xxh3_128 " + entry.xxh3_128,
                   "xxh3_128 " + digests.xxh3_128};
  }
  return {};
}

}  // namespace

std::string to_string(const Finding& finding) {
  return fmt::format("{} '{}': expected {}, got {}", finding.code, finding.path, finding.expected,
                     finding.actual);
}

struct Bundle::Impl {
  std::filesystem::path folder;
  Descriptor folder_descriptor;
  std::optional<Finding> manifest_finding;  ///< set: nothing in the manifest may be believed
  Manifest manifest;
  std::map<std::string, Checked, std::less<>> checked;
  bool is_sound = false;

  std::string source() const { return (folder / kManifestName).string(); }
  void read_manifest();
  void compare_sets(const std::vector<std::string>& present, std::vector<Finding>& findings) const;
  std::vector<Finding> hash_files(const std::vector<std::string>& present, int threads);
};

void Bundle::Impl::read_manifest() {
  const std::string path(kManifestName);
  ManifestFile file = read_manifest_file(folder_descriptor.get(), folder);
  Checked& kept = checked[path];
  kept.descriptor = std::move(file.descriptor);
  kept.status = file.status;
  const SelfDigest digest = self_digest(file.text, source());
  if (digest.expected != digest.actual) {
    manifest_finding =
        Finding{"E_HASH_MISMATCH", path, "sha256 " + digest.expected, "sha256 " + digest.actual};
    return;
  }
  manifest = parse_manifest(file.text, source());
}

/// Files the manifest names and the folder lacks, and the other way round.
void Bundle::Impl::compare_sets(const std::vector<std::string>& present,
                                std::vector<Finding>& findings) const {
  for (const FileEntry& entry : manifest.files) {
    if (!std::ranges::binary_search(present, entry.path)) {
      findings.push_back({"E_FILE_MISSING", entry.path, fmt::format("{} bytes", entry.size_bytes),
                          "no such file"});
    }
  }
  for (const std::string& path : present) {
    if (path != kManifestName && manifest.find(path) == nullptr) {
      findings.push_back(
          {"E_FILE_EXTRA", path, "nothing", "a file that the manifest does not list"});
    }
  }
}

std::vector<Finding> Bundle::Impl::hash_files(const std::vector<std::string>& present,
                                              int threads) {
  std::vector<const FileEntry*> entries;
  for (const FileEntry& entry : manifest.files) {
    if (std::ranges::binary_search(present, entry.path)) entries.push_back(&entry);
  }
  // The largest first, so that no thread begins the longest file last.
  std::ranges::stable_sort(entries, std::ranges::greater{}, &FileEntry::size_bytes);
  std::vector<Checked*> slots;
  for (const FileEntry* entry : entries) slots.push_back(&(checked[entry->path] = Checked{}));
  std::vector<std::optional<Finding>> found(entries.size());
  parallel_for(entries.size(), threads, [&](std::size_t i) {
    const FileEntry& entry = *entries[i];
    found[i] = open_checked(folder_descriptor.get(), folder, entry.path, *slots[i]);
    if (!found[i]) found[i] = compare(entry, *slots[i], folder / entry.path);
    if (found[i] || !is_loaded(entry.role)) slots[i]->descriptor = Descriptor();
  });
  std::vector<Finding> findings;
  for (std::optional<Finding>& finding : found) {
    if (finding) findings.push_back(std::move(*finding));
  }
  return findings;
}

Bundle::Bundle(const std::filesystem::path& folder) : impl_(std::make_unique<Impl>()) {
  impl_->folder = folder;
  impl_->folder_descriptor = open_folder(folder);
  impl_->read_manifest();
}
Bundle::Bundle(Bundle&&) noexcept = default;
Bundle& Bundle::operator=(Bundle&&) noexcept = default;
Bundle::~Bundle() = default;

bool Bundle::is_manifest_intact() const { return !impl_->manifest_finding; }

const Manifest& Bundle::manifest() const {
  INGOT_CHECK(!impl_->manifest_finding);
  return impl_->manifest;
}

const std::filesystem::path& Bundle::folder() const { return impl_->folder; }

std::vector<Finding> Bundle::check(int threads) {
  impl_->is_sound = false;
  if (impl_->manifest_finding) return {*impl_->manifest_finding};
  Tree tree = walk_tree(impl_->folder_descriptor.get(), impl_->folder);
  std::vector<Finding> findings = std::move(tree.findings);
  if (auto fault = attribute_fault(impl_->checked.at(std::string(kManifestName)).status,
                                   std::string(kManifestName))) {
    findings.push_back(std::move(*fault));
  }
  impl_->compare_sets(tree.files, findings);
  std::ranges::move(impl_->hash_files(tree.files, threads), std::back_inserter(findings));
  std::ranges::stable_sort(findings, {}, &Finding::path);
  impl_->is_sound = findings.empty();
  return findings;
}

std::vector<Finding> Bundle::changed_since_check() const {
  std::vector<Finding> findings;
  for (const auto& [path, file] : impl_->checked) {
    const Descriptor now = open_beneath(impl_->folder_descriptor.get(), path);
    struct stat status{};
    if (!now.is_open() || fstat(now.get(), &status) != 0) {
      findings.push_back({"E_FILE_CHANGED", path, "the file that was checked", "no such file"});
      continue;
    }
    const struct stat& before = file.status;
    if (status.st_dev != before.st_dev || status.st_ino != before.st_ino) {
      findings.push_back({"E_FILE_CHANGED", path, "the file that was checked", "another file"});
    } else if (status.st_size != before.st_size || !same(status.st_mtim, before.st_mtim) ||
               !same(status.st_ctim, before.st_ctim)) {
      findings.push_back(
          {"E_FILE_CHANGED", path, "the file that was checked", "the file was modified since"});
    }
  }
  return findings;
}

int Bundle::descriptor(std::string_view path) const {
  const auto found = impl_->checked.find(path);
  INGOT_CHECK(impl_->is_sound && found != impl_->checked.end() &&
              found->second.descriptor.is_open());
  return found->second.descriptor.get();
}

std::string Bundle::read(std::string_view path) const {
  const int fd = descriptor(path);
  std::string text(manifest().find(path)->size_bytes, '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t got = pread(fd, text.data() + have, text.size() - have, static_cast<off_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_errno("cannot read", impl_->folder / path, errno);
    if (got == 0) break;  // shortened since: changed_since_check() will say so
    have += static_cast<std::size_t>(got);
  }
  text.resize(have);
  return text;
}

}  // namespace ingot::manifests
