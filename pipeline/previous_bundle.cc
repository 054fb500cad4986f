// SPDX-License-Identifier: Apache-2.0
#include "pipeline/previous_bundle.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "manifests/integrity.h"

namespace ingot::pipeline {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& output, const std::string& why) {
  throw Error(Code::kUsage, fmt::format("'{}' exists already and {}", output.string(), why),
              "--force replaces it");
}

PackedBundle packed(const fs::path& output, const manifests::Manifest& manifest) {
  PackedBundle bundle{output.string(), manifest.bundle_id, manifest.files.size() + 1,
                      fs::file_size(output / manifests::kManifestName)};
  for (const manifests::FileEntry& file : manifest.files) bundle.total_bytes += file.size_bytes;
  return bundle;
}

}  // namespace

std::optional<PreviousBundle> find_previous(const fs::path& output, const Fingerprint& now) {
  if (!fs::exists(fs::symlink_status(output)) || (fs::is_directory(output) && fs::is_empty(output)))
    return std::nullopt;
  require_replaceable(output);
  manifests::Bundle bundle(output);
  if (!bundle.is_manifest_intact()) refuse(output, "its manifest is damaged");
  const auto findings = bundle.check();
  if (!findings.empty())
    refuse(output, fmt::format("is damaged: {}", manifests::to_string(findings.front())));
  if (bundle.manifest().find(kReportJson) == nullptr ||
      bundle.manifest().find(kReportText) == nullptr)
    refuse(output, "was not made by 'ingot build'");
  PreviousBundle previous{packed(output, bundle.manifest()), read_text_file(output / kReportText),
                          read_text_file(output / kReportJson)};
  const Json report = parse_json(previous.json, (output / kReportJson).string());
  const auto made_from =
      report.is_object() && report.contains("made_from") ? report["made_from"] : Json();
  const auto differ = differences(fingerprint_from_json(made_from), now);
  if (!differ.empty())
    refuse(output,
           fmt::format("was made from something else: {} changed", fmt::join(differ, ", ")));
  return previous;
}

void require_replaceable(const fs::path& output) {
  const fs::file_status status = fs::symlink_status(output);
  if (!fs::exists(status)) return;
  if (fs::is_directory(status) &&
      (fs::is_empty(output) || fs::is_regular_file(output / manifests::kManifestName)))
    return;
  throw Error(Code::kUsage,
              fmt::format("'{}' is neither a bundle nor an empty folder, and is not replaced",
                          output.string()));
}

}  // namespace ingot::pipeline
