// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace ingot {
namespace {

TEST(ParallelFor, RunsEveryIndexOnce) {
  for (const int threads : {0, 1, 2, 7, 64}) {
    std::vector<std::atomic<int>> seen(1000);
    parallel_for(seen.size(), threads, [&](std::size_t i) { ++seen[i]; });
    for (const auto& count : seen) EXPECT_EQ(count, 1);
  }
}

TEST(ParallelFor, DoesNothingForNoIndices) {
  parallel_for(0, 4, [](std::size_t) { FAIL(); });
}

TEST(ParallelFor, UsesTheCallersThreadOnlyWhenAskedForOne) {
  const auto caller = std::this_thread::get_id();
  parallel_for(10, 1, [&](std::size_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

TEST(ParallelFor, ThrowsTheFailureOfTheLowestIndexWhateverTheThreads) {
  for (const int threads : {1, 2, 8}) {
    for (int round = 0; round < 50; ++round) {
      try {
        parallel_for(200, threads, [](std::size_t i) {
          if (i % 50 == 49) throw std::runtime_error(std::to_string(i));
        });
        FAIL() << "nothing was thrown";
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "49");
      }
    }
  }
}

TEST(ParallelFor, StartsNoFurtherIndicesAfterAFailure) {
  std::atomic<std::size_t> runs{0};
  EXPECT_THROW(parallel_for(1000, 1,
                            [&](std::size_t i) {
                              ++runs;
                              if (i == 3) throw std::runtime_error("stop");
                            }),
               std::runtime_error);
  EXPECT_EQ(runs, 4u);
}

TEST(AvailableProcessors, IsAtLeastOne) { EXPECT_GE(available_processors(), 1); }

}  // namespace
}  // namespace ingot
