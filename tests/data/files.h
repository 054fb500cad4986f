// SPDX-License-Identifier: Apache-2.0
// Files that the data tests read and damage.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>

namespace ingot::test {

inline std::filesystem::path golden(const std::string& name) {
  return std::filesystem::path(GOLDEN_DATA) / name;
}

inline std::string file_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void put_file(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::span<const std::byte> as_bytes(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

}  // namespace ingot::test
