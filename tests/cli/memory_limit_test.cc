// SPDX-License-Identifier: Apache-2.0
#include "cli/memory_limit.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/expect_error.h"

namespace ingot::cli {
namespace {

TEST(MemoryLimit, RefusesWhatTakesMoreAndNamesTheOption) {
#ifdef INGOT_SANITIZERS
  GTEST_SKIP() << "sanitizers need more memory than any limit";
#endif
  constexpr std::size_t kSize = std::size_t{64} << 20;
  test::expect_error(Code::kInput, "'m.onnx' takes more than 16.0 MiB of memory to read", [&] {
    with_memory_limit(std::uint64_t{16} << 20, "m.onnx", [&] { std::vector<char> big(kSize, 1); });
  });
  // Inside the limit, and again after it.
  std::size_t held = 0;
  with_memory_limit(std::uint64_t{256} << 20, "m.onnx",
                    [&] { held = std::vector<char>(kSize, 1).size(); });
  EXPECT_EQ(held, kSize);
}

}  // namespace
}  // namespace ingot::cli
