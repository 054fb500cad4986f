// SPDX-License-Identifier: Apache-2.0
// The answer of `ingot bundle verify` and `ingot-run check`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "manifests/integrity.h"

namespace ingot::manifests {

/// [{"code","path","expected","actual"}, …] as JSON text.
std::string findings_json(const std::vector<Finding>& findings);

struct CheckReport {
  std::filesystem::path folder;
  std::string bundle_id, name, version;  ///< empty when the manifest itself was changed
  std::size_t file_count = 0;
  std::uint64_t total_bytes = 0;  ///< of all files that the manifest lists
  std::vector<Finding> findings;  ///< empty = the folder is the bundle
  std::int64_t elapsed_ns = 0;
};

/// Opens and checks the bundle `folder` on at most `threads` threads (0 = all). Throws as Bundle
/// does.
CheckReport check_bundle(const std::filesystem::path& folder, int threads = 0);
/// Lines for a person.
std::string to_text(const CheckReport& report);
/// One JSON object, schema "ingot.bundle.check" (docs/formats/bundle.md).
std::string to_json(const CheckReport& report);

}  // namespace ingot::manifests
