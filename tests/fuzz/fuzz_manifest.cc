// SPDX-License-Identifier: Apache-2.0
// The bytes of a bundle's manifest.json; what is read is written back as the same bytes.
#include "manifests/manifest.h"
#include "tests/fuzz/fuzz_case.h"

using namespace ingot;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  fuzz::accepts([&] {
    const manifests::Manifest manifest = manifests::parse_manifest(text, "manifest.json");
    const manifests::SelfDigest digest = manifests::self_digest(text, "manifest.json");
    fuzz::require(manifest.find(manifest.model.main) != nullptr, "the model is not listed");
    if (digest.expected == digest.actual) (void)manifests::write_manifest(manifest);
  });
  return 0;
}
