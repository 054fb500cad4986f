// SPDX-License-Identifier: Apache-2.0
// The bytes of a picture, decoded and prepared as a small input.
#include "data/pictures.h"
#include "tests/fuzz/fuzz_case.h"

using namespace ingot;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path path = fuzz::scratch_folder() / "case.png";
  fuzz::put(path, fuzz::text_of(data, size));
  data::ImageInput input;
  input.name = "x";
  input.height = {data::Extent::Mode::kFixed, 8};
  input.width = {data::Extent::Mode::kKeepRatio, 0};
  input.max_width = 64;
  fuzz::accepts([&] { (void)data::prepare_image(input, path); });
  return 0;
}
