// SPDX-License-Identifier: Apache-2.0
#include "device/process_memory.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "base/error.h"

namespace ingot::device {

std::uint64_t peak_resident_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::uint64_t kib = 0;
    if (word == "VmHWM:" && status >> kib) return kib * 1024;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

PageFaults page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {usage.ru_minflt, usage.ru_majflt};
}

void cap_data([[maybe_unused]] std::uint64_t hard_bytes) {
#ifndef INGOT_SANITIZERS
  if (hard_bytes == 0) return;
  rlimit limit{};
  getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = std::min<rlim_t>(hard_bytes, limit.rlim_max);
  if (setrlimit(RLIMIT_DATA, &limit) != 0) {
    throw Error(Code::kEnvironment, fmt::format("cannot cap the memory at {} bytes: {}", hard_bytes,
                                                std::strerror(errno)));
  }
#endif
}

}  // namespace ingot::device
