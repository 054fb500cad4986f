// SPDX-License-Identifier: Apache-2.0
#include "verify/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/error.h"
#include "base/interrupt.h"

extern char** environ;

namespace ingot::verify {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

/// A started child; killed and reaped by the destructor when nothing else has.
class Child {
 public:
  Child(const std::filesystem::path& executable, const std::vector<std::string>& arguments,
        int output) {
    std::vector<std::string> words{executable.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int problem =
        posix_spawn(&pid_, executable.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (problem != 0) {
      throw Error(Code::kEnvironment, fmt::format("'{}' cannot be started: {}", executable.string(),
                                                  std::strerror(problem)));
    }
  }
  ~Child() {
    if (pid_ <= 0) return;
    kill();
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void kill() const { ::kill(pid_, SIGKILL); }
  /// True when it has ended; `status` as waitpid gives it.
  bool ended(int& status) {
    if (waitpid(pid_, &status, WNOHANG) != pid_) return false;
    pid_ = -1;
    return true;
  }

 private:
  pid_t pid_ = -1;
};

/// What the child has said so far, and when.
class Signs {
 public:
  explicit Signs(Clock::time_point start) : start_(start), last_(start) {}

  void heard() {
    const double gap = seconds_since(last_);
    if (first_ < 0) {
      first_ = gap;
    } else {
      longest_ = std::max(longest_, gap);
    }
    last_ = Clock::now();
  }
  double left(const Deadlines& deadlines) const {
    if (!deadlines.renewed || first_ < 0) return deadlines.first_seconds - seconds_since(start_);
    return deadlines.next_seconds - seconds_since(last_);
  }
  double first() const { return first_; }
  double longest() const { return longest_; }

 private:
  Clock::time_point start_, last_;
  double first_ = -1, longest_ = 0;
};

/// Waits up to `milliseconds` for output; false once the pipe is closed.
bool wait_for_output(int fd, int milliseconds, Signs& signs) {
  pollfd entry{fd, POLLIN, 0};
  if (poll(&entry, 1, milliseconds) <= 0) return true;
  std::array<char, 4096> bytes;
  const ssize_t count = read(fd, bytes.data(), bytes.size());
  if (count > 0) signs.heard();
  return count > 0 || (count < 0 && errno == EINTR);
}

}  // namespace

ChildEnd run_child(const std::filesystem::path& executable,
                   const std::vector<std::string>& arguments, const Deadlines& deadlines) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw Error(Code::kEnvironment, fmt::format("a pipe cannot be made: {}", std::strerror(errno)));
  }
  Descriptor reader(ends[0]), writer(ends[1]);
  const auto start = Clock::now();
  Child child(executable, arguments, writer.get());
  writer.close();
  Signs signs(start);
  ChildEnd end;
  int status = 0;
  for (bool open = true; !child.ended(status);) {
    check_interrupt();
    if (signs.left(deadlines) <= 0 && end.how != ChildEnd::How::kTimedOut) {
      end.how = ChildEnd::How::kTimedOut;
      child.kill();
    }
    if (open) {
      open = wait_for_output(reader.get(), 20, signs);
    } else {
      poll(nullptr, 0, 1);  // the pipe closes just before the process ends
    }
  }
  end.seconds = seconds_since(start);
  end.first_seconds = signs.first() < 0 ? end.seconds : signs.first();
  end.longest_seconds = signs.longest();
  if (end.how == ChildEnd::How::kTimedOut) return end;
  const bool killed = WIFSIGNALED(status);
  end.how = killed ? ChildEnd::How::kKilledBySignal : ChildEnd::How::kExited;
  end.status = killed ? WTERMSIG(status) : WEXITSTATUS(status);
  return end;
}

std::string describe(const ChildEnd& end) {
  if (end.how == ChildEnd::How::kKilledBySignal)
    return fmt::format("signal {} ({})", end.status, strsignal(end.status));
  return fmt::format("exit code {}", end.status);
}

}  // namespace ingot::verify
