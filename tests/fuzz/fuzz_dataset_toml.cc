// SPDX-License-Identifier: Apache-2.0
// The text of a dataset.toml, in a folder with files it can name: small.png, text.txt, symbols.txt.
// What is read must read back from its travelling copy.
#include "data/dataset.h"
#include "data/dataset_file.h"
#include "data/travel_copy.h"
#include "tests/fuzz/fuzz_case.h"

using namespace ingot;

namespace {

const std::filesystem::path& folder() {
  static const std::filesystem::path made = [] {
    const std::filesystem::path path = fuzz::scratch_folder();
    // A gray PNG of 1 x 1 pixels.
    constexpr std::string_view kPng(
        "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x8\0\0\0\0\x3a\x7e\x9b\x55\0\0\0\nIDAT\x78"
        "\x9c\x63\x60\0\0\0\x2\0\x1\x48\xaf\xa4\x71\0\0\0\0IEND\xae\x42\x60\x82",
        67);
    fuzz::put(path / "small.png", kPng);
    fuzz::put(path / "symbols.txt", "a\nb\nc\n");
    fuzz::put(path / "text.txt", "small.png\tab\n");
    std::filesystem::create_directory(path / "travelled");
    return path;
  }();
  return made;
}

/// A device has the copy and the companions, under the names the copy gives them.
void read_travelled(const std::filesystem::path& file) {
  const data::TravelCopy copy = data::travel_copy(file);
  const std::filesystem::path target = folder() / "travelled";
  for (const auto& companion : copy.files) {
    fuzz::require(companion.name.find('/') == std::string::npos, "a companion leaves its folder");
    std::filesystem::copy_file(companion.source, target / companion.name,
                               std::filesystem::copy_options::overwrite_existing);
  }
  fuzz::put(target / "dataset.toml", copy.text);
  const data::DatasetFile read = data::parse_dataset_file(target / "dataset.toml");
  const data::TravelCopy again = data::travel_copy(target / "dataset.toml");
  fuzz::require(again.text == copy.text, "a copy of a copy differs");
  (void)read;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path file = folder() / "dataset.toml";
  fuzz::put(file, fuzz::text_of(data, size));
  const bool read = fuzz::accepts([&] { (void)data::parse_dataset_file(file); });
  if (!read) return 0;
  try {
    read_travelled(file);
  } catch (const std::exception& error) {
    fuzz::fail(std::string("the travelling copy of a readable file: ") + error.what());
  }
  fuzz::accepts([&] {
    const auto samples = data::Dataset::open({file}, {{"x", DType::kFloat, {-1, -1, -1, -1}}}, 2);
    (void)samples.load(0);
  });
  return 0;
}
