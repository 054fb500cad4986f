// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "base/error.h"

namespace ingot {
namespace {

namespace fs = std::filesystem;

template <class Body>
void expect_error(Body body, Code code, const std::string& message) {
  try {
    body();
    FAIL() << "nothing was thrown; wanted: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), message);
    EXPECT_EQ(error.code(), code);
  }
}

std::string text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

TEST(MappedFile, HoldsTheBytes) {
  const TempDir dir;
  write_text_file(dir.path() / "f", "hello");
  const MappedFile file(dir.path() / "f");
  EXPECT_EQ(text_of(file), "hello");
  EXPECT_EQ(file.path(), dir.path() / "f");
}

TEST(MappedFile, OfAnEmptyFileIsEmpty) {
  const TempDir dir;
  write_text_file(dir.path() / "f", "");
  EXPECT_EQ(MappedFile(dir.path() / "f").bytes().size(), 0u);
}

TEST(MappedFile, OutlivesTheDescriptorItCameFrom) {
  const TempDir dir;
  write_text_file(dir.path() / "f", "hello");
  const int fd = ::open((dir.path() / "f").c_str(), O_RDONLY);
  const MappedFile file(fd, "a name");
  ::close(fd);
  EXPECT_EQ(text_of(file), "hello");
}

TEST(MappedFile, RefusesWhatIsMissingOrNoRegularFile) {
  const TempDir dir;
  const fs::path missing = dir.path() / "no" / "file", folder = dir.path(),
                 pipe = dir.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  expect_error([&] { MappedFile{missing}; }, Code::kInput,
               "cannot open '" + missing.string() + "': no such file or directory");
  expect_error([&] { MappedFile{folder}; }, Code::kInput,
               "'" + folder.string() + "' is a folder; wanted a regular file");
  expect_error([&] { MappedFile{pipe}; }, Code::kInput,
               "'" + pipe.string() + "' is a device, pipe or socket; wanted a regular file");
  expect_error([&] { MappedFile{"/dev/zero"}; }, Code::kInput,
               "'/dev/zero' is a device, pipe or socket; wanted a regular file");
  const fs::path below = dir.path() / "f" / "x";
  write_text_file(dir.path() / "f", "");
  expect_error([&] { MappedFile{below}; }, Code::kInput,
               "cannot open '" + below.string() + "': not a directory");
}

TEST(ReadTextFile, ReturnsAllOfItUpToTheLimit) {
  const TempDir dir;
  const fs::path path = dir.path() / "f";
  const std::string text(200000, 'x');
  write_text_file(path, text);
  EXPECT_EQ(read_text_file(path), text);
  EXPECT_EQ(read_text_file(path, 200000), text);
  expect_error(
      [&] { read_text_file(path, 199999); }, Code::kInput,
      "'" + path.string() + "' is larger than 199999 bytes, the most a text file may have");
}

TEST(RefuseExisting, AsksForForce) {
  const TempDir dir;
  const fs::path path = dir.path() / "f";
  EXPECT_NO_THROW(refuse_existing(path, Overwrite::kNo));
  write_text_file(path, "");
  EXPECT_NO_THROW(refuse_existing(path, Overwrite::kYes));
  try {
    refuse_existing(path, Overwrite::kNo);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUsage);
    EXPECT_EQ(error.message(), "'" + path.string() + "' exists already");
    EXPECT_EQ(error.hint(), "--force overwrites it");
  }
}

TEST(RefuseExisting, RefusesWhatIsNoNameOfAFile) {
  expect_error([] { refuse_existing("", Overwrite::kYes); }, Code::kUsage,
               "an output has an empty name");
  expect_error([] { refuse_existing("-", Overwrite::kYes); }, Code::kUsage,
               "'-' names no file, and this output cannot go to standard output");
  EXPECT_NO_THROW(refuse_existing("./-", Overwrite::kNo));
}

TEST(RefuseExisting, RefusesAMissingFolder) {
  const TempDir dir;
  const std::string path = (dir.path() / "none" / "f").string();
  expect_error([&] { refuse_existing(path, Overwrite::kYes); }, Code::kEnvironment,
               "cannot write '" + path + "': no such file or directory");
}

TEST(RefuseExisting, CountsALinkThatPointsNowhere) {
  const TempDir dir;
  fs::create_symlink("nowhere", dir.path() / "link");
  EXPECT_THROW(refuse_existing(dir.path() / "link", Overwrite::kNo), Error);
}

TEST(ReadTextFile, CountsALoopOfLinksAsAMissingFile) {
  const TempDir dir;
  const fs::path path = dir.path() / "link";
  fs::create_symlink("link", path);
  expect_error([&] { read_text_file(path); }, Code::kInput,
               "cannot open '" + path.string() + "': too many levels of symbolic links");
}

TEST(TempDir, SaysThatTheSystemsFolderIsMissing) {
  const char* set = std::getenv("TMPDIR");
  const std::string before = set == nullptr ? "" : set;
  ::setenv("TMPDIR", "/nowhere", 1);
  expect_error([] { TempDir{}; }, Code::kEnvironment, "the folder for temporary files is missing");
  if (set == nullptr) {
    ::unsetenv("TMPDIR");
  } else {
    ::setenv("TMPDIR", before.c_str(), 1);
  }
}

TEST(TempDir, IsRemovedWithWhatItHolds) {
  fs::path path;
  {
    const TempDir outer;
    const TempDir dir(outer.path());
    path = dir.path();
    EXPECT_EQ(path.parent_path(), outer.path());
    fs::create_directories(path / "a" / "b");
    write_text_file(path / "a" / "b" / "f", "x");
    EXPECT_TRUE(fs::is_directory(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TempDir, SaysWhereItCouldNotBeMade) {
  expect_error([] { TempDir{"/no/such/folder"}; }, Code::kEnvironment,
               "cannot make a folder in '/no/such/folder': no such file or directory");
}

}  // namespace
}  // namespace ingot
