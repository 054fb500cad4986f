// SPDX-License-Identifier: Apache-2.0
#include "manifests/check_report.h"

#include <fmt/format.h>

#include <chrono>

#include "base/json.h"
#include "base/text.h"

namespace ingot::manifests {

namespace {

OrderedJson rows_of(const std::vector<Finding>& findings) {
  OrderedJson rows = OrderedJson::array();
  for (const Finding& finding : findings) {
    rows.push_back({{"code", finding.code},
                    {"path", finding.path},
                    {"expected", finding.expected},
                    {"actual", finding.actual}});
  }
  return rows;
}

}  // namespace

std::string findings_json(const std::vector<Finding>& findings) { return rows_of(findings).dump(); }

CheckReport check_bundle(const std::filesystem::path& folder, int threads) {
  const auto start = std::chrono::steady_clock::now();
  CheckReport report;
  report.folder = folder;
  Bundle bundle(folder);
  report.findings = bundle.check(threads);
  if (bundle.is_manifest_intact()) {
    const Manifest& manifest = bundle.manifest();
    report.bundle_id = manifest.bundle_id;
    report.name = manifest.name;
    report.version = manifest.version;
    report.file_count = manifest.files.size();
    for (const FileEntry& file : manifest.files) report.total_bytes += file.size_bytes;
  }
  report.elapsed_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start)
          .count();
  return report;
}

std::string to_text(const CheckReport& report) {
  if (report.findings.empty()) {
    return fmt::format(
        "'{}' is the bundle {} {}: {} files, {}, checked in {}\nid {}\n", report.folder.string(),
        report.name, report.version, report.file_count, format_bytes(report.total_bytes),
        format_seconds(static_cast<double>(report.elapsed_ns) * 1e-9), report.bundle_id);
  }
  std::string text = fmt::format("'{}' is not what its manifest says:\n", report.folder.string());
  for (const Finding& finding : report.findings) text += "  " + to_string(finding) + "\n";
  return text;
}

std::string to_json(const CheckReport& report) {
  OrderedJson json{
      {"schema", "ingot.bundle.check"},
      {"schema_version", 1},
      {"code", report.findings.empty() ? "OK" : report.findings.front().code},
      {"folder", report.folder.string()},
      {"bundle", {{"id", report.bundle_id}, {"name", report.name}, {"version", report.version}}},
      {"files", report.file_count},
      {"total_bytes", report.total_bytes},
      {"elapsed_ns", report.elapsed_ns}};
  if (!report.findings.empty()) {
    json["path"] = report.findings.front().path;
    json["expected"] = report.findings.front().expected;
    json["actual"] = report.findings.front().actual;
  }
  json["findings"] = rows_of(report.findings);
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace ingot::manifests
