// SPDX-License-Identifier: Apache-2.0
// `ingot bench`: what a model costs on this machine, each measurement in a fresh ingot-run process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/reporter.h"
#include "bench/run_document.h"

namespace ingot::bench {

/// What is measured: a bundle, or a plain model with the runtime library it runs in.
struct Subject {
  std::filesystem::path bundle;          ///< a bundle's folder; empty: `model` and `runtime`
  std::filesystem::path model, runtime;  ///< used when `bundle` is empty
  std::uint64_t size_bytes = 0;          ///< of the model with its weights: for the report
};

struct Options {
  std::filesystem::path runner;  ///< the ingot-run binary
  std::vector<std::filesystem::path>
      data;           ///< as --data names it; empty = what ingot-run generates
  int runs = 50;      ///< measured inferences per process, at least 1
  int warmup = 3;     ///< inferences before them, after the first
  int threads = 1;    ///< intra-op; 0 = as the bundle says, for a plain model all processors
  int processes = 3;  ///< fresh processes, at least 1
  Reporter* reporter = nullptr;  ///< progress; may be null
};

/// One subject measured. Latencies of all processes are pooled; load, first and the like are
/// medians over the processes; memory is the largest. Seconds and bytes.
struct Result {
  std::string subject;  ///< path of the bundle or model
  std::string bundle_id, runtime_version, inputs;
  bool verified = false;
  int threads = 0, processes = 0;
  std::int64_t samples = 0, warmup = 0, runs = 0;  ///< runs: pooled, over all processes
  std::uint64_t size_bytes = 0;
  double latency_p50 = 0, latency_p95 = 0, latency_least = 0, latency_mean = 0;
  double decode_p50 = 0, preprocess_p50 = 0;  ///< per run, not part of any latency
  double verify = 0, runtime_load = 0, load = 0, first = 0, cold_start = 0;
  std::uint64_t peak_bytes = 0;
  std::vector<double> p50_of_processes;  ///< in the order they ran
};

/// Two subjects, their processes interleaved A B A B.
struct Comparison {
  Result reference, candidate;
  double latency_ratio =
      0;  ///< median over the pairs of processes of P50 of the candidate / P50 of the reference
  std::vector<double> ratio_of_pairs;
};

/// Throws kUsage for numbers out of range, kEnvironment when ingot-run is missing, whatever
/// ingot-run reports (same code and message) when it fails, kInterrupted.
Result measure(const Subject& subject, const Options& options);
Comparison compare(const Subject& reference, const Subject& candidate, const Options& options);

/// The statistics of one subject's processes (at least one); measure() and compare() are this over
/// what ran.
Result summarize(const Subject& subject, const std::vector<RunDocument>& processes);

/// The ingot-run beside `executable` (the ingot binary). Throws kEnvironment naming the place when
/// it is not there.
std::filesystem::path find_runner(const std::filesystem::path& executable);

/// {"schema":"ingot.bench","schema_version":1, …}; times as numbers in seconds, sizes in bytes.
std::string result_json(const Result& result);

}  // namespace ingot::bench
