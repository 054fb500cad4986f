// SPDX-License-Identifier: Apache-2.0
// Packs a bundle folder: the same input files give the same bytes. Knows no ONNX: the caller
// describes the model.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files.h"
#include "manifests/manifest.h"
#include "manifests/run_config.h"

namespace ingot::manifests {

/// One file to copy (`source`) or, when `source` is empty, to write (`text`).
struct PackFile {
  std::string path;  ///< in the bundle
  std::filesystem::path source;
  std::string text;
};

struct PackOptions {
  std::filesystem::path destination;
  Overwrite overwrite =
      Overwrite::kNo;  ///< kYes replaces an older bundle (or an empty folder), nothing else
  std::string name, version;
  std::string created;  ///< RFC 3339 UTC; set it only from SOURCE_DATE_EPOCH
  /// Fields `format`, `opset`, `inputs`, `outputs`, `quantization`, `source_sha256` and `license`
  /// are taken over; `main` and `external_data` are set here.
  ModelInfo model;
  std::filesystem::path model_file;
  /// Every `location` of the model's external data, relative to the model's folder. The files go to
  /// model/<location>.
  std::vector<std::string> external_locations;
  std::vector<std::filesystem::path>
      runtimes;  ///< ONNX Runtime libraries, at least one, one per architecture, all of one
                 ///< version. LICENSE and ThirdPartyNotices.txt beside the first go to
                 ///< LICENSES/onnxruntime/ when both are there
  RunConfig run;
  /// The travelling dataset.toml (its path must be "preprocess/dataset.toml") and the files it
  /// names; empty = none.
  std::vector<PackFile> preprocess;
  std::vector<std::filesystem::path> reports;   ///< go to report/<file name>
  std::vector<std::filesystem::path> licenses;  ///< go to LICENSES/<file name>
  /// Anything else. A path under LICENSES/, report/ or model/ takes that role, any other is data.
  std::vector<PackFile> extra;
};

struct PackResult {
  std::string bundle_id;
  std::vector<FileEntry> files;
  std::uint64_t total_bytes = 0;  ///< with the manifest
};

/// Writes the bundle through a temporary folder beside `destination` (files and folders synced,
/// then renamed), so that it appears whole or not at all. Throws kUsage for an existing destination
/// or two files for one path, kInput for a missing file, an unfit path or a library that is not
/// ONNX Runtime, kEnvironment when the system refuses, kInterrupted. Files are copied in parallel,
/// hashed while copied.
PackResult pack(const PackOptions& options);

}  // namespace ingot::manifests
