// SPDX-License-Identifier: Apache-2.0
#include "pipeline/project.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/text.h"
#include "data/toml_table.h"
#include "manifests/path_rules.h"
#include "quant/quantize.h"

namespace ingot::pipeline {
namespace {

namespace fs = std::filesystem;
using data::TomlTable;

constexpr std::string_view kLabelLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-";

/// One [section] of the file, with how its values are checked.
class Section {
 public:
  Section(TomlTable table, fs::path folder)
      : table_(std::move(table)), folder_(std::move(folder)) {}

  const TomlTable& table() const { return table_; }

  std::string required_text(std::string_view key, std::string_view wanted) const {
    const auto text = table_.text(key);
    if (!text || text->empty()) table_.fail(key, wanted);
    return *text;
  }

  /// What a manifest takes as a name or version.
  std::string label(std::string_view key) const {
    constexpr std::string_view kWanted = "1 to 100 letters, digits, '.', '_', '+' or '-'";
    const std::string text = required_text(key, kWanted);
    if (text.size() > 100 || text.find_first_not_of(kLabelLetters) != std::string::npos)
      table_.fail(key, kWanted);
    return text;
  }

  fs::path resolve(const fs::path& written) const { return (folder_ / written).lexically_normal(); }

  fs::path existing(std::string_view key, std::string_view wanted) const {
    const fs::path path = resolve(required_text(key, wanted));
    require_there(key, path);
    return path;
  }

  void require_there(std::string_view key, const fs::path& path) const {
    std::error_code ignored;
    if (!fs::exists(path, ignored))
      table_.fail_because(key,
                          fmt::format("'{}' names '{}', which does not exist", key, path.string()));
  }

  std::int64_t integer(std::string_view key, std::int64_t otherwise, std::int64_t least) const {
    const auto value = table_.integer(key);
    if (value && (*value < least || *value > std::numeric_limits<int>::max()))
      table_.fail(key, fmt::format("an integer of at least {}", least));
    return value.value_or(otherwise);
  }

  /// Runs `body`, which parses the value of `key`; what it throws gets the place in the file.
  template <class Body>
  auto parse(std::string_view key, Body body) const {
    try {
      return body();
    } catch (const Error& error) {
      if (error.code() != Code::kUsage) throw;
      table_.fail_because(key, error.message());
    }
  }

 private:
  TomlTable table_;
  fs::path folder_;
};

Section section(const TomlTable& root, std::string_view name, const fs::path& folder) {
  const auto table = root.table(name);
  if (!table) root.fail(name, fmt::format("a table [{}]", name));
  return {*table, folder};
}

void read_model(const Section& model, Project& project) {
  model.table().require_known({"source", "name", "version", "license"}, " in [model]");
  project.source = model.existing("source", "the path of an ONNX model");
  project.name = model.label("name");
  project.version = model.label("version");
  project.license = model.table().text("license").value_or("");
}

void read_data(const Section& data, Project& project) {
  data.table().require_known({"calibration", "evaluation"}, " in [data]");
  constexpr std::string_view kWanted = "a dataset.toml, a folder of .npz files or an .npz file";
  project.calibration = data.existing("calibration", kWanted);
  project.evaluation = data.existing("evaluation", kWanted);
}

std::string scheme_named(const Section& quantize) {
  const std::string name = quantize.required_text("scheme", "the name of a scheme");
  std::vector<std::string> names;
  for (const quant::Scheme& scheme : quant::schemes()) {
    if (name == scheme.name) return name;
    names.emplace_back(scheme.name);
  }
  quantize.table().fail_because(
      "scheme", fmt::format("unknown scheme '{}'{}", name, did_you_mean(name, names)));
}

void read_quantize(const Section& quantize, Project& project) {
  const TomlTable& table = quantize.table();
  table.require_known({"scheme", "keep", "min", "search", "evaluations", "samples", "calibration"},
                      " in [quantize]");
  project.scheme = scheme_named(quantize);
  quantize.parse("keep", [&] {
    for (const std::string& text : table.texts("keep").value_or(std::vector<std::string>{}))
      project.keep.push_back(quant::parse_keep(text));
  });
  quantize.parse("min", [&] {
    for (const std::string& text : table.texts("min").value_or(std::vector<std::string>{}))
      project.minimums.push_back(metrics::parse_limit(text, metrics::comparison_metrics()));
  });
  project.search = table.boolean("search").value_or(true);
  project.evaluations = static_cast<int>(quantize.integer("evaluations", project.evaluations, 1));
  project.samples = static_cast<std::size_t>(quantize.integer("samples", 0, 1));
  if (const auto name = table.text("calibration")) {
    project.ranges =
        quantize.parse("calibration", [&] { return quant::calibration_from_name(*name); });
  }
}

/// A metric that needs its name quoted: `latency.p95 = …` without quotes is a table in TOML.
std::string quoting_advice(const std::string& key) {
  for (const metrics::Metric& metric : metrics::all_metrics()) {
    if (metric.name.starts_with(key + "."))
      return fmt::format("; a name with a dot is quoted: \"{}\" = …", metric.name);
  }
  return {};
}

void read_limits(const Section& limits, Project& project) {
  const TomlTable& table = limits.table();
  std::vector<std::string> names;
  for (const metrics::Metric& metric : metrics::all_metrics()) names.emplace_back(metric.name);
  for (const std::string& key : table.keys()) {
    if (std::find(names.begin(), names.end(), key) != names.end()) continue;
    const std::string advice = quoting_advice(key);
    table.fail_because(key, fmt::format("unknown metric '{}' in [limits]{}", key,
                                        advice.empty() ? did_you_mean(key, names) : advice));
  }
  for (const std::string& name : names) {
    if (!table.has(name)) continue;
    project.limits.push_back(limits.parse(name, [&] {
      return metrics::make_limit(
          name, table.is_text(name) ? *table.text(name) : format_number(*table.number(name)));
    }));
  }
}

/// As `bundle pack --file` has it: "PATH" goes to data/, "PATH=NAME" to NAME.
ExtraFile extra_file(const Section& bundle, const std::string& text) {
  const std::size_t equals = text.rfind('=');
  ExtraFile file{bundle.resolve(text.substr(0, equals)), ""};
  file.name = equals == std::string::npos ? "data/" + file.source.filename().string()
                                          : text.substr(equals + 1);
  bundle.require_there("files", file.source);
  const std::string fault = manifests::path_fault(file.name);
  if (!fault.empty())
    bundle.table().fail_because(
        "files", fmt::format("'{}' cannot be a path in a bundle: {}", file.name, fault));
  return file;
}

void read_bundle(const Section& bundle, Project& project) {
  const TomlTable& table = bundle.table();
  table.require_known({"output", "runtime", "files"}, " in [bundle]");
  project.output = bundle.resolve(bundle.required_text("output", "the folder to make"));
  if (!project.output.has_filename()) project.output = project.output.parent_path();
  if (table.has("runtime"))
    project.runtime = bundle.existing("runtime", "the path of an ONNX Runtime library");
  for (const std::string& text : table.texts("files").value_or(std::vector<std::string>{}))
    project.files.push_back(extra_file(bundle, text));
}

}  // namespace

Project read_project(const fs::path& file) {
  const TomlTable root = TomlTable::parse_file(file);
  root.require_known({"model", "data", "quantize", "limits", "bundle"});
  const fs::path folder = file.parent_path();
  Project project;
  project.file = file;
  read_model(section(root, "model", folder), project);
  read_data(section(root, "data", folder), project);
  read_quantize(section(root, "quantize", folder), project);
  read_limits(section(root, "limits", folder), project);
  read_bundle(section(root, "bundle", folder), project);
  return project;
}

}  // namespace ingot::pipeline
