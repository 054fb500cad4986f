// SPDX-License-Identifier: Apache-2.0
// A folder with a small model of two convolutions, samples, and a project file over them.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "base/files.h"
#include "data/npz.h"
#include "tests/support/model_builder.h"

namespace ingot::test {

class SmallProject {
 public:
  SmallProject() {
    onnx::ModelProto model = proto_from_text(R"(
      <ir_version: 8, opset_import: ["" : 17]>
      g (float[1, 32, 8, 8] x) => (float[1, 32, 8, 8] y) {
        h = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (x, w)
        r = Relu(h)
        y = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (r, v)
      })");
    add_initializer(model, "w", random_tensor({32, 32, 3, 3}, 1, 0.1F));
    add_initializer(model, "v", random_tensor({32, 32, 3, 3}, 2, 0.1F));
    write_model(model, path(), "model.onnx");
    write_samples("calib", 10, 100);
    write_samples("eval", 6, 200);
  }

  const std::filesystem::path& path() const { return folder_.path(); }
  std::filesystem::path bundle() const { return path() / "out" / "small"; }

  void write_samples(const std::string& name, std::uint32_t count, std::uint32_t seed) const {
    std::filesystem::create_directory(path() / name);
    for (std::uint32_t i = 0; i < count; ++i)
      data::write_npz(path() / name / fmt::format("{}.npz", i),
                      {{"x", random_tensor({1, 32, 8, 8}, seed + i)}}, Overwrite::kYes);
  }

  /// Writes the project file with `limits` in its [limits] and returns its path.
  std::filesystem::path project(const std::string& limits,
                                const std::string& quantize = "scheme = \"int8\"") const {
    const std::filesystem::path file = path() / "ingot.toml";
    write_text_file(
        file, fmt::format("[model]\nsource = \"model.onnx\"\nname = \"small\"\nversion = \"1\"\n"
                          "[data]\ncalibration = \"calib\"\nevaluation = \"eval\"\n"
                          "[quantize]\n{}\n[limits]\n{}\n[bundle]\noutput = \"out/small\"\n",
                          quantize, limits));
    return file;
  }

 private:
  TempDir folder_;
};

}  // namespace ingot::test
