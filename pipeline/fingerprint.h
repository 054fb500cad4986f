// SPDX-License-Identifier: Apache-2.0
// What a bundle was made from: equal fingerprints, the same bundle, so nothing has to be done
// twice.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pipeline/project.h"

namespace ingot::pipeline {

/// SHA-256 of everything that goes into a build, lower-case hex.
struct Fingerprint {
  std::string ingot_version;
  std::string project;  ///< the project file
  std::string source;  ///< the model file, with the bytes of its external weights where it has some
  std::string calibration;  ///< data::Dataset::digest
  std::string evaluation;
  std::string runtime;  ///< the library
  std::string files;    ///< [bundle] files; empty when there are none

  bool operator==(const Fingerprint&) const = default;
};

/// Reads all of it. Throws kInput for data that is missing or malformed. O(bytes); no model is run.
Fingerprint fingerprint(const Project& project, const std::filesystem::path& runtime,
                        const std::string& ingot_version);

/// What differs, in words a person knows: "the project file", "the calibration data"; empty when
/// nothing does.
std::vector<std::string> differences(const Fingerprint& a, const Fingerprint& b);

nlohmann::ordered_json fingerprint_json(const Fingerprint& fingerprint);
/// The inverse; members that are missing or no strings stay empty.
Fingerprint fingerprint_from_json(const nlohmann::json& json);

}  // namespace ingot::pipeline
