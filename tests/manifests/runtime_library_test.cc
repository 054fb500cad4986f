// SPDX-License-Identifier: Apache-2.0
#include "manifests/runtime_library.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/manifests/small_bundle.h"

namespace ingot::manifests {
namespace {

std::string refusal(const fs::path& path) {
  try {
    read_runtime_library(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kInput);
    return error.message();
  }
  return "accepted";
}

TEST(RuntimeLibrary, SaysWhatItIs) {
  const RuntimeLibrary library = read_runtime_library(FAKE_RUNTIME);
  EXPECT_EQ(library.triplet, own_triplet());
  EXPECT_EQ(library.soname, "libonnxruntime.so.1");
  EXPECT_EQ(library.version, "1.99.0");
  EXPECT_EQ(library.api_version, 99);
}

TEST(RuntimeLibrary, TheRealOneSaysWhatReadelfSays) {
  const RuntimeLibrary library = read_runtime_library(INGOT_TEST_RUNTIME);
  EXPECT_EQ(library.triplet, own_triplet());
  EXPECT_EQ(library.soname, "libonnxruntime.so.1");
  EXPECT_EQ(library.version, "1.32.0");
  EXPECT_EQ(library.api_version, 32);
  // readelf -V libonnxruntime.so.1.32.0 | grep -o 'GLIBC_[0-9.]*' | sort -V | tail -1
#if defined(__x86_64__)
  EXPECT_EQ(library.min_glibc, "2.28");
#endif
  EXPECT_FALSE(version_less(own_glibc(), library.min_glibc));
}

TEST(RuntimeLibrary, OtherFilesAreRefused) {
  TempDir folder;
  const fs::path text = folder.path() / "text";
  put(text, std::string(100, 'x'));
  EXPECT_EQ(refusal(text), "'" + text.string() + "' is not an ELF shared library");
  EXPECT_EQ(refusal(NOT_A_RUNTIME),
            std::string("'") + NOT_A_RUNTIME +
                "' is not ONNX Runtime: its name is 'libother.so.2' and its symbol version '', "
                "'libonnxruntime.so.1' and 'VERS_1.x.y' are wanted");
  const fs::path missing = folder.path() / "missing";
  EXPECT_EQ(refusal(missing), "cannot open '" + missing.string() + "': no such file or directory");
}

TEST(RuntimeLibrary, AnUnknownMachineIsNamed) {
  TempDir folder;
  std::string bytes = bytes_of(FAKE_RUNTIME);
  bytes[18] = static_cast<char>(2);  // EM_SPARC
  bytes[19] = 0;
  put(folder.path() / "sparc.so", bytes);
  EXPECT_EQ(refusal(folder.path() / "sparc.so"),
            "'" + (folder.path() / "sparc.so").string() +
                "' is for a machine that is not known (ELF machine 2, class 2)");
}

TEST(RuntimeLibrary, AnyTruncationAndAnyByteIsReadWithoutHarm) {
  TempDir folder;
  const std::string bytes = bytes_of(FAKE_RUNTIME);
  const fs::path damaged = folder.path() / "damaged.so";
  const auto try_reading = [&](const std::string& content) {
    put(damaged, content);
    try {
      read_runtime_library(damaged);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kInput) << error.what();
    }
  };
  for (std::size_t size = 0; size < bytes.size(); size += 997) try_reading(bytes.substr(0, size));
  for (std::size_t i = 0; i < std::min<std::size_t>(bytes.size(), 4096); i += 29) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x80);
    try_reading(changed);
  }
}

TEST(RuntimeLibrary, VersionsCompareByNumber) {
  EXPECT_TRUE(version_less("2.9", "2.28"));
  EXPECT_TRUE(version_less("", "2.2.5"));
  EXPECT_TRUE(version_less("2.2", "2.2.5"));
  EXPECT_FALSE(version_less("2.28", "2.28"));
  EXPECT_FALSE(version_less("2.36", "2.28"));
  EXPECT_FALSE(version_less("2.2.5", "2.2"));
}

}  // namespace
}  // namespace ingot::manifests
