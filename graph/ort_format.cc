// SPDX-License-Identifier: Apache-2.0
#include "graph/ort_format.h"

#include <cstring>
#include <string_view>

#include "base/files.h"

namespace ingot::graph {

bool is_ort_format(std::span<const std::byte> bytes) {
  constexpr std::string_view kIdentifier = "ORTM";
  constexpr std::size_t kPlace = 4;
  return bytes.size() >= kPlace + kIdentifier.size() &&
         std::memcmp(bytes.data() + kPlace, kIdentifier.data(), kIdentifier.size()) == 0;
}

bool is_ort_file(const std::filesystem::path& path) {
  return is_ort_format(MappedFile(path).bytes());
}

}  // namespace ingot::graph
