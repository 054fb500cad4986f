// SPDX-License-Identifier: Apache-2.0
// The manifest of a bundle folder, read without following a link. Internal to this folder.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "manifests/descriptor.h"

namespace ingot::manifests {

struct ManifestFile {
  Descriptor descriptor;  ///< open on the bytes of `text`
  struct stat status{};
  std::string text;
};

/// Throws kInput when there is no manifest in the open folder `folder_fd`, when it is no regular
/// file or larger than kMaxManifestBytes; kEnvironment. `folder` is for messages.
ManifestFile read_manifest_file(int folder_fd, const std::filesystem::path& folder);

}  // namespace ingot::manifests
