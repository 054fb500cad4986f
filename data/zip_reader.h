// SPDX-License-Identifier: Apache-2.0
// A zip archive in memory, read through minizip. Private to data/.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ingot::data {

class ZipReader {
 public:
  /// Reads the directory. `source` (a file's path) is for messages. Throws kInput when it is no
  /// zip, names an entry twice, or has more than 100 000 entries. `archive` must outlive this
  /// object.
  ZipReader(std::span<const std::byte> archive, std::string source);
  ~ZipReader();
  ZipReader(const ZipReader&) = delete;
  ZipReader& operator=(const ZipReader&) = delete;

  /// Entry names, sorted.
  std::vector<std::string> names() const;
  /// Unpacks one entry (one of names()). Throws kInput when it is encrypted, packed by another
  /// method than deflate, damaged, larger than `max_bytes`, or when it claims to unpack to more
  /// than its packed bytes can hold.
  std::vector<std::byte> read(const std::string& name, std::size_t max_bytes) const;

 private:
  struct Archive;

  std::string source_;
  std::unique_ptr<Archive> archive_;
};

}  // namespace ingot::data
