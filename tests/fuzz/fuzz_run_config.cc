// SPDX-License-Identifier: Apache-2.0
// The bytes of a bundle's config/run.json; what is read must read back after writing.
#include "manifests/run_config.h"
#include "tests/fuzz/fuzz_case.h"

using namespace ingot;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::accepts([&] {
    const auto config = manifests::parse_run_config(fuzz::text_of(data, size), "run.json");
    const std::string written = manifests::write_run_config(config);
    const auto again = manifests::parse_run_config(written, "run.json");
    fuzz::require(manifests::write_run_config(again) == written, "a configuration changed");
  });
  return 0;
}
