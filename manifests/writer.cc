// SPDX-License-Identifier: Apache-2.0
#include "manifests/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/error.h"
#include "base/parallel.h"
#include "manifests/path_rules.h"
#include "manifests/runtime_library.h"
#include "manifests/staging.h"

namespace ingot::manifests {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRunPath = "config/run.json";
constexpr std::string_view kDatasetPath = "preprocess/dataset.toml";

/// What goes where, before anything is written: each path once.
class Contents {
 public:
  void add(PackFile file, Role role) {
    const std::string fault = path_fault(file.path);
    if (!fault.empty()) {
      throw Error(Code::kInput,
                  fmt::format("'{}' cannot be a path in a bundle: {}", file.path, fault),
                  "give the file another name: --file PATH=NAME");
    }
    const std::string path = file.path;
    if (path == kManifestName || path == "model.sig") {
      throw Error(Code::kUsage, fmt::format("'{}' in a bundle is written by ingot itself", path));
    }
    if (const auto known = by_path_.find(path); known != by_path_.end()) {
      throw Error(Code::kUsage,
                  fmt::format("two files for '{}' in the bundle: '{}' and '{}'", path,
                              known->second.file.source.string(), file.source.string()));
    }
    by_path_.emplace(path, Item{std::move(file), role});
  }

  struct Item {
    PackFile file;
    Role role;
  };
  const std::map<std::string, Item>& items() const { return by_path_; }

 private:
  std::map<std::string, Item> by_path_;
};

Role role_of_extra(const std::string& path) {
  for (const std::string_view made_here : {"runtime/", "config/", "preprocess/", "bin/"}) {
    if (path.starts_with(made_here)) {
      throw Error(
          Code::kUsage,
          fmt::format("'{}': the folder '{}' of a bundle is not for extra files", path, made_here));
    }
  }
  if (path.starts_with("LICENSES/")) return Role::kLicense;
  if (path.starts_with("report/")) return Role::kReport;
  if (path.starts_with("model/")) return Role::kModel;
  return Role::kData;
}

void add_model(const PackOptions& options, Contents& contents, ModelInfo& model) {
  // The runtime tells its formats apart by the ending.
  model.main = "model/model." + model.format;
  model.external_data.clear();
  contents.add({model.main, options.model_file, ""}, Role::kModel);
  const std::set<std::string> locations(options.external_locations.begin(),
                                        options.external_locations.end());
  for (const std::string& location : locations) {
    const std::string path = "model/" + location;
    const std::string fault = path_fault(path);
    if (!fault.empty() || path == model.main) {
      throw Error(Code::kInput,
                  fmt::format("'{}': its external data '{}' cannot be in a bundle: {}",
                              options.model_file.string(), location,
                              fault.empty() ? "the name is the model's own" : fault),
                  "write the model anew with 'ingot convert'");
    }
    contents.add({path, options.model_file.parent_path() / location, ""}, Role::kModel);
    model.external_data.push_back(path);
  }
}

void add_runtimes(const PackOptions& options, Contents& contents, Manifest& manifest) {
  if (options.runtimes.empty())
    throw Error(Code::kUsage, "a bundle needs the ONNX Runtime library it runs with: --runtime");
  std::string soname;
  for (const fs::path& file : options.runtimes) {
    const RuntimeLibrary library = read_runtime_library(file);
    const std::string path = fmt::format("runtime/{}/{}", library.triplet, library.soname);
    if (manifest.targets.empty()) {
      soname = library.soname;
      manifest.engine = {"onnxruntime", library.version, library.api_version, path};
    }
    if (library.version != manifest.engine.version || library.soname != soname) {
      throw Error(Code::kUsage,
                  fmt::format("'{}' is ONNX Runtime {}, '{}' is {}: one bundle has one version",
                              file.string(), library.version, options.runtimes.front().string(),
                              manifest.engine.version));
    }
    contents.add({path, file, ""}, Role::kRuntime);
    manifest.targets.push_back({library.triplet, library.min_glibc});
  }
}

/// The licence and the notices that a release of the runtime has beside its library travel with it.
/// Both or none: a file LICENSE alone may be of anything.
void add_runtime_notices(const PackOptions& options, Contents& contents) {
  const fs::path folder = options.runtimes.front().parent_path();
  const std::array<fs::path, 2> names{"LICENSE", "ThirdPartyNotices.txt"};
  const auto is_there = [&](const fs::path& name) { return fs::is_regular_file(folder / name); };
  if (!std::ranges::all_of(names, is_there)) return;
  for (const fs::path& name : names)
    contents.add({"LICENSES/onnxruntime/" + name.string(), folder / name, ""}, Role::kLicense);
}

void add_preprocess(const PackOptions& options, Contents& contents, Manifest& manifest) {
  for (const PackFile& file : options.preprocess) {
    if (!file.path.starts_with("preprocess/")) {
      throw Error(Code::kInternal,
                  fmt::format("the preprocessing file '{}' is outside of preprocess/", file.path));
    }
    if (file.path == kDatasetPath) manifest.preprocess = kDatasetPath;
    contents.add(file, Role::kPreprocess);
  }
}

Contents plan_contents(const PackOptions& options, Manifest& manifest) {
  Contents contents;
  add_model(options, contents, manifest.model);
  add_runtimes(options, contents, manifest);
  add_runtime_notices(options, contents);
  add_preprocess(options, contents, manifest);
  contents.add({std::string(kRunPath), {}, write_run_config(options.run)}, Role::kConfig);
  manifest.run_config = kRunPath;
  for (const fs::path& file : options.reports)
    contents.add({"report/" + file.filename().string(), file, ""}, Role::kReport);
  for (const fs::path& file : options.licenses)
    contents.add({"LICENSES/" + file.filename().string(), file, ""}, Role::kLicense);
  for (const PackFile& file : options.extra) contents.add(file, role_of_extra(file.path));
  return contents;
}

std::vector<FileEntry> write_contents(const Contents& contents, Staging& staging) {
  std::vector<const Contents::Item*> items;
  for (const auto& [path, item] : contents.items()) {
    staging.make_folder_of(path);
    items.push_back(&item);
  }
  std::vector<FileEntry> entries(items.size());
  parallel_for(items.size(), 0, [&](std::size_t i) {
    const PackFile& file = items[i]->file;
    Digests digests = file.source.empty() ? staging.write(file.text, file.path)
                                          : staging.copy(file.source, file.path);
    entries[i] = {file.path,      digests.size_bytes,        0644,
                  items[i]->role, std::move(digests.sha256), std::move(digests.xxh3_128)};
  });
  return entries;
}

/// The rules that need no digest, held before a large file is copied.
void require_packable(Manifest manifest, const Contents& contents) {
  for (const auto& [path, item] : contents.items()) {
    manifest.files.push_back(
        {path, 0, 0644, item.role, std::string(64, '0'), std::string(32, '0')});
  }
  static_cast<void>(write_manifest(manifest));
}

}  // namespace

PackResult pack(const PackOptions& options) {
  Manifest manifest;
  manifest.name = options.name;
  manifest.version = options.version;
  manifest.created = options.created;
  manifest.model = options.model;
  const Contents contents = plan_contents(options, manifest);
  require_packable(manifest, contents);
  Staging staging(options.destination, options.overwrite);
  manifest.files = write_contents(contents, staging);
  const std::string text = write_manifest(manifest);
  PackResult result;
  result.bundle_id = staging.write(text, kManifestName).sha256;
  staging.publish();
  result.files = std::move(manifest.files);
  result.total_bytes = text.size();
  for (const FileEntry& file : result.files) result.total_bytes += file.size_bytes;
  return result;
}

}  // namespace ingot::manifests
