// SPDX-License-Identifier: Apache-2.0
// The manifest as JSON: writing, reading and its digest of itself.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "manifests/json_fields.h"
#include "manifests/manifest.h"
#include "manifests/manifest_rules.h"

namespace ingot::manifests {
namespace {

constexpr std::string_view kSelf = "self_sha256";
constexpr std::array kRoles{Role::kConfig,     Role::kData,   Role::kLicense, Role::kModel,
                            Role::kPreprocess, Role::kReport, Role::kRuntime};

// ---- writing

Json tensors_to_json(const std::vector<TensorSpec>& tensors) {
  Json array = Json::array();
  for (const TensorSpec& tensor : tensors) {
    array.push_back({{"name", tensor.name},
                     {"datatype", datatype_name(tensor.dtype)},
                     {"shape", tensor.shape}});
  }
  return array;
}

Json model_to_json(const ModelInfo& model) {
  Json json{{"main", model.main},
            {"format", model.format},
            {"external_data", model.external_data},
            {"inputs", tensors_to_json(model.inputs)},
            {"outputs", tensors_to_json(model.outputs)}};
  if (model.format == "onnx") json["opset"] = model.opset;
  if (model.quantization) {
    json["quantization"] = {{"scheme", model.quantization->scheme}};
    const std::string& plan = model.quantization->plan_sha256;
    if (!plan.empty()) json["quantization"]["plan_sha256"] = plan;
  }
  if (!model.source_sha256.empty()) json["source_sha256"] = model.source_sha256;
  if (!model.license.empty()) json["license"] = model.license;
  return json;
}

Json targets_to_json(const std::vector<Target>& targets) {
  Json array = Json::array();
  for (const Target& target : targets) {
    array.push_back({{"triplet", target.triplet}});
    if (!target.min_glibc.empty()) array.back()["min_glibc"] = target.min_glibc;
  }
  return array;
}

Json files_to_json(const std::vector<FileEntry>& files) {
  Json array = Json::array();
  for (const FileEntry& file : files) {
    array.push_back({{"path", file.path},
                     {"size", file.size_bytes},
                     {"mode", fmt::format("{:04o}", file.mode)},
                     {"role", role_name(file.role)},
                     {"sha256", file.sha256},
                     {"xxh3_128", file.xxh3_128}});
  }
  return array;
}

Json to_json(const Manifest& manifest) {
  const Engine& engine = manifest.engine;
  Json json{{"schema", kBundleSchema},
            {"critical", Json::array()},
            {"name", manifest.name},
            {"version", manifest.version},
            {"targets", targets_to_json(manifest.targets)},
            {"engine",
             {{"name", engine.name},
              {"version", engine.version},
              {"api_version", engine.api_version},
              {"runtime", engine.runtime}}},
            {"model", model_to_json(manifest.model)},
            {"run", {{"config", manifest.run_config}}},
            {"files", files_to_json(manifest.files)}};
  if (!manifest.created.empty()) json["created"] = manifest.created;
  if (!manifest.preprocess.empty()) json["preprocess"] = {{"dataset", manifest.preprocess}};
  return json;
}

/// Entries of reports are left out: each of their members is held against the file itself, and two
/// measurements of one model shall differ in nothing else.
std::string digest_without_self(Json json) {
  json.erase(kSelf);
  if (const auto files = json.find("files"); files != json.end() && files->is_array()) {
    Json others = Json::array();
    for (Json& file : *files) {
      const bool report = file.is_object() && file.value("role", Json()) == "report";
      if (!report) others.push_back(std::move(file));
    }
    *files = std::move(others);
  }
  return sha256_hex(canonical_json(json));
}

// ---- reading

/// The document, known to be canonical.
Json parse_canonical(std::string_view text, std::string_view source) {
  if (text.size() > kMaxManifestBytes) {
    throw Error(Code::kInput,
                fmt::format("'{}' has {} bytes, at most {} are allowed for a manifest", source,
                            text.size(), kMaxManifestBytes));
  }
  Json json = parse_json(text, source, 16);
  refuse_inexact_numbers(json, source);
  if (!json.is_object()) {
    throw Error(Code::kInput,
                fmt::format("'{}': the document is {}, an object is wanted", source, shown(json)));
  }
  if (canonical_json(json) != text) {
    throw Error(Code::kInput, fmt::format("'{}' is not in canonical form (RFC 8785)", source));
  }
  return json;
}

/// Top-level members that this reader does not know and nobody calls critical are left to newer
/// readers.
void require_known_schema(const Fields& fields, std::string_view source) {
  const std::string schema = fields.text("schema");
  if (schema != kBundleSchema) {
    if (!schema.starts_with("ingot.bundle/"))
      fields.refuse("schema", fmt::format("is '{}', '{}' is wanted", schema, kBundleSchema));
    throw Error(Code::kUnsupported, fmt::format("'{}': 'schema' is '{}', this ingot knows '{}'",
                                                source, schema, kBundleSchema));
  }
  for (const Json& name : fields.array("critical", 64)) {
    // No version of this reader knows an optional member yet: whatever is critical is unknown.
    throw Error(Code::kUnsupported,
                fmt::format("'{}': the critical member {} is not known to this ingot", source,
                            shown(name)));
  }
}

std::vector<std::string> read_texts(const Fields& fields, std::string_view key) {
  std::vector<std::string> texts;
  for (const Json& value : fields.array(key, kMaxFiles)) {
    if (!value.is_string())
      fields.refuse(key, fmt::format("has {}, strings are wanted", shown(value)));
    texts.push_back(value.get<std::string>());
  }
  return texts;
}

std::vector<TensorSpec> read_tensors(const Fields& model, std::string_view key) {
  std::vector<TensorSpec> tensors;
  const std::size_t count = model.array(key, kMaxFiles).size();
  for (std::size_t i = 0; i < count; ++i) {
    const Fields fields = model.element(key, i);
    fields.require_known({"name", "datatype", "shape"});
    TensorSpec tensor{fields.text("name"), datatype_from_name(fields.text("datatype")), {}};
    if (tensor.dtype == DType::kUndefined) {
      fields.refuse("datatype", fmt::format("is '{}', a type like FP32 or INT64 is wanted",
                                            fields.text("datatype")));
    }
    for (const Json& dimension : fields.array("shape", 16)) {
      if (!dimension.is_number_integer())
        fields.refuse("shape", fmt::format("has {}, integers are wanted", shown(dimension)));
      tensor.shape.push_back(dimension.get<std::int64_t>());
    }
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

ModelInfo read_model(const Fields& fields) {
  fields.require_known({"main", "format", "opset", "external_data", "inputs", "outputs",
                        "quantization", "source_sha256", "license"});
  ModelInfo model;
  model.main = fields.text("main");
  model.format = fields.text("format");
  if (model.format == "onnx") {
    model.opset = fields.integer("opset", 1, 1000000);
  } else if (model.format != "ort") {
    fields.refuse("format", fmt::format("is '{}', 'onnx' or 'ort' is wanted", model.format));
  } else if (fields.has("opset")) {
    fields.refuse("opset", "is there, but the format 'ort' has none");
  }
  model.external_data = read_texts(fields, "external_data");
  model.inputs = read_tensors(fields, "inputs");
  model.outputs = read_tensors(fields, "outputs");
  if (fields.has("quantization")) {
    const Fields quantization = fields.object("quantization");
    quantization.require_known({"scheme", "plan_sha256"});
    model.quantization =
        Quantization{quantization.text("scheme"), quantization.text_or_empty("plan_sha256")};
  }
  model.source_sha256 = fields.text_or_empty("source_sha256");
  model.license = fields.text_or_empty("license");
  return model;
}

Engine read_engine(const Fields& fields) {
  fields.require_known({"name", "version", "api_version", "runtime"});
  return {fields.text("name"), fields.text("version"), fields.integer("api_version", 1, 1000000),
          fields.text("runtime")};
}

std::vector<Target> read_targets(const Fields& document) {
  std::vector<Target> targets;
  const std::size_t count = document.array("targets", 16).size();
  for (std::size_t i = 0; i < count; ++i) {
    const Fields fields = document.element("targets", i);
    fields.require_known({"triplet", "min_glibc"});
    targets.push_back({fields.text("triplet"), fields.text_or_empty("min_glibc")});
  }
  return targets;
}

Role read_role(const Fields& fields) {
  const std::string name = fields.text("role");
  const auto* const role =
      std::ranges::find_if(kRoles, [&](Role r) { return name == role_name(r); });
  if (role == kRoles.end()) {
    fields.refuse(
        "role",
        fmt::format(
            "is '{}', one of config, data, license, model, preprocess, report, runtime is wanted",
            name));
  }
  return *role;
}

std::vector<FileEntry> read_files(const Fields& document) {
  std::vector<FileEntry> files;
  const std::size_t count = document.array("files", kMaxFiles).size();
  files.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Fields fields = document.element("files", i);
    fields.require_known({"path", "size", "mode", "role", "sha256", "xxh3_128"});
    FileEntry file;
    file.path = fields.text("path");
    file.size_bytes = static_cast<std::uint64_t>(fields.integer("size", 0, kMaxInteger));
    if (fields.text("mode") != "0644")
      fields.refuse("mode", fmt::format("is '{}', '0644' is wanted", fields.text("mode")));
    file.role = read_role(fields);
    file.sha256 = fields.text("sha256");
    file.xxh3_128 = fields.text("xxh3_128");
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace

std::string write_manifest(const Manifest& manifest) {
  require_valid(manifest, kManifestName);
  Json json = to_json(manifest);
  json[kSelf] = digest_without_self(json);
  std::string text = canonical_json(json);
  if (text.size() > kMaxManifestBytes) {
    throw Error(Code::kInput,
                fmt::format("the manifest would have {} bytes, at most {} are allowed", text.size(),
                            kMaxManifestBytes));
  }
  return text;
}

Manifest parse_manifest(std::string_view text, std::string_view source) {
  const Json json = parse_canonical(text, source);
  const Fields fields(json, std::string(source), "");
  require_known_schema(fields, source);
  Manifest manifest;
  manifest.name = fields.text("name");
  manifest.version = fields.text("version");
  manifest.created = fields.text_or_empty("created");
  manifest.targets = read_targets(fields);
  manifest.engine = read_engine(fields.object("engine"));
  manifest.model = read_model(fields.object("model"));
  const Fields run = fields.object("run");
  run.require_known({"config"});
  manifest.run_config = run.text("config");
  if (fields.has("preprocess")) {
    const Fields preprocess = fields.object("preprocess");
    preprocess.require_known({"dataset"});
    manifest.preprocess = preprocess.text("dataset");
  }
  manifest.files = read_files(fields);
  manifest.bundle_id = sha256_hex(text);
  require_valid(manifest, source);
  return manifest;
}

SelfDigest self_digest(std::string_view text, std::string_view source) {
  Json json = parse_canonical(text, source);
  std::string expected = Fields(json, std::string(source), "").text(kSelf);
  return {std::move(expected), digest_without_self(std::move(json))};
}

}  // namespace ingot::manifests
