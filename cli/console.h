// SPDX-License-Identifier: Apache-2.0
// The Reporter of a person at a terminal, or of a log: messages, warnings and progress on standard
// error.
#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/reporter.h"

namespace ingot::cli {

struct ConsoleOptions {
  bool terminal = false;  ///< redraw one progress line; otherwise whole lines now and then
  bool color = false;
  bool quiet = false;  ///< no infos, no progress; warnings stay
  std::function<std::chrono::steady_clock::time_point()> clock = std::chrono::steady_clock::now;
};

/// Safe to call from several threads.
class ConsoleReporter : public Reporter {
 public:
  ConsoleReporter(std::ostream& err, ConsoleOptions options);
  ~ConsoleReporter() override;

  void info(std::string_view message) override;
  /// Shown when it first comes; the same text again is only counted.
  void warn(std::string_view message) override;
  /// On a terminal redrawn at most 10 times a second and gone when `done` reaches `total`; else one
  /// line every 10 seconds, the first 10 seconds after the job began.
  void progress(std::string_view what, std::size_t done, std::size_t total) override;

  /// Removes a progress line; call before anything else is written to the terminal.
  void clear_line();
  /// Repeats the warnings with their counts, unless the only one is the last line on the screen.
  void summarize();
  std::size_t warning_count() const;

 private:
  struct Warning {
    std::string message;
    std::size_t count;
  };

  void write_line(std::string_view message);
  void clear_line_locked();
  void show(std::string_view what, std::size_t done, std::size_t total);
  std::string label() const;

  std::ostream& err_;
  const ConsoleOptions options_;
  mutable std::mutex mutex_;
  std::vector<Warning> warnings_;
  bool line_after_warning_ = false;
  std::string job_;
  std::chrono::steady_clock::time_point last_shown_{};
  bool line_drawn_ = false;
};

}  // namespace ingot::cli
