// SPDX-License-Identifier: Apache-2.0
// Is this folder the bundle its manifest describes? Every file is hashed through a descriptor that
// stays open, so that what was checked can be what is loaded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/manifest.h"

namespace ingot::manifests {

/// One difference between folder and manifest. Codes: E_HASH_MISMATCH, E_SIZE, E_FILE_EXTRA,
/// E_FILE_MISSING, E_FILE_TYPE (a link, device, pipe …), E_MODE, E_PATH (a name no bundle may
/// hold), E_FILE_CHANGED (changed since it was checked).
struct Finding {
  std::string code;
  std::string path;  ///< relative to the bundle; a folder ends in '/'
  std::string expected, actual;
};
/// "E_SIZE 'model/model.onnx': expected 81234 bytes, got 81233 bytes".
std::string to_string(const Finding& finding);

/// A bundle folder. The constructor reads the manifest and nothing else; ask check() before
/// trusting any other byte.
class Bundle {
 public:
  /// Throws kInput when `folder` or its manifest is missing, or the manifest is malformed (see
  /// parse_manifest); no link is followed.
  explicit Bundle(const std::filesystem::path& folder);
  Bundle(Bundle&&) noexcept;
  Bundle& operator=(Bundle&&) noexcept;
  ~Bundle();

  /// False when the manifest's digest of itself does not match: check() then finds just that.
  bool is_manifest_intact() const;
  /// kInternal unless is_manifest_intact().
  const Manifest& manifest() const;
  const std::filesystem::path& folder() const;

  /// Compares names, types, modes, sizes, SHA-256 and XXH3-128 of everything in the folder with the
  /// manifest, on at most `threads` threads (0 = all). Empty = the folder is the bundle. Sorted by
  /// path. Throws kEnvironment when a file cannot be read, kInterrupted.
  std::vector<Finding> check(int threads = 0);
  /// The differences that came up after check() between the paths and the descriptors that were
  /// hashed (device, inode, size, times): call it when everything has been loaded.
  std::vector<Finding> changed_since_check() const;

  /// The descriptor `path` was hashed through; open for reading as long as this object lives.
  /// check() must have found nothing (kInternal).
  int descriptor(std::string_view path) const;
  /// All bytes of `path` through that descriptor.
  std::string read(std::string_view path) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ingot::manifests
