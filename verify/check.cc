// SPDX-License-Identifier: Apache-2.0
// The parent of the check in the runtime: starts the children, and turns every way they can end
// into an outcome.
#include "verify/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "verify/check_messages.h"
#include "verify/child_process.h"
#include "verify/tolerance.h"

namespace ingot::verify {
namespace {

constexpr double kResultFactor = 10, kResultLeastSeconds = 5, kResultMostSeconds = 60;
constexpr std::uint64_t kBaseMemory = std::uint64_t{512} << 20, kMemoryPerByte = 4;

std::uint64_t file_bytes(const std::filesystem::path& path) {
  std::error_code problem;
  const auto size = std::filesystem::file_size(path, problem);
  return problem ? 0 : size;
}

double allowed(double original_seconds) {
  return std::clamp(kResultFactor * original_seconds, kResultLeastSeconds, kResultMostSeconds);
}

/// A result may be this many times as far from the original as the original is from itself.
constexpr double kNoiseFactor = 4;
/// And no further: where the runtime alone moves more than this, nothing can be told.
constexpr double kMostNoise = 0.1;

/// One child and what came of it.
struct ChildRun {
  ChildEnd end;
  std::optional<CheckAnswer> answer;
};

class Check {
 public:
  Check(const std::filesystem::path& original, const std::filesystem::path& result,
        const CheckOptions& options)
      : original_(original), result_(result), options_(options) {
    outcome_.generated = options.data.empty();
  }

  CheckResult run() {
    const std::uint64_t bytes =
        options_.model_bytes > 0 ? options_.model_bytes : file_bytes(original_);
    if (bytes > options_.max_bytes) {
      return not_checked(fmt::format("the model has {}, more than the {} up to which it is checked",
                                     format_bytes(bytes), format_bytes(options_.max_bytes)));
    }
    memory_bytes_ = kBaseMemory + kMemoryPerByte * std::max(bytes, file_bytes(result_));
    const ChildRun first = run_child_on(CheckRole::kOriginal,
                                        {options_.seconds, options_.seconds, !outcome_.generated});
    outcome_.original_seconds = first.end.seconds;
    if (!usable(first)) return outcome_;
    const double second_limit =
        allowed(outcome_.generated ? first.end.seconds : first.end.first_seconds);
    const ChildRun second =
        run_child_on(CheckRole::kResult,
                     {second_limit, allowed(first.end.longest_seconds), !outcome_.generated});
    outcome_.result_seconds = second.end.seconds;
    judge(second, second_limit);
    if (outcome_.outcome == CheckOutcome::kDiffers && has_same_ports_ && options_.limits.empty()) {
      excuse_noise(run_child_on(
          CheckRole::kResult,
          {second_limit, allowed(first.end.longest_seconds), !outcome_.generated}, true));
    }
    return outcome_;
  }

 private:
  CheckResult not_checked(std::string reason) {
    outcome_.outcome = CheckOutcome::kNotChecked;
    outcome_.reason = std::move(reason);
    return outcome_;
  }
  CheckResult broken(std::string reason) {
    outcome_.outcome = CheckOutcome::kBroken;
    outcome_.reason = std::move(reason);
    return outcome_;
  }

  /// `plain`: the original once more, without the runtime's optimisations, as if it were a result.
  ChildRun run_child_on(CheckRole role, const Deadlines& deadlines, bool plain = false) {
    CheckRequest request;
    request.role = role;
    request.runtime = options_.runtime;
    request.model = role == CheckRole::kOriginal || plain ? original_ : result_;
    request.data = options_.data;
    request.max_samples = options_.max_samples;
    request.threads = options_.threads;
    request.seed = options_.seed;
    request.optimization = plain ? runtime::Optimization::kNone : options_.optimization;
    request.seconds = options_.seconds;
    request.memory_bytes = memory_bytes_;
    request.records = folder_.path() / "records";
    const char* name = plain ? "plain" : role == CheckRole::kOriginal ? "original" : "result";
    request.answer = folder_.path() / fmt::format("{}.answer", name);
    const auto request_path = folder_.path() / fmt::format("{}.request", name);
    write_request(request_path, request);
    ChildRun run{
        run_child(options_.executable, {"__check-child", request_path.string()}, deadlines), {}};
    if (run.end.how == ChildEnd::How::kExited && std::filesystem::exists(request.answer))
      run.answer = read_answer(request.answer);
    return run;
  }

  /// Errors that are neither model's fault end the command.
  static void throw_if_ours(const CheckAnswer& answer) {
    if (answer.done) return;
    if (answer.stage == "data" || answer.stage == "library" || answer.code == Code::kInternal ||
        answer.code == Code::kInterrupted) {
      throw Error(answer.code, answer.message, answer.hint);
    }
  }

  static std::string failure(const CheckAnswer& answer) {
    return fmt::format("does not {}: {}", answer.stage == "load" ? "load" : "run", answer.message);
  }

  /// Whether the original's run says anything; sets the outcome when it does not.
  bool usable(const ChildRun& run) {
    if (run.end.how == ChildEnd::How::kTimedOut) {
      not_checked(fmt::format("the original did not load and run within {} s",
                              format_number(options_.seconds)));
    } else if (!run.answer) {
      not_checked(fmt::format("the runtime ended by {} on the original", describe(run.end)));
    } else if (throw_if_ours(*run.answer); !run.answer->done) {
      not_checked("the original " + failure(*run.answer));
    } else if (!run.answer->complaint.empty()) {
      not_checked("the original does not repeat itself: " + run.answer->complaint);
    } else {
      outcome_.notes = run.answer->notes;
      return true;
    }
    return false;
  }

  void judge(const ChildRun& run, double limit_seconds) {
    if (run.end.how == ChildEnd::How::kTimedOut) {
      broken(fmt::format("the result did not load and run within {}, the original took {}",
                         format_seconds(limit_seconds), format_seconds(outcome_.original_seconds)));
    } else if (!run.answer) {
      broken(fmt::format("the runtime ended by {} on the result", describe(run.end)));
    } else if (throw_if_ours(*run.answer); !run.answer->done) {
      broken("the result " + failure(*run.answer));
    } else {
      accept(*run.answer);
    }
  }

  void accept(const CheckAnswer& answer) {
    const auto limits = options_.limits.empty() ? default_tolerance() : options_.limits;
    outcome_.samples = answer.samples;
    outcome_.rows = answer.rows;
    outcome_.violations = answer.violations;
    has_same_ports_ = answer.violations.empty();
    outcome_.notes.insert(outcome_.notes.end(), answer.notes.begin(), answer.notes.end());
    for (std::string& violation : violations(outcome_.rows, limits))
      outcome_.violations.push_back(std::move(violation));
    outcome_.outcome = outcome_.violations.empty() ? CheckOutcome::kSame : CheckOutcome::kDiffers;
  }

  /// Where the values are tiny, as behind a Sigmoid that says "nothing", the runtime's own
  /// optimisations move them by more than the tolerance: an output is then held to `plain`, what
  /// the original differs from itself without them.
  void excuse_noise(const ChildRun& plain) {
    if (!plain.answer || !plain.answer->done) return;
    std::vector<std::string> notes;
    for (const OutputRow& row : outcome_.rows) {
      auto limits = default_tolerance();
      const auto own = std::ranges::find(plain.answer->rows, row.output, &OutputRow::output);
      if (own == plain.answer->rows.end()) return;
      for (metrics::Limit& limit : limits) {
        const double own_error = own->value(limit.metric->name).value_or(0);
        const double noise = std::min(kNoiseFactor * own_error, kMostNoise);
        if (noise <= limit.value || !row.value(limit.metric->name)) continue;
        limit.value = noise;
        notes.push_back(fmt::format(
            "output '{}' was held to {}: the runtime's own optimisations alone move it by {}",
            row.output, limit.text(), format_number(own_error)));
      }
      if (!violations(row, limits).empty()) return;
    }
    outcome_.violations.clear();
    outcome_.outcome = CheckOutcome::kSame;
    outcome_.notes.insert(outcome_.notes.end(), notes.begin(), notes.end());
  }

  const std::filesystem::path &original_, &result_;
  const CheckOptions& options_;
  TempDir folder_;
  std::uint64_t memory_bytes_ = 0;
  bool has_same_ports_ = false;
  CheckResult outcome_;
};

}  // namespace

CheckResult check_in_runtime(const std::filesystem::path& original,
                             const std::filesystem::path& result, const CheckOptions& options) {
  return Check(original, result, options).run();
}

std::string_view outcome_name(CheckOutcome outcome) {
  switch (outcome) {
    case CheckOutcome::kSame:
      return "same";
    case CheckOutcome::kDiffers:
      return "differs";
    case CheckOutcome::kNotChecked:
      return "not checked";
    case CheckOutcome::kBroken:
      break;
  }
  return "broken";
}

}  // namespace ingot::verify
