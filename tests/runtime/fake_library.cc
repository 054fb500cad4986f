// SPDX-License-Identifier: Apache-2.0
// A library that Library::open must refuse: see CMakeLists.txt.
#ifdef OLD_RUNTIME
#include <onnxruntime_c_api.h>

extern "C" __attribute__((visibility("default"))) const OrtApiBase* ORT_API_CALL
OrtGetApiBase() noexcept {
  static const OrtApiBase base{[](uint32_t) noexcept -> const OrtApi* { return nullptr; },
                               []() noexcept -> const char* { return "1.20.1"; }};
  return &base;
}
#else
extern "C" int nothing_of_interest() { return 0; }
#endif
