// SPDX-License-Identifier: Apache-2.0
#include "cli/memory_limit.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <new>

#include "base/error.h"
#include "base/text.h"

namespace ingot::cli {
namespace {

/// Memory the process can write, in bytes: the field of /proc/self/statm that RLIMIT_DATA counts.
std::uint64_t data_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t size = 0, resident = 0, shared = 0, text = 0, library = 0, data = 0;
  statm >> size >> resident >> shared >> text >> library >> data;
  return data * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// Lowers the limit and puts it back.
class Limit {
 public:
  explicit Limit(std::uint64_t bytes) {
    ::getrlimit(RLIMIT_DATA, &before_);
#ifndef INGOT_SANITIZERS
    rlimit now = before_;
    now.rlim_cur = std::min<rlim_t>(before_.rlim_max, data_bytes() + bytes);
    ::setrlimit(RLIMIT_DATA, &now);
#else
    static_cast<void>(bytes);
#endif
  }
  ~Limit() { ::setrlimit(RLIMIT_DATA, &before_); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

 private:
  rlimit before_{};
};

}  // namespace

void with_memory_limit(std::uint64_t bytes, const std::string& subject,
                       const std::function<void()>& body) {
  try {
    const Limit limit(bytes);
    body();
  } catch (const std::bad_alloc&) {
    throw Error(
        Code::kInput,
        fmt::format("'{}' takes more than {} of memory to read", subject, format_bytes(bytes)),
        "--max-memory BYTES allows more");
  }
}

}  // namespace ingot::cli
