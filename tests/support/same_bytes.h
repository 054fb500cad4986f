// SPDX-License-Identifier: Apache-2.0
// Comparing long byte strings: a failure names the first difference instead of printing both.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

namespace ingot::test {

/// For EXPECT_TRUE: success when both are equal; else their sizes and the first index where they
/// differ.
inline testing::AssertionResult same_bytes(std::string_view a, std::string_view b) {
  if (a == b) return testing::AssertionSuccess();
  const auto at = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
  return testing::AssertionFailure()
         << a.size() << " and " << b.size() << " bytes, different from byte " << at;
}

}  // namespace ingot::test
