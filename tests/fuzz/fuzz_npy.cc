// SPDX-License-Identifier: Apache-2.0
// The bytes of a .npy file; what is read must read back after writing.
#include "data/npz.h"
#include "tests/fuzz/fuzz_case.h"

using namespace ingot;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::accepts([&] {
    const Tensor tensor = data::parse_npy(std::as_bytes(std::span(data, size)), "'case.npy'");
    fuzz::require(tensor.dtype == DType::kString ||
                      tensor.bytes.size() == byte_count(tensor.dtype, tensor.count()),
                  "bytes and shape disagree");
    if (tensor.dtype == DType::kString) return;
    const std::string written = data::npy_bytes(tensor.view());
    const Tensor again = data::parse_npy(std::as_bytes(std::span(written)), "'again.npy'");
    fuzz::require(
        again.dtype == tensor.dtype && again.shape == tensor.shape && again.bytes == tensor.bytes,
        "an array changed on its way through a file");
  });
  return 0;
}
