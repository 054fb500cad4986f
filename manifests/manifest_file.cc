// SPDX-License-Identifier: Apache-2.0
#include "manifests/manifest_file.h"

#include <fmt/format.h>

#include <cerrno>

#include "base/error.h"
#include "base/files.h"
#include "manifests/manifest.h"

namespace ingot::manifests {

ManifestFile read_manifest_file(int folder_fd, const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kManifestName;
  ManifestFile file;
  file.descriptor = open_beneath(folder_fd, kManifestName);
  if (!file.descriptor.is_open()) {
    if (errno == ENOENT)
      throw Error(Code::kInput, fmt::format("'{}' is not a bundle: it has no '{}'", folder.string(),
                                            kManifestName));
    if (errno == ELOOP)
      throw Error(Code::kInput,
                  fmt::format("'{}' is a symbolic link, a regular file is wanted", path.string()));
    throw_errno("cannot open", path, errno);
  }
  if (fstat(file.descriptor.get(), &file.status) != 0) throw_errno("cannot examine", path, errno);
  if (!S_ISREG(file.status.st_mode)) {
    throw Error(Code::kInput, fmt::format("'{}' is a {}, a regular file is wanted", path.string(),
                                          type_name(file.status.st_mode)));
  }
  if (static_cast<std::uint64_t>(file.status.st_size) > kMaxManifestBytes) {
    throw Error(Code::kInput,
                fmt::format("'{}' has {} bytes, at most {} are allowed for a manifest",
                            path.string(), file.status.st_size, kMaxManifestBytes));
  }
  hash_descriptor(file.descriptor.get(), path, [&](std::span<const std::byte> chunk) {
    file.text.append(reinterpret_cast<const char*>(chunk.data()), chunk.size());
  });
  return file;
}

}  // namespace ingot::manifests
