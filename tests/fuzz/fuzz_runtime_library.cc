// SPDX-License-Identifier: Apache-2.0
// The bytes of a shared library that is said to be ONNX Runtime, read as packing reads it.
#include "manifests/runtime_library.h"
#include "tests/fuzz/fuzz_case.h"

using namespace ingot;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path path = fuzz::scratch_folder() / "libonnxruntime.so.1";
  fuzz::put(path, fuzz::text_of(data, size));
  fuzz::accepts([] {
    const auto library = manifests::read_runtime_library(path);
    fuzz::require(!library.version.empty() && !library.triplet.empty(),
                  "a library without version");
  });
  return 0;
}
