// SPDX-License-Identifier: Apache-2.0
#include "cli/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <ostream>

namespace ingot::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kRedraw{100};
constexpr seconds kPlainLine{10};

}  // namespace

ConsoleReporter::ConsoleReporter(std::ostream& err, ConsoleOptions options)
    : err_(err), options_(std::move(options)) {}

ConsoleReporter::~ConsoleReporter() { clear_line(); }

void ConsoleReporter::info(std::string_view message) {
  if (options_.quiet) return;
  const std::lock_guard lock(mutex_);
  write_line(message);
}

void ConsoleReporter::warn(std::string_view message) {
  const std::lock_guard lock(mutex_);
  const auto known = std::find_if(warnings_.begin(), warnings_.end(), [&](const Warning& warning) {
    return warning.message == message;
  });
  if (known != warnings_.end()) {
    ++known->count;
    return;
  }
  write_line(label() + std::string(message));
  line_after_warning_ = !warnings_.empty();
  warnings_.push_back({std::string(message), 1});
}

void ConsoleReporter::progress(std::string_view what, std::size_t done, std::size_t total) {
  if (options_.quiet) return;
  const std::lock_guard lock(mutex_);
  const auto now = options_.clock();
  if (job_ != what) {
    clear_line_locked();
    job_ = what;
    last_shown_ = options_.terminal ? now - kRedraw : now;
  }
  if (options_.terminal && done >= total) {
    clear_line_locked();
    job_.clear();
    return;
  }
  const auto wait = options_.terminal ? milliseconds(kRedraw) : milliseconds(kPlainLine);
  if (now - last_shown_ < wait) return;
  last_shown_ = now;
  show(what, done, total);
}

void ConsoleReporter::show(std::string_view what, std::size_t done, std::size_t total) {
  if (!options_.terminal) {
    write_line(fmt::format("{}: {} of {}", what, done, total));
    return;
  }
  err_ << fmt::format("\r\033[K{} {}/{}", what, done, total) << std::flush;
  line_drawn_ = true;
}

void ConsoleReporter::clear_line() {
  const std::lock_guard lock(mutex_);
  clear_line_locked();
}

void ConsoleReporter::clear_line_locked() {
  if (!line_drawn_) return;
  err_ << "\r\033[K" << std::flush;
  line_drawn_ = false;
}

void ConsoleReporter::write_line(std::string_view message) {
  clear_line_locked();
  err_ << message << '\n' << std::flush;
  line_after_warning_ = true;
}

std::string ConsoleReporter::label() const {
  return options_.color ? "\033[33mwarning:\033[0m " : "warning: ";
}

void ConsoleReporter::summarize() {
  const std::lock_guard lock(mutex_);
  clear_line_locked();
  const std::size_t total =
      std::accumulate(warnings_.begin(), warnings_.end(), std::size_t{0},
                      [](std::size_t sum, const Warning& warning) { return sum + warning.count; });
  if (total == 0 || (total == 1 && !line_after_warning_)) return;
  err_ << fmt::format("{} warning{}:\n", total, total == 1 ? "" : "s");
  for (const Warning& warning : warnings_) {
    err_ << "  " << warning.message
         << (warning.count > 1 ? fmt::format(" ({} times)", warning.count) : "") << '\n';
  }
  err_ << std::flush;
}

std::size_t ConsoleReporter::warning_count() const {
  const std::lock_guard lock(mutex_);
  return warnings_.size();
}

}  // namespace ingot::cli
