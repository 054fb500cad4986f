// SPDX-License-Identifier: Apache-2.0
// Time that passed, by the monotonic clock.
#pragma once

#include <chrono>
#include <cstdint>

namespace ingot::device {

class Stopwatch {
 public:
  std::int64_t ns() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                                start_)
        .count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace ingot::device
