// SPDX-License-Identifier: Apache-2.0
#include "manifests/manifest_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "manifests/path_rules.h"

namespace ingot::manifests {
namespace {

constexpr std::size_t kMaxTargets = 16, kMaxTensors = 4096, kMaxRank = 16,
                      kMaxTensorNameBytes = 65536;

/// One manifest under examination; `source` is for messages.
class Examination {
 public:
  Examination(const Manifest& manifest, std::string_view source) : m_(manifest), source_(source) {}

  void run() const {
    require_label("name", m_.name);
    require_label("version", m_.version);
    require_created();
    require_files();
    require_targets();
    require_model();
    require_listed("run.config", m_.run_config, Role::kConfig);
    if (!m_.preprocess.empty())
      require_listed("preprocess.dataset", m_.preprocess, Role::kPreprocess);
  }

 private:
  [[noreturn]] void refuse(std::string_view place, std::string_view fault) const {
    throw Error(Code::kInput, fmt::format("'{}': '{}' {}", source_, place, fault));
  }

  void require(bool holds, std::string_view place, std::string_view seen,
               std::string_view wanted) const {
    if (!holds) refuse(place, fmt::format("is '{}', {} is wanted", seen, wanted));
  }

  static bool consists_of(std::string_view text, std::string_view allowed) {
    return text.find_first_not_of(allowed) == std::string_view::npos;
  }

  void require_label(std::string_view place, const std::string& text) const {
    constexpr std::string_view kAllowed =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-";
    require(!text.empty() && text.size() <= 100 && consists_of(text, kAllowed), place, text,
            "1 to 100 letters, digits, '.', '_', '+' or '-'");
  }

  void require_hex(std::string_view place, const std::string& text, std::size_t digits) const {
    require(text.size() == digits && consists_of(text, "0123456789abcdef"), place, text,
            fmt::format("{} lower-case hex digits", digits));
  }

  void require_created() const {
    if (m_.created.empty()) return;
    constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:ddZ";
    bool fits = m_.created.size() == kForm.size();
    for (std::size_t i = 0; fits && i < kForm.size(); ++i) {
      fits = kForm[i] == 'd' ? (m_.created[i] >= '0' && m_.created[i] <= '9')
                             : m_.created[i] == kForm[i];
    }
    require(fits, "created", m_.created, "a time like 2026-11-30T12:00:00Z");
  }

  void require_listed(std::string_view place, const std::string& path, Role role) const {
    const FileEntry* entry = m_.find(path);
    if (entry == nullptr) refuse(place, fmt::format("names '{}', which is not in 'files'", path));
    if (entry->role != role) {
      refuse(place, fmt::format("names '{}', whose role is '{}', '{}' is wanted", path,
                                role_name(entry->role), role_name(role)));
    }
  }

  void require_targets() const {
    if (m_.targets.empty() || m_.targets.size() > kMaxTargets) {
      refuse("targets",
             fmt::format("has {} elements, 1 to {} are wanted", m_.targets.size(), kMaxTargets));
    }
    require(m_.engine.name == "onnxruntime", "engine.name", m_.engine.name, "onnxruntime");
    require(!m_.engine.version.empty() && consists_of(m_.engine.version, "0123456789."),
            "engine.version", m_.engine.version, "a version like 1.32.0");
    require_listed("engine.runtime", m_.engine.runtime, Role::kRuntime);
    std::set<std::string> seen;
    for (const Target& target : m_.targets) {
      require(!target.triplet.empty() &&
                  consists_of(target.triplet, "abcdefghijklmnopqrstuvwxyz0123456789_-"),
              "targets.triplet", target.triplet, "a triplet like x86_64-linux-gnu");
      require(consists_of(target.min_glibc, "0123456789."), "targets.min_glibc", target.min_glibc,
              "a version like 2.28");
      if (!seen.insert(target.triplet).second) {
        refuse("targets", fmt::format("has '{}' twice", target.triplet));
      }
      require_listed("targets", runtime_path(m_, target.triplet), Role::kRuntime);
    }
    const std::string first = runtime_path(m_, m_.targets.front().triplet);
    require(m_.engine.runtime == first, "engine.runtime", m_.engine.runtime, "'" + first + "'");
  }

  void require_tensors(std::string_view place, const std::vector<TensorSpec>& tensors) const {
    if (tensors.size() > kMaxTensors) {
      refuse(place,
             fmt::format("has {} elements, at most {} are allowed", tensors.size(), kMaxTensors));
    }
    for (const TensorSpec& tensor : tensors) {
      if (tensor.name.empty() || tensor.name.size() > kMaxTensorNameBytes ||
          !is_utf8(tensor.name)) {
        refuse(place, "has a tensor whose name is empty, too long or not UTF-8");
      }
      if (tensor.dtype == DType::kUndefined) {
        refuse(place, fmt::format("gives no data type for '{}'", tensor.name));
      }
      const bool fits = tensor.shape.size() <= kMaxRank &&
                        std::ranges::all_of(tensor.shape, [](std::int64_t d) { return d >= -1; });
      if (!fits) {
        refuse(
            place,
            fmt::format("gives '{}' the shape {}, at most {} dimensions of at least -1 are wanted",
                        tensor.name, to_string(tensor.shape), kMaxRank));
      }
    }
  }

  void require_model() const {
    require_listed("model.main", m_.model.main, Role::kModel);
    for (const std::string& path : m_.model.external_data) {
      require_listed("model.external_data", path, Role::kModel);
    }
    if (!std::ranges::is_sorted(m_.model.external_data, std::ranges::less_equal{})) {
      refuse("model.external_data", "is not sorted, or has a path twice");
    }
    require_tensors("model.inputs", m_.model.inputs);
    require_tensors("model.outputs", m_.model.outputs);
    if (m_.model.outputs.empty()) refuse("model.outputs", "is empty");
    if (!m_.model.source_sha256.empty())
      require_hex("model.source_sha256", m_.model.source_sha256, 64);
    if (m_.model.quantization) {
      require_label("model.quantization.scheme", m_.model.quantization->scheme);
      const std::string& plan = m_.model.quantization->plan_sha256;
      if (!plan.empty()) require_hex("model.quantization.plan_sha256", plan, 64);
    }
  }

  void require_files() const {
    if (m_.files.size() > kMaxFiles) {
      refuse("files",
             fmt::format("has {} elements, at most {} are allowed", m_.files.size(), kMaxFiles));
    }
    std::map<std::string, std::string> taken{
        {std::string(kManifestName), std::string(kManifestName)}};
    const std::string* before = nullptr;
    for (const FileEntry& file : m_.files) {
      const std::string fault = path_fault(file.path);
      if (!fault.empty()) refuse("files", fmt::format("has the path '{}': {}", file.path, fault));
      if (before != nullptr && *before >= file.path) {
        refuse("files", fmt::format("has '{}' after '{}': sorted, distinct paths are wanted",
                                    file.path, *before));
      }
      before = &file.path;
      require_untaken(taken, file.path);
      if (file.mode != 0644) {
        refuse("files",
               fmt::format("gives '{}' the mode {:04o}, 0644 is wanted", file.path, file.mode));
      }
      require_hex("files.sha256", file.sha256, 64);
      require_hex("files.xxh3_128", file.xxh3_128, 32);
    }
  }

  /// Every folder above `path` is taken in the spelling of the first file below it, `path` itself
  /// by this file alone.
  void require_untaken(std::map<std::string, std::string>& taken, const std::string& path) const {
    for (std::size_t end = path.find('/'); end != std::string::npos;
         end = path.find('/', end + 1)) {
      const std::string folder = path.substr(0, end + 1);
      const auto [known, is_new] = taken.try_emplace(case_folded(folder), folder);
      if (known->second != folder) refuse_clash(path, known->second);
      const auto as_file = taken.find(case_folded(path.substr(0, end)));
      if (as_file != taken.end()) refuse_clash(path, as_file->second);
    }
    const auto as_folder = taken.find(case_folded(path) + "/");
    if (as_folder != taken.end()) refuse_clash(path, as_folder->second);
    const auto [known, is_new] = taken.try_emplace(case_folded(path), path);
    if (!is_new) refuse_clash(path, known->second);
  }

  [[noreturn]] void refuse_clash(const std::string& path, const std::string& other) const {
    refuse("files", fmt::format("has '{}', which clashes with '{}'", path, other));
  }

  const Manifest& m_;
  std::string_view source_;
};

}  // namespace

void require_valid(const Manifest& manifest, std::string_view source) {
  Examination(manifest, source).run();
}

}  // namespace ingot::manifests
