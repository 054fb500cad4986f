// SPDX-License-Identifier: Apache-2.0
// The answer of `ingot bundle inspect`: what a bundle says of itself. Nothing is compared with
// anything; that is check_report.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "manifests/manifest.h"

namespace ingot::manifests {

/// One report in the bundle. `document` is read only where it is small JSON.
struct ReportSummary {
  std::string path;
  std::string schema;   ///< "ingot.build"; empty: none, or the file cannot be read as JSON
  std::string verdict;  ///< one sentence; empty: it has none
  struct Limit {
    std::string rule;    ///< "text>=0.9375"
    std::string source;  ///< "output 'y' over 96 samples"
    std::optional<double> value;
    bool holds = false;
  };
  std::vector<Limit> limits;  ///< of a build's gate
};

struct Inspection {
  std::filesystem::path folder;
  Manifest manifest;
  bool manifest_intact = true;    ///< its digest of itself matches
  std::uint64_t total_bytes = 0;  ///< of all files that the manifest lists, as it lists them
  std::vector<ReportSummary> reports;
};

/// Reads the manifest of `folder` and its reports, follows no link and hashes no other file.
/// Throws kInput and kUnsupported as parse_manifest does, kEnvironment. A report that is missing
/// or malformed is a row without a schema.
Inspection inspect_bundle(const std::filesystem::path& folder);
/// Lines for a person; control characters are shown as "\x1b".
std::string to_text(const Inspection& inspection);
/// One JSON object, schema "ingot.bundle.inspect" (docs/formats/bundle.md).
std::string to_json(const Inspection& inspection);

}  // namespace ingot::manifests
