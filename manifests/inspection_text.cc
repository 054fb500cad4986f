// SPDX-License-Identifier: Apache-2.0
// What a bundle says of itself, as text and as JSON.
#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "manifests/inspection.h"

namespace ingot::manifests {
namespace {

/// Names come from outside: what would move a terminal's cursor is spelled out.
std::string printable(const std::string& text) {
  std::string shown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      shown += fmt::format("\\x{:02x}", byte);
    } else {
      shown += c;
    }
  }
  return shown;
}

std::string ports_text(const char* title, const std::vector<TensorSpec>& ports) {
  std::string text = fmt::format("{}:\n", title);
  for (const TensorSpec& port : ports) {
    text += fmt::format("  '{}' {} {}\n", printable(port.name), datatype_name(port.dtype),
                        to_string(port.shape));
  }
  return text;
}

std::string model_text(const ModelInfo& model) {
  std::string text = fmt::format("model: {}", model.main);
  if (model.format == "onnx") text += fmt::format(", opset {}", model.opset);
  if (model.quantization) text += fmt::format(", quantized as {}", model.quantization->scheme);
  if (!model.license.empty()) text += fmt::format(", licence {}", printable(model.license));
  text += '\n';
  if (!model.source_sha256.empty())
    text += fmt::format("  made from sha256 {}\n", model.source_sha256);
  if (model.quantization && !model.quantization->plan_sha256.empty())
    text += fmt::format("  by the plan sha256 {}\n", model.quantization->plan_sha256);
  return text + ports_text("inputs", model.inputs) + ports_text("outputs", model.outputs);
}

std::string runtime_text(const Manifest& manifest) {
  std::string text =
      fmt::format("runtime: {} {}, for", manifest.engine.name, manifest.engine.version);
  for (const Target& target : manifest.targets) {
    text += fmt::format("{} {}", &target == manifest.targets.data() ? "" : ",", target.triplet);
    if (!target.min_glibc.empty()) text += fmt::format(" (glibc {})", target.min_glibc);
  }
  return text + "\n";
}

std::string files_text(const Inspection& inspection) {
  const std::vector<FileEntry>& files = inspection.manifest.files;
  std::size_t path_width = 0, size_width = 0;
  for (const FileEntry& file : files) {
    path_width = std::max(path_width, file.path.size());
    size_width = std::max(size_width, std::to_string(file.size_bytes).size());
  }
  std::string text =
      fmt::format("files: {}, {}\n", files.size(), format_bytes(inspection.total_bytes));
  for (const FileEntry& file : files) {
    text += fmt::format("  {:<{}}  {:>{}}  {:<10}  {}\n", file.path, path_width, file.size_bytes,
                        size_width, role_name(file.role), file.sha256);
  }
  return text;
}

std::string report_text(const ReportSummary& report) {
  if (report.verdict.empty()) return {};
  std::string text = fmt::format("report '{}': {}\n", report.path, printable(report.verdict));
  for (const ReportSummary::Limit& limit : report.limits) {
    text += fmt::format(
        "  {}  {:<22} {:>12}  {}\n", limit.holds ? "holds " : "fails ", printable(limit.rule),
        limit.value ? format_number(*limit.value) : "not measured", printable(limit.source));
  }
  return text;
}

OrderedJson ports_json(const std::vector<TensorSpec>& ports) {
  OrderedJson list = OrderedJson::array();
  for (const TensorSpec& port : ports) {
    list.push_back(
        {{"name", port.name}, {"datatype", datatype_name(port.dtype)}, {"shape", port.shape}});
  }
  return list;
}

OrderedJson model_json(const ModelInfo& model) {
  OrderedJson json{{"main", model.main},
                   {"format", model.format},
                   {"opset", model.opset > 0 ? OrderedJson(model.opset) : OrderedJson()},
                   {"external_data", model.external_data},
                   {"inputs", ports_json(model.inputs)},
                   {"outputs", ports_json(model.outputs)}};
  if (model.quantization) {
    json["quantization"] = {{"scheme", model.quantization->scheme},
                            {"plan_sha256", model.quantization->plan_sha256}};
  }
  json["source_sha256"] = model.source_sha256;
  json["license"] = model.license;
  return json;
}

OrderedJson reports_json(const std::vector<ReportSummary>& reports) {
  OrderedJson list = OrderedJson::array();
  for (const ReportSummary& report : reports) {
    OrderedJson limits = OrderedJson::array();
    for (const ReportSummary::Limit& limit : report.limits) {
      limits.push_back({{"rule", limit.rule},
                        {"value", limit.value ? OrderedJson(*limit.value) : OrderedJson()},
                        {"holds", limit.holds},
                        {"source", limit.source}});
    }
    list.push_back({{"path", report.path},
                    {"schema", report.schema},
                    {"verdict", report.verdict},
                    {"limits", std::move(limits)}});
  }
  return list;
}

}  // namespace

std::string to_text(const Inspection& inspection) {
  const Manifest& manifest = inspection.manifest;
  std::string text = fmt::format("'{}': bundle {} {}\nid {}\n", inspection.folder.string(),
                                 manifest.name, manifest.version, manifest.bundle_id);
  if (!manifest.created.empty()) text += fmt::format("created: {}\n", manifest.created);
  text += model_text(manifest.model) + runtime_text(manifest);
  if (!manifest.preprocess.empty()) text += fmt::format("preprocessing: {}\n", manifest.preprocess);
  for (const ReportSummary& report : inspection.reports) text += report_text(report);
  text += files_text(inspection);
  if (!inspection.manifest_intact) text += "the manifest does not match its own digest\n";
  return text + "not verified: this is what the manifest says\n";
}

std::string to_json(const Inspection& inspection) {
  const Manifest& manifest = inspection.manifest;
  OrderedJson targets = OrderedJson::array(), files = OrderedJson::array();
  for (const Target& target : manifest.targets)
    targets.push_back({{"triplet", target.triplet}, {"min_glibc", target.min_glibc}});
  for (const FileEntry& file : manifest.files) {
    files.push_back({{"path", file.path},
                     {"size_bytes", file.size_bytes},
                     {"role", role_name(file.role)},
                     {"sha256", file.sha256},
                     {"xxh3_128", file.xxh3_128}});
  }
  const OrderedJson json{{"schema", "ingot.bundle.inspect"},
                         {"schema_version", 1},
                         {"folder", inspection.folder.string()},
                         {"verified", false},
                         {"manifest_intact", inspection.manifest_intact},
                         {"bundle",
                          {{"id", manifest.bundle_id},
                           {"name", manifest.name},
                           {"version", manifest.version},
                           {"created", manifest.created}}},
                         {"model", model_json(manifest.model)},
                         {"engine",
                          {{"name", manifest.engine.name},
                           {"version", manifest.engine.version},
                           {"api_version", manifest.engine.api_version}}},
                         {"targets", std::move(targets)},
                         {"preprocess", manifest.preprocess},
                         {"total_bytes", inspection.total_bytes},
                         {"files", std::move(files)},
                         {"reports", reports_json(inspection.reports)}};
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace ingot::manifests
