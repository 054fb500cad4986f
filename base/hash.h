// SPDX-License-Identifier: Apache-2.0
// The two digests of a bundle. SHA-256 protects; XXH3-128 finds accidents fast and is never a
// security measure.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace ingot {

/// Streaming SHA-256 (FIPS 180-4).
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  void update(std::span<const std::byte> bytes);
  void update(std::string_view text);
  /// Lower-case hex, 64 characters. Ends the stream.
  std::string hex();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Streaming XXH3-128, canonical big-endian hex as `xxhsum -H2` prints it (32 characters).
class Xxh3 {
 public:
  Xxh3();
  ~Xxh3();
  void update(std::span<const std::byte> bytes);
  std::string hex();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

std::string sha256_hex(std::string_view text);
std::string sha256_file(const std::filesystem::path& path);

}  // namespace ingot
