// SPDX-License-Identifier: Apache-2.0
#include "bench/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/json.h"
#include "bench/process.h"
#include "bench/statistics.h"

namespace ingot::bench {
namespace {

void require_positive(const char* what, int value, int least) {
  if (value >= least) return;
  throw Error(Code::kUsage, fmt::format("{} is {}; wanted at least {}", what, value, least));
}

void require_usable(const Options& options) {
  require_positive("the number of runs", options.runs, 1);
  require_positive("the number of warm-up runs", options.warmup, 0);
  require_positive("the number of threads", options.threads, 0);
  require_positive("the number of processes", options.processes, 1);
}

RunDocument run_once(const Subject& subject, const Options& options) {
  std::vector<std::string> arguments{"bench"};
  if (!subject.bundle.empty()) {
    arguments.push_back(subject.bundle.string());
  } else {
    arguments.insert(arguments.end(),
                     {"--model", subject.model.string(), "--runtime", subject.runtime.string()});
  }
  arguments.insert(arguments.end(), {"--runs", std::to_string(options.runs), "--warmup",
                                     std::to_string(options.warmup), "--json"});
  if (options.threads > 0)
    arguments.insert(arguments.end(), {"--threads", std::to_string(options.threads)});
  if (!options.data.empty()) arguments.emplace_back("--data");
  for (const std::filesystem::path& path : options.data) arguments.push_back(path.string());
  const ProcessEnd end = run_process(options.runner, arguments);
  const std::string source = options.runner.filename().string() + " bench";
  if (end.exit_status != 0) throw_run_error(end.output, end.errors, end.exit_status, source);
  return parse_run_document(end.output, source);
}

void tell(const Options& options, int done, int total) {
  if (options.reporter != nullptr)
    options.reporter->progress("measuring", static_cast<std::size_t>(done),
                               static_cast<std::size_t>(total));
}

/// The median over the processes of one of their times.
double median_of(const std::vector<RunDocument>& processes, double RunDocument::* time) {
  std::vector<double> values;
  for (const RunDocument& process : processes) values.push_back(process.*time);
  return median(values);
}

std::vector<double> pooled(const std::vector<RunDocument>& processes,
                           std::vector<double> RunDocument::* times) {
  std::vector<double> values;
  for (const RunDocument& process : processes)
    values.insert(values.end(), (process.*times).begin(), (process.*times).end());
  return values;
}

double median_or_zero(const std::vector<double>& values) {
  return values.empty() ? 0 : median(values);
}

}  // namespace

Result summarize(const Subject& subject, const std::vector<RunDocument>& processes) {
  INGOT_CHECK(!processes.empty());
  const RunDocument& any = processes.front();
  Result result;
  result.subject = (subject.bundle.empty() ? subject.model : subject.bundle).string();
  result.size_bytes = subject.size_bytes;
  result.bundle_id = any.bundle_id;
  result.runtime_version = any.runtime_version;
  result.inputs = any.inputs;
  result.verified = any.verified;
  result.threads = any.threads;
  result.samples = any.samples;
  result.warmup = any.warmup;
  result.processes = static_cast<int>(processes.size());
  const std::vector<double> latencies = pooled(processes, &RunDocument::latency_seconds);
  result.runs = static_cast<std::int64_t>(latencies.size());
  result.latency_p50 = median(latencies);
  result.latency_p95 = quantile(latencies, 0.95);
  result.latency_least = *std::min_element(latencies.begin(), latencies.end());
  result.latency_mean = std::accumulate(latencies.begin(), latencies.end(), 0.0) /
                        static_cast<double>(latencies.size());
  result.decode_p50 = median_or_zero(pooled(processes, &RunDocument::decode_seconds));
  result.preprocess_p50 = median_or_zero(pooled(processes, &RunDocument::preprocess_seconds));
  result.verify = median_of(processes, &RunDocument::verify_seconds);
  result.runtime_load = median_of(processes, &RunDocument::runtime_load_seconds);
  result.load = median_of(processes, &RunDocument::load_seconds);
  result.first = median_of(processes, &RunDocument::first_seconds);
  result.cold_start = median_of(processes, &RunDocument::cold_start_seconds);
  for (const RunDocument& process : processes) {
    result.peak_bytes = std::max(result.peak_bytes, process.peak_bytes);
    result.p50_of_processes.push_back(median(process.latency_seconds));
  }
  return result;
}

Result measure(const Subject& subject, const Options& options) {
  require_usable(options);
  std::vector<RunDocument> processes;
  for (int i = 0; i < options.processes; ++i) {
    tell(options, i, options.processes);
    processes.push_back(run_once(subject, options));
  }
  tell(options, options.processes, options.processes);
  return summarize(subject, processes);
}

Comparison compare(const Subject& reference, const Subject& candidate, const Options& options) {
  require_usable(options);
  std::vector<RunDocument> of_reference, of_candidate;
  for (int i = 0; i < options.processes; ++i) {
    tell(options, 2 * i, 2 * options.processes);
    of_reference.push_back(run_once(reference, options));
    tell(options, 2 * i + 1, 2 * options.processes);
    of_candidate.push_back(run_once(candidate, options));
  }
  tell(options, 2 * options.processes, 2 * options.processes);
  Comparison comparison;
  comparison.reference = summarize(reference, of_reference);
  comparison.candidate = summarize(candidate, of_candidate);
  const std::vector<double>& a = comparison.reference.p50_of_processes;
  const std::vector<double>& b = comparison.candidate.p50_of_processes;
  comparison.latency_ratio = median_of_ratios(b, a);
  for (std::size_t i = 0; i < a.size(); ++i) comparison.ratio_of_pairs.push_back(b[i] / a[i]);
  return comparison;
}

std::filesystem::path find_runner(const std::filesystem::path& executable) {
  const std::filesystem::path runner = executable.parent_path() / "ingot-run";
  if (std::filesystem::is_regular_file(runner)) return runner;
  throw Error(
      Code::kEnvironment,
      fmt::format("'{}' is missing: every measurement runs in a fresh ingot-run", runner.string()),
      "ingot looks for ingot-run beside itself");
}

std::string result_json(const Result& result) {
  const OrderedJson bundle =
      result.bundle_id.empty() ? OrderedJson() : OrderedJson(result.bundle_id);
  return OrderedJson{{"schema", "ingot.bench"},
                     {"schema_version", 1},
                     {"subject", result.subject},
                     {"bundle_id", bundle},
                     {"verified", result.verified},
                     {"runtime_version", result.runtime_version},
                     {"threads", result.threads},
                     {"processes", result.processes},
                     {"runs", result.runs},
                     {"warmup", result.warmup},
                     {"inputs", result.inputs},
                     {"samples", result.samples},
                     {"size_bytes", result.size_bytes},
                     {"memory_peak_bytes", result.peak_bytes},
                     {"verify_seconds", result.verify},
                     {"runtime_load_seconds", result.runtime_load},
                     {"load_seconds", result.load},
                     {"first_seconds", result.first},
                     {"cold_start_seconds", result.cold_start},
                     {"latency_seconds",
                      {{"p50", result.latency_p50},
                       {"p95", result.latency_p95},
                       {"least", result.latency_least},
                       {"mean", result.latency_mean},
                       {"p50_of_processes", result.p50_of_processes}}},
                     {"decode_seconds", {{"p50", result.decode_p50}}},
                     {"preprocess_seconds", {{"p50", result.preprocess_p50}}}}
             .dump(2, ' ', false, OrderedJson::error_handler_t::replace) +
         "\n";
}

}  // namespace ingot::bench
