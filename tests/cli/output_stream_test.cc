// SPDX-License-Identifier: Apache-2.0
#include "cli/output_stream.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"

namespace ingot::cli {
namespace {

TEST(OutputStream, WritesEverythingInOrder) {
  const TempDir dir;
  const std::filesystem::path path = dir.path() / "out";
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  std::string wanted;
  {
    OutputStream out(fd, "a file");
    for (int i = 0; i < 5000; ++i) {
      out << i << '\n';
      wanted += std::to_string(i) + '\n';
    }
    out << std::string(20000, 'x');
    wanted += std::string(20000, 'x');
  }
  ::close(fd);
  EXPECT_EQ(read_text_file(path), wanted);
}

TEST(OutputStream, FullDiskIsAnErrorThatNamesTheStream) {
  const int fd = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(fd, 0);
  OutputStream out(fd, "standard output");
  out << "hello";
  try {
    out.flush();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "'standard output': no space left on device");
    EXPECT_EQ(error.code(), Code::kEnvironment);
  }
  ::close(fd);
}

TEST(OutputStream, FullDiskShowsWhileALongTextIsWritten) {
  const int fd = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(fd, 0);
  OutputStream out(fd, "standard output");
  EXPECT_THROW(out << std::string(100000, 'x'), Error);
  ::close(fd);
}

TEST(OutputStream, ReaderThatWentAwayIsABrokenPipe) {
  const auto old = ::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  OutputStream out(ends[1], "standard output");
  out << "hello";
  EXPECT_THROW(out.flush(), BrokenPipe);
  ::close(ends[1]);
  ::signal(SIGPIPE, old);
}

}  // namespace
}  // namespace ingot::cli
