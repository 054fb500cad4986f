// SPDX-License-Identifier: Apache-2.0
#include "pipeline/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "bench/gate.h"
#include "bench/measure.h"
#include "converters/convert.h"
#include "manifests/check_report.h"
#include "pipeline/bundle_parts.h"
#include "pipeline/evaluation.h"
#include "pipeline/previous_bundle.h"
#include "pipeline/report.h"
#include "quant/quantize.h"

namespace ingot::pipeline {
namespace {

namespace fs = std::filesystem;

/// A model's time to load and run in a check; a build waits longer than a person at a prompt does.
constexpr double kCheckSeconds = 20;
constexpr int kBenchThreads = 1;  ///< what ratios are stated for

/// The folder for intermediate files: the one asked for, or a temporary one on the output's disk.
class WorkFolder {
 public:
  WorkFolder(const fs::path& asked, const fs::path& output) {
    if (asked.empty()) {
      path_ = temporary_.emplace(existing_folder_above(output)).path();
      return;
    }
    if (fs::exists(asked) && !(fs::is_directory(asked) && fs::is_empty(asked)))
      throw Error(Code::kUsage, fmt::format("the work folder '{}' is not empty", asked.string()),
                  "name a new folder");
    std::error_code problem;
    fs::create_directories(asked, problem);
    if (problem) throw_errno("cannot make the folder", asked, problem.value());
    path_ = asked;
  }
  const fs::path& path() const { return path_; }

 private:
  static fs::path existing_folder_above(const fs::path& output) {
    fs::path folder = fs::absolute(output).parent_path();
    while (!fs::is_directory(folder) && folder.has_relative_path()) folder = folder.parent_path();
    return folder;
  }

  std::optional<TempDir> temporary_;
  fs::path path_;
};

void make_folder_around(const fs::path& output) {
  const fs::path folder = fs::absolute(output).parent_path();
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) throw_errno("cannot make the folder", folder, problem.value());
}

/// Values for the gate out of one output's row. What could not be compared counts as NaN, which no
/// limit holds.
void add_measured(const verify::OutputRow& row, std::vector<bench::Measured>& measured) {
  const std::string source = fmt::format("output '{}' over {} samples", row.output, row.samples);
  for (const verify::MetricValue& metric : row.metrics) {
    const bool usable = row.comparable();
    measured.push_back({std::string(metric.metric->name),
                        usable ? metric.value : std::numeric_limits<double>::quiet_NaN(),
                        usable ? source : source + ", not comparable"});
  }
}

double ratio(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

/// One build from start to verdict: each stage one function, in the order of run().
class Job {
 public:
  Job(const Project& project, const BuildOptions& options, Fingerprint made_from,
      Reporter& reporter)
      : project_(project),
        options_(options),
        reporter_(reporter),
        work_(options.work, project.output) {
    report_.name = project.name;
    report_.version = project.version;
    report_.scheme = project.scheme;
    report_.made_from = std::move(made_from);
  }

  Report run() {
    const bool is_made = stage("convert", &Job::convert) && stage("quantize", &Job::quantize);
    if (is_made) stage("verify", &Job::verify) && stage("bench", &Job::measure);
    const bool holds = stage("gate", &Job::gate) && is_made;
    report_.accepted = holds;
    if (!holds) return std::move(report_);
    // From here on nothing is measured: the report is final but for the bundle that it goes into.
    report_.verdict = "every limit holds";
    stage("pack", &Job::pack);
    stage("check", &Job::check);
    return std::move(report_);
  }

 private:
  /// Runs one stage and notes its time. False: the answer is no, and `verdict` says why.
  bool stage(const char* name, bool (Job::*body)()) {
    check_interrupt();
    reporter_.info(fmt::format("{}: stage {}", project_.name, name));
    const auto start = std::chrono::steady_clock::now();
    const bool goes_on = with_context(
        [&] { return fmt::format("in stage '{}' of '{}'", name, project_.file.string()); },
        [&] { return (this->*body)(); });
    report_.stages.push_back(
        {name, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()});
    return goes_on;
  }

  bool refuse(std::string why) {
    report_.verdict = std::move(why);
    return false;
  }

  fs::path converted() const { return work_.path() / "converted.onnx"; }
  fs::path quantized() const { return work_.path() / "model.onnx"; }

  bool convert() {
    converters::ConvertOptions options;
    options.input = project_.source;
    options.output = converted();
    options.check_seconds = kCheckSeconds;
    options.data = {project_.calibration};
    options.runtime = options_.runtime;
    options.executable = options_.executable;
    options.threads = options_.threads;
    const converters::ConvertReport converted = converters::convert(options, reporter_);
    report_.original_bytes = converted.bytes_before;
    report_.converted_bytes = converted.bytes_after;
    return converted.written || refuse("convert: " + converted.verdict);
  }

  bool quantize() {
    quant::Options options;
    options.input = converted();
    options.output = quantized();
    options.scheme = project_.scheme;
    options.runtime = options_.runtime;
    options.executable = options_.executable;
    options.data = {project_.calibration};
    options.max_samples = project_.samples;
    options.calibration = project_.ranges;
    options.keep = project_.keep;
    options.minimums = project_.minimums;
    options.search = project_.search;
    options.evaluations = project_.evaluations;
    options.check_seconds = kCheckSeconds;
    options.threads = options_.threads;
    const quant::Report quantized = quant::quantize(options, reporter_);
    take_over(quantized);
    return quantized.written || refuse("quantize: " + quantized.verdict);
  }

  void take_over(const quant::Report& quantized) {
    plan_text_ = quant::plan_to_json(quantized.plan);
    report_.plan_sha256 = sha256_hex(plan_text_);
    report_.runtime_version = quantized.runtime_version;
    report_.quantized_bytes = quantized.bytes_after;
    report_.calibration_samples = quantized.plan.samples;
    report_.nodes = quantized.plan.nodes.size();
    for (const quant::NodePlan& node : quantized.plan.nodes) {
      report_.candidates += node.weight.empty() ? 0 : 1;
      report_.quantized_nodes += node.form != quant::Form::kFloat ? 1 : 0;
    }
    report_.kept = kept_of(quantized.plan);
    report_.red_line = quantized.judged;
  }

  bool verify() {
    report_.evaluation = evaluate({project_.source, converted(), quantized(), options_.runtime,
                                   project_.evaluation, options_.threads},
                                  reporter_);
    return true;
  }

  bool measure() {
    bench::Options options;
    options.runner = options_.runner;
    options.data = {project_.evaluation};
    options.runs = options_.bench_runs;
    options.processes = options_.bench_processes;
    options.threads = kBenchThreads;
    options.reporter = &reporter_;
    report_.bench =
        bench::compare({{}, project_.source, options_.runtime, report_.original_bytes},
                       {{}, quantized(), options_.runtime, report_.quantized_bytes}, options);
    return true;
  }

  std::vector<bench::Measured> measured_values() const {
    std::vector<bench::Measured> measured;
    if (report_.evaluation) {
      for (const verify::OutputRow& row : report_.evaluation->quantized)
        add_measured(row, measured);
    }
    if (!report_.bench) return measured;
    for (bench::Measured& value : bench::measured_values(report_.bench->candidate))
      measured.push_back(std::move(value));
    measured.push_back({"size.ratio", ratio(report_.quantized_bytes, report_.original_bytes),
                        "quantized / original"});
    measured.push_back(
        {"latency.ratio", report_.bench->latency_ratio,
         fmt::format("median of {} pairs of processes", report_.bench->ratio_of_pairs.size())});
    return measured;
  }

  bool gate() {
    report_.gate = bench::judge(project_.limits, measured_values());
    if (bench::holds(report_.gate)) return true;
    if (!report_.verdict.empty()) return false;  // an earlier stage has refused, and said why
    const auto failed = std::count_if(report_.gate.begin(), report_.gate.end(),
                                      [](const bench::GateRow& row) { return !row.holds; });
    return refuse(fmt::format("gate: {} of {} limits do not hold; nothing was packed", failed,
                              report_.gate.size()));
  }

  bool pack() {
    manifests::PackOptions options = model_parts(quantized());
    options.destination = project_.output;
    options.overwrite = options_.overwrite;
    options.name = project_.name;
    options.version = project_.version;
    options.model.license = project_.license;
    options.model.source_sha256 = sha256_file(project_.source);
    options.model.quantization = manifests::Quantization{project_.scheme, report_.plan_sha256};
    options.runtimes = {options_.runtime};
    if (project_.evaluation.extension() == ".toml")
      options.preprocess = preprocess_parts(project_.evaluation);
    options.extra = {{std::string(kReportJson), {}, report_json(report_)},
                     {std::string(kReportText), {}, report_text(report_)},
                     {std::string(kReportPlan), {}, plan_text_}};
    for (const ExtraFile& file : project_.files)
      options.extra.push_back({file.name, file.source, ""});
    make_folder_around(project_.output);
    const manifests::PackResult packed = manifests::pack(options);
    report_.bundle = PackedBundle{project_.output.string(), packed.bundle_id,
                                  packed.files.size() + 1, packed.total_bytes};
    return true;
  }

  bool check() {
    const manifests::CheckReport checked =
        manifests::check_bundle(project_.output, options_.threads);
    if (checked.findings.empty()) return true;
    throw Error(
        Code::kEnvironment,
        fmt::format("'{}' does not read back as it was written: {}", project_.output.string(),
                    manifests::to_string(checked.findings.front())),
        "look after the disk, then build again with --force");
  }

  const Project& project_;
  const BuildOptions& options_;
  Reporter& reporter_;
  WorkFolder work_;
  Report report_;
  std::string plan_text_;
};

}  // namespace

BuildResult build(const Project& project, const BuildOptions& options, Reporter& reporter) {
  Fingerprint made_from = fingerprint(project, options.runtime, options.ingot_version);
  if (options.overwrite == Overwrite::kYes) {
    require_replaceable(project.output);
  } else if (const auto previous = find_previous(project.output, made_from)) {
    return {true, true, previous->text + bundle_text(previous->bundle),
            with_bundle(previous->json, previous->bundle)};
  }
  const Report report = Job(project, options, std::move(made_from), reporter).run();
  return {report.accepted, false, report_text(report), report_json(report)};
}

}  // namespace ingot::pipeline
