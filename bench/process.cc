// SPDX-License-Identifier: Apache-2.0
#include "bench/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/interrupt.h"

extern char** environ;

namespace ingot::bench {
namespace {

constexpr std::size_t kMostErrors = std::size_t{64} << 10;
constexpr int kPollMilliseconds = 200;  ///< how soon an interrupt that met no system call is seen

/// Both ends of a pipe, closed when it goes.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw Error(Code::kEnvironment,
                  fmt::format("a pipe cannot be made: {}", std::strerror(errno)));
  }
  ~Pipe() {
    close_reader();
    close_writer();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_reader() { close_end(ends_[0]); }
  void close_writer() { close_end(ends_[1]); }

 private:
  static void close_end(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
  std::array<int, 2> ends_{-1, -1};
};

/// A started program; killed and reaped by the destructor when wait() has not been called.
class Child {
 public:
  Child(const std::filesystem::path& executable, const std::vector<std::string>& arguments,
        const Pipe& output, const Pipe& errors) {
    std::vector<std::string> words{executable.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output.writer(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors.writer(), STDERR_FILENO);
    const int problem =
        posix_spawn(&pid_, executable.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (problem != 0) {
      pid_ = -1;
      throw Error(Code::kEnvironment, fmt::format("'{}' cannot be started: {}", executable.string(),
                                                  std::strerror(problem)));
    }
  }
  ~Child() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    wait();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int wait() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
    pid_ = -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  pid_t pid_ = -1;
};

/// Appends what is there, at most up to `most` bytes in all; false at the end of the stream.
bool read_some(int fd, std::string& text, std::size_t most) {
  std::array<char, 16384> bytes;
  const ssize_t count = ::read(fd, bytes.data(), bytes.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  const std::size_t room = most - std::min(most, text.size());
  text.append(bytes.data(), std::min(room, static_cast<std::size_t>(count)));
  return count > 0;
}

}  // namespace

ProcessEnd run_process(const std::filesystem::path& executable,
                       const std::vector<std::string>& arguments) {
  Pipe output, errors;
  Child child(executable, arguments, output, errors);
  output.close_writer();
  errors.close_writer();
  ProcessEnd end;
  std::array<pollfd, 2> streams{pollfd{output.reader(), POLLIN, 0},
                                pollfd{errors.reader(), POLLIN, 0}};
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    check_interrupt();
    if (poll(streams.data(), streams.size(), kPollMilliseconds) <= 0) continue;
    // A negative descriptor is left out by poll.
    if (streams[0].revents != 0 && !read_some(output.reader(), end.output, std::string::npos))
      streams[0].fd = -1;
    if (streams[1].revents != 0 && !read_some(errors.reader(), end.errors, kMostErrors))
      streams[1].fd = -1;
  }
  end.exit_status = child.wait();
  return end;
}

}  // namespace ingot::bench
