// SPDX-License-Identifier: Apache-2.0
// The text of an ingot.toml, in a folder with files it can name: model.onnx, runtime.so, data.npz.
#include "pipeline/project.h"
#include "tests/fuzz/fuzz_case.h"

using namespace ingot;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path folder = [] {
    const std::filesystem::path path = fuzz::scratch_folder();
    for (const char* name : {"model.onnx", "runtime.so", "data.npz"}) fuzz::put(path / name, "");
    return path;
  }();
  fuzz::put(folder / "ingot.toml", fuzz::text_of(data, size));
  fuzz::accepts([] {
    const pipeline::Project project = pipeline::read_project(folder / "ingot.toml");
    fuzz::require(!project.output.empty() && !project.name.empty() && project.evaluations >= 0,
                  "a project without what it needs");
    for (const auto& file : project.files)
      fuzz::require(!file.name.empty(), "an extra file without a name");
  });
  return 0;
}
