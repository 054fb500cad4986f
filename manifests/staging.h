// SPDX-License-Identifier: Apache-2.0
// A folder that is made under a temporary name and appears whole or not at all. Internal to this
// folder.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/files.h"
#include "manifests/descriptor.h"

namespace ingot::manifests {

/// The temporary folder lies beside `destination`; without publish() the destructor removes it.
class Staging {
 public:
  /// Throws kUsage when `destination` exists and `overwrite` is kNo, or when it is kYes and what is
  /// there is neither an empty folder nor a bundle; kInput when the folder around it is missing.
  Staging(const std::filesystem::path& destination, Overwrite overwrite);

  const std::filesystem::path& folder() const { return temporary_.path(); }
  /// Makes the folder of the relative file `path` (and those above it), mode 0755. Not for several
  /// threads at a time.
  void make_folder_of(std::string_view path);
  /// Writes one file, mode 0644, with the bytes of `source`, or `text` where `source` is empty;
  /// synced. Returns its digests.
  Digests copy(const std::filesystem::path& source, std::string_view path) const;
  Digests write(std::string_view text, std::string_view path) const;
  /// Syncs every folder, gives the whole its name and syncs the folder around it. An older bundle
  /// is exchanged in one step and then removed.
  void publish();

 private:
  std::filesystem::path destination_;
  TempDir temporary_;
};

}  // namespace ingot::manifests
