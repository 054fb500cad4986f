// SPDX-License-Identifier: Apache-2.0
// A file appears whole or not at all: on success, without commit, on a full disk, on an impossible
// destination.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/files.h"

namespace ingot {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

template <class Body>
void expect_environment(Body body, const std::string& message) {
  try {
    body();
    FAIL() << "nothing was thrown; wanted: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), message);
    EXPECT_EQ(error.code(), Code::kEnvironment);
  }
}

/// Files of this process may not grow beyond `bytes` while it lives: the nearest a test comes to a
/// full disk without a file system of its own.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : old_handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_limit_);
    const rlimit limit{bytes, old_limit_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_limit_);
    ::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_limit_{};
  sighandler_t old_handler_;
};

TEST(OutputFile, AppearsOnCommitOnly) {
  const TempDir dir;
  const fs::path path = dir.path() / "out.onnx";
  {
    OutputFile file(path);
    file.write("hello");
    EXPECT_EQ(file.position_bytes(), 5u);
    EXPECT_FALSE(fs::exists(path));
    EXPECT_EQ(file.temporary_path().parent_path(), dir.path());
    file.flush();
    EXPECT_EQ(read_text_file(file.temporary_path()), "hello");
    file.commit();
    EXPECT_EQ(read_text_file(path), "hello");
  }
  EXPECT_THAT(names_in(dir.path()), ElementsAre("out.onnx"));
}

TEST(OutputFile, LeavesNothingWithoutCommit) {
  const TempDir dir;
  write_text_file(dir.path() / "old", "old");
  {
    OutputFile fresh(dir.path() / "fresh"), old(dir.path() / "old");
    fresh.write("x");
    old.write("new");
    old.flush();
  }
  EXPECT_THAT(names_in(dir.path()), ElementsAre("old"));
  EXPECT_EQ(read_text_file(dir.path() / "old"), "old");
}

TEST(OutputFile, ReplacesAnOlderFile) {
  const TempDir dir;
  write_text_file(dir.path() / "f", "a longer old text");
  write_text_file(dir.path() / "f", "new");
  EXPECT_EQ(read_text_file(dir.path() / "f"), "new");
}

TEST(OutputFile, TwoOfOneDestinationDoNotMeet) {
  const TempDir dir;
  OutputFile a(dir.path() / "f"), b(dir.path() / "f");
  a.write("a");
  b.write("b");
  b.commit();
  a.commit();
  EXPECT_EQ(read_text_file(dir.path() / "f"), "a");
}

TEST(OutputFile, KeepsLargeAndSmallWritesInOrder) {
  const TempDir dir;
  std::string wanted;
  OutputFile file(dir.path() / "f");
  for (const std::size_t size : {1u, 1000u, 1u << 20, 3u, (1u << 20) + 1, 524288u, 524288u, 5u}) {
    const std::string part(size, static_cast<char>('a' + size % 26));
    file.write(part);
    wanted += part;
  }
  EXPECT_EQ(file.position_bytes(), wanted.size());
  file.commit();
  EXPECT_EQ(read_text_file(dir.path() / "f"), wanted);
}

TEST(OutputFile, AlignsWithZeros) {
  const TempDir dir;
  OutputFile file(dir.path() / "f");
  file.align(16);
  EXPECT_EQ(file.position_bytes(), 0u);
  file.write("abc");
  file.align(8);
  file.align(8);
  file.write("d");
  file.align(1);
  EXPECT_EQ(file.position_bytes(), 9u);
  EXPECT_THROW(file.align(3), Error);
  file.commit();
  EXPECT_EQ(read_text_file(dir.path() / "f"), std::string("abc\0\0\0\0\0d", 9));
}

TEST(OutputFile, MayBeReadAsTheUmaskSays) {
  const TempDir dir;
  const mode_t mask = ::umask(027);
  write_text_file(dir.path() / "f", "x");
  ::umask(mask);
  struct stat status{};
  ASSERT_EQ(::stat((dir.path() / "f").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST(OutputFile, TakesTheLongestName) {
  const TempDir dir;
  const fs::path path = dir.path() / std::string(255, 'n');
  write_text_file(path, "x");
  EXPECT_EQ(read_text_file(path), "x");
}

TEST(OutputFile, FullDiskNamesTheDestinationAndLeavesNothing) {
  const TempDir dir;
  const fs::path path = dir.path() / "out.onnx";
  {
    const FileSizeLimit limit(64 << 10);
    expect_environment(
        [&] {
          OutputFile file(path);
          file.write(std::string(100 << 10, 'x'));
          file.commit();
        },
        "'" + path.string() + "': file too large");
  }
  EXPECT_THAT(names_in(dir.path()), IsEmpty());
}

TEST(OutputFile, FullDiskLeavesTheOlderFile) {
  const TempDir dir;
  const fs::path path = dir.path() / "out.onnx";
  write_text_file(path, "old");
  {
    const FileSizeLimit limit(10);
    expect_environment([&] { write_text_file(path, "more than ten bytes"); },
                       "'" + path.string() + "': file too large");
  }
  EXPECT_THAT(names_in(dir.path()), ElementsAre("out.onnx"));
  EXPECT_EQ(read_text_file(path), "old");
}

TEST(OutputFile, MissingFolderIsTheEnvironmentsFaultWithAHint) {
  try {
    OutputFile file("/no/such/folder/out.onnx");
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kEnvironment);
    EXPECT_EQ(error.message(), "'/no/such/folder/out.onnx': no such file or directory");
    EXPECT_EQ(error.hint(), "make the folder first");
  }
}

TEST(OutputFile, RefusesToTakeThePlaceOfAFolderOrDevice) {
  const TempDir dir;
  expect_environment([&] { OutputFile{dir.path()}; },
                     "'" + dir.path().string() + "' is a folder; wanted the name of a file");
  expect_environment([] { OutputFile{"/dev/null"}; },
                     "'/dev/null' is a device, pipe or socket; wanted the name of a file");
  fs::create_symlink("/dev/null", dir.path() / "link");
  expect_environment([&] { OutputFile{dir.path() / "link"}; },
                     "'" + (dir.path() / "link").string() +
                         "' is a device, pipe or socket; wanted the name of a file");
}

TEST(ThrowErrno, DiskFullReadsAsPeopleSayIt) {
  expect_environment([] { throw_errno("", "out.onnx", ENOSPC); },
                     "'out.onnx': no space left on device");
  expect_environment([] { throw_errno("cannot read", "m.onnx", EACCES); },
                     "cannot read 'm.onnx': permission denied");
}

}  // namespace
}  // namespace ingot
