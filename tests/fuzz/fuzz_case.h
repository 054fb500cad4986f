// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets share. A target hands bytes from outside to one reader; the reader may
// refuse them with an Error that is the input's fault, and nothing else: any other exception, a
// broken invariant, a sanitizer's finding, a hang or too much memory ends the process.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/files.h"

/// The entry that libFuzzer and the replay (replay_main.cc) call; 0 always.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace ingot::fuzz {

/// Ends the process with `what`: a fault of ours.
[[noreturn]] inline void fail(const std::string& what) {
  std::fprintf(stderr, "fuzz: %s\n", what.c_str());
  std::abort();
}

inline void require(bool holds, const char* what) {
  if (!holds) fail(what);
}

/// Runs `body`; true when it returned, false when it refused its input.
template <class Body>
bool accepts(Body&& body) {
  try {
    body();
    return true;
  } catch (const Error& error) {
    const bool refused = error.code() == Code::kInput || error.code() == Code::kUnsupported;
    if (!refused)
      fail(std::string("not a refusal: ") + code_name(error.code()) + ": " + error.what());
    if (error.message().empty()) fail("a refusal without a message");
    return false;
  } catch (const std::exception& error) {
    fail(std::string("an exception that is no Error: ") + error.what());
  }
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Writes `bytes` to `path` in place; plain stdio, so that the code under test is not involved.
inline void put(const std::filesystem::path& path, std::string_view bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  require(file != nullptr, "the scratch folder cannot be written");
  std::fwrite(bytes.data(), 1, bytes.size(), file);
  require(std::fclose(file) == 0, "the scratch folder cannot be written");
}

/// A folder for the files of a target, made once and removed when the process ends in order; in
/// memory where the system has that, since saving waits for the disk.
inline const std::filesystem::path& scratch_folder() {
  static const TempDir folder(std::filesystem::exists("/dev/shm") ? "/dev/shm" : "");
  return folder.path();
}

}  // namespace ingot::fuzz
