// SPDX-License-Identifier: Apache-2.0
// What this process takes of the machine's memory, and a cap on it.
#pragma once

#include <cstdint>

namespace ingot::device {

/// The largest resident size so far (VmHWM); where /proc is not mounted, the system's own account
/// of it (getrusage).
std::uint64_t peak_resident_bytes();

struct PageFaults {
  std::int64_t minor = 0, major = 0;
};
/// Since the process began.
PageFaults page_faults();

/// Caps what the process may allocate from now on (RLIMIT_DATA: heap and private writable maps, the
/// runtime's mapped weights among them). 0 = no cap. No effect in sanitizer builds, whose shadow
/// memory would count. Throws kEnvironment.
void cap_data(std::uint64_t hard_bytes);

}  // namespace ingot::device
