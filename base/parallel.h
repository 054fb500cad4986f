// SPDX-License-Identifier: Apache-2.0
// A loop over independent indices on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace ingot {

/// Processors this process may run on (sched_getaffinity), at least 1.
int available_processors();

/// Calls body(i) for every i in [0, count) on at most `threads` threads (0 = all available). The
/// first exception (by index) is thrown in the caller after all threads have ended. Each index is
/// run at most once; results must not depend on the order.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& body);

}  // namespace ingot
