// SPDX-License-Identifier: Apache-2.0
// Loading this library makes the file that INGOT_TEST_TRAP names. It then says that it is too old
// to be used.
#include <cstdio>
#include <cstdlib>

namespace {

struct ApiBase {
  const void* (*get_api)(unsigned);
  const char* (*get_version)();
};

const ApiBase kBase{[](unsigned) -> const void* { return nullptr; }, [] { return "1.0.0"; }};

__attribute__((constructor)) void leave_a_mark() {
  const char* path = std::getenv("INGOT_TEST_TRAP");
  if (path == nullptr) return;
  if (std::FILE* mark = std::fopen(path, "w")) std::fclose(mark);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const void* OrtGetApiBase() { return &kBase; }
