// SPDX-License-Identifier: Apache-2.0
// The bytes of a .npz file, read as a sample of a model is.
#include "data/dataset.h"
#include "data/npz.h"
#include "tests/fuzz/fuzz_case.h"

using namespace ingot;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path path = fuzz::scratch_folder() / "case.npz";
  fuzz::put(path, fuzz::text_of(data, size));
  fuzz::accepts([] {
    const data::NpzFile file(path);
    for (const std::string& name : file.names()) {
      fuzz::require(file.has(name), "a listed array is missing");
      fuzz::accepts([&] { (void)file.read(name); });
    }
  });
  fuzz::accepts([] {
    const auto samples = data::Dataset::open({path}, {{"x", DType::kFloat, {-1, 2}}});
    (void)samples.load(0);
    (void)samples.digest();
  });
  return 0;
}
