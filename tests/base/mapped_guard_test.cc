// SPDX-License-Identifier: Apache-2.0
// In child processes: a file that became shorter cannot be taken back.
#include "base/mapped_guard.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"

namespace ingot {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBytes = std::size_t{1} << 20;

/// The sum of all bytes, so that every page is read.
unsigned sum_of(std::span<const std::byte> bytes) {
  unsigned sum = 0;
  for (const std::byte byte : bytes) sum += static_cast<unsigned>(byte);
  return sum;
}

/// Prints what `body` throws and exits with its code, 0 when it throws nothing.
template <class Body>
[[noreturn]] void exit_with(Body body) {
  try {
    body();
  } catch (const Error& error) {
    std::fputs(error.what(), stderr);
    std::exit(exit_code(error.code()));
  }
  std::exit(0);
}

class MappedGuardDeathTest : public testing::Test {
 protected:
  MappedGuardDeathTest() : path_(folder_.path() / "w.bin") {
    write_text_file(path_, std::string(kBytes, '\1'));
  }
  std::string refusal() const {
    return fmt::format("'{}' became shorter while it was read", path_.string());
  }

  TempDir folder_;
  fs::path path_;
};

TEST_F(MappedGuardDeathTest, WholeFilesPassTheCheck) {
  const MappedFile file(path_);
  EXPECT_EQ(sum_of(file.bytes()), kBytes);
  EXPECT_NO_THROW(check_mapped_files());
}

TEST_F(MappedGuardDeathTest, MissingPagesReadAsZeroAndTheCheckThrows) {
  EXPECT_EXIT(exit_with([&] {
                install_mapped_guard();
                const MappedFile file(path_);
                fs::resize_file(path_, kBytes / 2);
                if (sum_of(file.bytes()) != kBytes / 2) std::exit(99);
                check_mapped_files();
              }),
              testing::ExitedWithCode(exit_code(Code::kInput)), refusal());
}

TEST_F(MappedGuardDeathTest, TheCheckRemembersAMappingThatIsGone) {
  EXPECT_EXIT(exit_with([&] {
                install_mapped_guard();
                auto file = std::make_unique<MappedFile>(path_);
                fs::resize_file(path_, 0);
                if (sum_of(file->bytes()) != 0) std::exit(99);
                file.reset();
                check_mapped_files();
              }),
              testing::ExitedWithCode(exit_code(Code::kInput)), refusal());
}

TEST_F(MappedGuardDeathTest, NothingIsPublishedThatWasReadFromAFileThatBecameShorter) {
  const fs::path out = folder_.path() / "out";
  EXPECT_EXIT(exit_with([&] {
                install_mapped_guard();
                const MappedFile file(path_);
                OutputFile output(out);
                fs::resize_file(path_, 0);
                if (sum_of(file.bytes()) != 0) std::exit(99);
                output.write(file.bytes());
                output.commit();
              }),
              testing::ExitedWithCode(exit_code(Code::kInput)), refusal());
  EXPECT_FALSE(fs::exists(out));
}

TEST_F(MappedGuardDeathTest, OtherBusErrorsEndTheProcess) {
  EXPECT_EXIT(
      {
        install_mapped_guard();
        raise(SIGBUS);
        raise(SIGBUS);
      },
      testing::KilledBySignal(SIGBUS), "");
}

TEST(MappedGuard, ReleasedPagesAreReadAgain) {
  const TempDir folder;
  const fs::path path = folder.path() / "w.bin";
  std::string text(kBytes, '\0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i % 251);
  write_text_file(path, text);
  const MappedFile file(path);
  for (const std::size_t begin : {std::size_t{0}, std::size_t{1}, std::size_t{4097}}) {
    release_pages(file.bytes().subspan(begin));
    release_pages(file.bytes().subspan(begin, 10));
    EXPECT_EQ(std::memcmp(file.bytes().data(), text.data(), text.size()), 0);
  }
  EXPECT_EQ(sha256_file(path), sha256_hex(text));
}

}  // namespace
}  // namespace ingot
