// SPDX-License-Identifier: Apache-2.0
// A bundle of a few small files, made in a fresh folder; and ways to look at and to damage files.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "base/files.h"
#include "manifests/integrity.h"
#include "manifests/manifest.h"
#include "manifests/runtime_library.h"
#include "manifests/writer.h"

namespace ingot::manifests {

namespace fs = std::filesystem;

/// Plain reading and writing, so that tests do not rest on what they test.
inline std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
inline void put(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}
inline void put_mode(const fs::path& path, unsigned mode) {
  fs::permissions(path, static_cast<fs::perms>(mode), fs::perm_options::replace);
}

/// The sources of a bundle in `folder`/in and the options that pack them into `folder`/out.
inline PackOptions small_options(const fs::path& folder) {
  put(folder / "in/net.onnx", "not looked into");
  put(folder / "in/weights.data", std::string(300000, 'w'));
  put(folder / "in/gate.json", "{}");
  put(folder / "in/dict.txt", "a\nb\n");
  put(folder / "in/LICENSE", "MIT");
  PackOptions options;
  options.destination = folder / "out";
  options.name = "lines";
  options.version = "1.0.0";
  options.model.opset = 17;
  options.model.inputs = {{"x", DType::kFloat, {1, 3, 48, -1}}};
  options.model.outputs = {{"y", DType::kFloat, {1, -1, 4}}};
  options.model_file = folder / "in/net.onnx";
  options.external_locations = {"weights.data"};
  options.runtimes = {FAKE_RUNTIME};
  options.preprocess = {{"preprocess/dataset.toml", {}, "schema = 1\n"},
                        {"preprocess/dict.txt", folder / "in/dict.txt", ""}};
  options.reports = {folder / "in/gate.json"};
  options.licenses = {folder / "in/LICENSE"};
  return options;
}

/// Every regular file below `folder`: relative path → bytes.
inline std::map<std::string, std::string> tree_of(const fs::path& folder) {
  std::map<std::string, std::string> tree;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file())
      tree[entry.path().lexically_relative(folder)] = bytes_of(entry.path());
  }
  return tree;
}

}  // namespace ingot::manifests
