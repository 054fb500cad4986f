// SPDX-License-Identifier: Apache-2.0
// How libraries talk while they work: they never print, exit or read the environment.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ingot {

class Reporter {
 public:
  virtual ~Reporter() = default;
  virtual void info(std::string_view message) = 0;
  /// Counted, deduplicated and repeated in the summary by the console; `--warnings-as-errors` turns
  /// any into exit 1.
  virtual void warn(std::string_view message) = 0;
  /// A long job: `done` of `total` steps of `what` ("calibrating"). Redrawn on a terminal only.
  virtual void progress(std::string_view what, std::size_t done, std::size_t total) = 0;
};

/// Keeps everything it is told; for tests and for callers that decide later what to show.
class RecordingReporter : public Reporter {
 public:
  void info(std::string_view message) override { infos.emplace_back(message); }
  void warn(std::string_view message) override { warnings.emplace_back(message); }
  void progress(std::string_view, std::size_t, std::size_t) override {}

  std::vector<std::string> infos, warnings;
};

}  // namespace ingot
