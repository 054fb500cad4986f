// SPDX-License-Identifier: Apache-2.0
// Reading what a bundle says of itself.
#include "manifests/inspection.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "manifests/descriptor.h"
#include "manifests/manifest_file.h"

namespace ingot::manifests {
namespace {

/// A build's report of a model with a thousand layers has some 200 KiB.
constexpr off_t kMaxReportBytes = off_t{8} << 20;
constexpr std::size_t kMaxLimits = 100;

std::string text_member(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The document at `path`; null where it is missing, large, or no JSON object.
Json read_report(int folder_fd, const std::filesystem::path& folder, const std::string& path) {
  const Descriptor file = open_beneath(folder_fd, path);
  struct stat status{};
  if (!file.is_open() || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_size > kMaxReportBytes) {
    return {};
  }
  std::string text;
  hash_descriptor(file.get(), folder / path, [&](std::span<const std::byte> chunk) {
    text.append(reinterpret_cast<const char*>(chunk.data()), chunk.size());
  });
  try {
    Json json = parse_json(text, path);
    return json.is_object() ? json : Json();
  } catch (const Error&) {
    return {};  // another kind of report
  }
}

std::vector<ReportSummary::Limit> limits_of(const Json& report) {
  std::vector<ReportSummary::Limit> limits;
  const auto gate = report.find("gate");
  if (gate == report.end() || !gate->is_array()) return limits;
  for (const Json& row : *gate) {
    if (!row.is_object() || limits.size() == kMaxLimits) break;
    ReportSummary::Limit limit{text_member(row, "rule"), text_member(row, "source"), {}, false};
    const auto value = row.find("value"), holds = row.find("holds");
    if (value != row.end() && value->is_number()) limit.value = value->get<double>();
    if (holds != row.end() && holds->is_boolean()) limit.holds = holds->get<bool>();
    limits.push_back(std::move(limit));
  }
  return limits;
}

}  // namespace

Inspection inspect_bundle(const std::filesystem::path& folder) {
  const Descriptor folder_descriptor = open_folder(folder);
  const ManifestFile file = read_manifest_file(folder_descriptor.get(), folder);
  const std::string source = (folder / kManifestName).string();
  Inspection inspection;
  inspection.folder = folder;
  inspection.manifest = parse_manifest(file.text, source);
  const SelfDigest digest = self_digest(file.text, source);
  inspection.manifest_intact = digest.expected == digest.actual;
  for (const FileEntry& entry : inspection.manifest.files) {
    inspection.total_bytes += entry.size_bytes;
    if (entry.role != Role::kReport) continue;
    const Json report = read_report(folder_descriptor.get(), folder, entry.path);
    inspection.reports.push_back({entry.path, "", "", {}});
    if (report.is_null()) continue;
    ReportSummary& summary = inspection.reports.back();
    summary.schema = text_member(report, "schema");
    summary.verdict = text_member(report, "verdict");
    summary.limits = limits_of(report);
  }
  return inspection;
}

}  // namespace ingot::manifests
