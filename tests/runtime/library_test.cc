// SPDX-License-Identifier: Apache-2.0
#include <elf.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/files.h"
#include "runtime/session.h"
#include "tests/support/expect_error.h"

namespace ingot::runtime {
namespace {

using test::expect_error;

TEST(Library, TellsItsVersionAndPath) {
  const auto library = Library::open(INGOT_TEST_RUNTIME);
  EXPECT_EQ(library->version(), "1.32.0");
  EXPECT_EQ(library->path(), INGOT_TEST_RUNTIME);
}

TEST(Library, OpensTwiceAndOutlivesTheFirstOwner) {
  auto first = Library::open(INGOT_TEST_RUNTIME);
  const auto second = Library::open(INGOT_TEST_RUNTIME);
  first.reset();
  EXPECT_EQ(second->version(), "1.32.0");
}

TEST(Library, RefusesAMissingFile) {
  expect_error(Code::kEnvironment, "ONNX Runtime library '/nowhere/lib.so' does not exist",
               [] { Library::open("/nowhere/lib.so"); });
}

TEST(Library, RefusesAFolder) {
  expect_error(Code::kEnvironment, "ONNX Runtime library '/' is not a regular file",
               [] { Library::open("/"); });
}

TEST(Library, RefusesAFileThatIsNoLibrary) {
  const TempDir folder;
  const auto path = folder.path() / "lib.so";
  write_text_file(path, "not a library");
  expect_error(Code::kEnvironment, fmt::format("'{}' is not a shared library", path.string()),
               [&] { Library::open(path); });
}

TEST(Library, RefusesAnotherArchitecture) {
  const TempDir folder;
  const auto path = folder.path() / "lib.so";
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_machine = EM_RISCV;
  write_text_file(path, {reinterpret_cast<const char*>(&header), sizeof header});
#if defined(__x86_64__)
  const char* own = "x86_64";
#else
  const char* own = "aarch64";
#endif
  expect_error(Code::kEnvironment, fmt::format("'{}' is for riscv, wanted {}", path.string(), own),
               [&] { Library::open(path); });
}

TEST(Library, RefusesAFileThatIsCutShort) {
  const TempDir folder;
  const auto path = folder.path() / "lib.so";
  const std::string whole = read_text_file(NOT_A_RUNTIME);
  for (const std::size_t size : {whole.size() - 1, whole.size() / 2, std::size_t{64}}) {
    write_text_file(path, whole.substr(0, size));
    const std::string start = fmt::format("'{}' is cut short: it has {} bytes, wanted {}",
                                          path.string(), size, whole.size());
    expect_error(Code::kEnvironment, start, [&] { Library::open(path); });
  }
}

TEST(Library, RefusesALibraryWithoutTheEntryPoint) {
  expect_error(Code::kEnvironment,
               "'" NOT_A_RUNTIME "' is not ONNX Runtime: it has no OrtGetApiBase",
               [] { Library::open(NOT_A_RUNTIME); });
}

TEST(Library, RefusesAVersionBelowTheFloor) {
  expect_error(Code::kEnvironment, "'" OLD_RUNTIME "' is ONNX Runtime 1.20.1, wanted 1.21 or newer",
               [] { Library::open(OLD_RUNTIME); });
}

TEST(FindLibrary, TakesTheNamedFileFirst) {
  EXPECT_EQ(find_library("/a/lib.so", "/b/lib.so", "/c/bin"), "/a/lib.so");
}

TEST(FindLibrary, TakesTheEnvironmentBeforeTheFolderBeside) {
  EXPECT_EQ(find_library({}, "/b/lib.so", "/c/bin"), "/b/lib.so");
}

TEST(FindLibrary, TakesTheFirstOfTheFolderBeside) {
  const TempDir folder;
  std::filesystem::create_directories(folder.path() / "bin");
  std::filesystem::create_directories(folder.path() / "lib");
  for (const char* name : {"libonnxruntime.so.1.32.0", "libonnxruntime.so.1.30.0", "liba.so"}) {
    write_text_file(folder.path() / "lib" / name, "x");
  }
  EXPECT_EQ(find_library({}, "", folder.path() / "bin"),
            folder.path() / "lib/libonnxruntime.so.1.30.0");
}

}  // namespace
}  // namespace ingot::runtime
