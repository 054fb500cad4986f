// SPDX-License-Identifier: Apache-2.0
#include "quant/quantize.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "converters/pipeline.h"
#include "converters/validate.h"
#include "quant/emit.h"
#include "quant/steps.h"
#include "quant/trial.h"
#include "verify/feeds.h"

namespace ingot::quant {
namespace {

constexpr std::size_t kFewSamples = 8;
constexpr std::size_t kCheckSamples =
    8;  ///< of the closing comparison, where no decision metric needs all
constexpr std::size_t kSearchSamples = 64;  ///< at most, for probes and trials

const Scheme& require_scheme(const Options& options) {
  const Scheme& scheme = find_scheme(options.scheme);
  if (scheme.needs_data && options.data.empty()) {
    throw Error(
        Code::kUsage,
        fmt::format("scheme {} is static: it needs calibration samples (--data)", scheme.name),
        "ingot never makes up calibration data");
  }
  return scheme;
}

/// The file with the external data it names, wherever that lies.
std::uint64_t bytes_on_disk(const graph::Model& model) {
  std::uint64_t bytes = std::filesystem::file_size(model.path());
  for (const auto& location : model.external_locations())
    bytes += std::filesystem::file_size(model.path().parent_path() / location);
  return bytes;
}

/// One quantization from start to verdict: each step one function, in the order of run().
class Job {
 public:
  Job(const Options& options, Reporter& reporter)
      : options_(options),
        scheme_(require_scheme(options)),
        reporter_(reporter),
        library_(runtime::Library::open(options.runtime)),
        model_(graph::Model::load(options.input)),
        red_line_(options.minimums) {}

  Report run() {
    clean();
    sites_ = find_sites(model_);
    if (!options_.data.empty()) open_data();
    make_plan();
    // From here on the plan decides; nothing else changes the model.
    std::filesystem::path candidate = emit_plan(report_.plan);
    close_comparison(candidate);
    if (must_search()) {
      search_plan();
      candidate = emit_plan(report_.plan);
      close_comparison(candidate);
    }
    // A refusal names the nodes that do most harm.
    if (below() && !options_.accept_loss) measure();
    publish();
    return std::move(report_);
  }

 private:
  void clean() {
    report_.input = options_.input.string();
    report_.output = options_.output.string();
    report_.scheme = options_.scheme;
    report_.runtime_version = library_->version();
    report_.bytes_before = bytes_on_disk(model_);
    converters::require_valid(converters::validate(model_, options_.budgets), report_.input);
    converters::clean(model_, {}, reporter_);
    // Everything is measured against the cleaned float model; the closing comparison alone uses the
    // file as it came.
    float_path_ = scratch_.path() / "float.onnx";
    model_.save(float_path_);
  }

  void open_data() {
    const runtime::Session session(library_, float_path_);
    data_ = data::Dataset::open(options_.data, verify::specs_of(verify::signature_of(session)),
                                options_.max_samples);
    if (!options_.allow_constant_data) data_->refuse_constant();
    if (data_->size() < kFewSamples) {
      reporter_.warn(fmt::format(
          "only {} calibration samples: ranges may not cover what comes; {} or more are better",
          data_->size(), kFewSamples));
    }
  }

  Workbench bench() const { return {library_, *data_, options_.threads, scratch_.path()}; }

  void make_plan() {
    PlainPlanInput input{scheme_, model_, sites_, {}, {}, options_.keep};
    if (data_) calibrate(input);
    report_.plan = plain_plan(input);
    report_.plan.source_sha256 = sha256_file(options_.input);
    if (data_) {
      if (scheme_.needs_data) report_.plan.calibration = calibration_name(options_.calibration);
      report_.plan.data_sha256 = data_->digest();
      report_.plan.samples = data_->size();
    }
    plain_ = report_.plan;
  }

  void calibrate(PlainPlanInput& input) {
    if (!scheme_.needs_data) return;
    reporter_.progress("calibrating", 0, data_->size());
    const Observations observations = observe(model_, tensors_to_observe(sites_), bench());
    for (const auto& [tensor, observer] : observations) {
      input.output_elements[tensor] = observer.count();
      if (observer.not_finite() == 0) continue;
      reporter_.warn(
          fmt::format("activation '{}' held {} NaN or infinite values in calibration; they were "
                      "left out of its range",
                      tensor, observer.not_finite()));
    }
    input.ranges = ranges_of(observations, options_.calibration);
  }

  /// Writes the model that `plan` describes to the scratch folder, and completes the plan's
  /// figures.
  std::filesystem::path emit_plan(Plan& plan) {
    emitted_.emplace(model_.clone());
    emit(*emitted_, find_sites(*emitted_), plan);
    const std::filesystem::path path = scratch_.path() / "candidate.onnx";
    graph::SaveOptions save;
    save.overwrite = Overwrite::kYes;
    emitted_->save(path, save);
    return path;
  }

  void close_comparison(const std::filesystem::path& candidate) {
    report_.judged.clear();
    if (!options_.check) return;
    verify::CheckOptions check;
    check.executable = options_.executable;
    check.runtime = options_.runtime;
    check.data = options_.data;
    check.max_samples = data_ && red_line_.needs_all_samples(data_->outputs())
                            ? options_.max_samples
                        : options_.max_samples == 0 ? kCheckSamples
                                                    : std::min(options_.max_samples, kCheckSamples);
    check.threads = options_.threads;
    check.seconds = options_.check_seconds;
    check.max_bytes = options_.check_max_bytes;
    check.model_bytes = report_.bytes_before;
    report_.check = verify::check_in_runtime(options_.input, candidate, check);
    if (report_.check->outcome == verify::CheckOutcome::kBroken) {
      throw Error(Code::kEngine,
                  fmt::format("the quantized model of '{}' does not run: {}",
                              options_.input.string(), report_.check->reason),
                  "nothing was written; --keep PATTERN leaves nodes as they are");
    }
    red_line_.require_effect(report_.check->rows);
    report_.judged = red_line_.judge(report_.check->rows, !data_);
  }

  bool compared() const {
    return report_.check && (report_.check->outcome == verify::CheckOutcome::kSame ||
                             report_.check->outcome == verify::CheckOutcome::kDiffers);
  }

  bool must_search() const {
    return options_.search && data_ && compared() && !reaches_goal(report_.judged);
  }

  /// Fills in the error that each site adds alone; once, and only with samples to measure on.
  void measure() {
    if (!data_ || !noise_.empty()) return;
    noise_ = measure_noise(model_, sites_, probes_for(scheme_, sites_, plain_), plain_.ranges,
                           bench(), std::min(data_->size(), kSearchSamples));
    for (Plan* plan : {&plain_, &report_.plan}) {
      for (NodePlan& node : plan->nodes) {
        const auto it = noise_.find(node.node);
        if (it == noise_.end()) continue;
        for (const auto& [form, ratio] : it->second) node.error_db[form] = sqnr_db_of(ratio);
      }
    }
  }

  void search_plan() {
    const std::size_t count = std::min(data_->size(), kSearchSamples);
    reporter_.info(
        "the plain plan misses the goal of its red line: looking for the sensitive nodes");
    measure();
    const Workbench workbench = bench();
    const Reference reference(workbench, float_path_, count);
    SearchInput input;
    input.plain = plain_;
    input.steps = steps_for(scheme_, sites_, plain_, noise_);
    input.evaluations = options_.evaluations;
    input.reporter = &reporter_;
    input.evaluate = [&](const Plan& plan) {
      Plan trial = plan;
      return red_line_.judge(reference.compare(emit_plan(trial)));
    };
    SearchResult result = search(input);
    report_.plan = std::move(result.plan);
    report_.trials = std::move(result.trials);
    report_.searched = true;
    report_.reached_goal = result.reached_goal;
  }

  bool below() const {
    return std::any_of(report_.judged.begin(), report_.judged.end(),
                       [](const Judged& one) { return !one.holds; });
  }

  void publish() {
    const bool unchecked = options_.require_check && !compared();
    if ((below() || unchecked) && !options_.accept_loss) {
      report_.verdict = below() ? "refused: below the red line; nothing was written"
                                : "refused: not checked in the runtime; nothing was written";
      return;
    }
    if (options_.check && !compared())
      reporter_.warn(fmt::format("not checked in the runtime: {}", report_.check->reason));
    if (!options_.check) reporter_.warn("not checked in the runtime: --no-check");
    graph::SaveOptions save;
    save.overwrite = options_.overwrite;
    save.external_bytes = options_.external_bytes;
    report_.bytes_after = emitted_->save(options_.output, save);
    report_.written = true;
    report_.verdict = below()      ? "below the red line, written all the same (--accept-loss)"
                      : compared() ? "the red line holds"
                                   : "written without a comparison";
  }

  const Options& options_;
  const Scheme& scheme_;
  Reporter& reporter_;
  std::shared_ptr<const runtime::Library> library_;
  graph::Model model_;  ///< cleaned, float
  RedLine red_line_;
  TempDir scratch_;
  std::filesystem::path float_path_;
  std::optional<data::Dataset> data_;
  Sites sites_;
  Plan plain_;
  NoiseRatios noise_;  ///< empty until measured
  std::optional<graph::Model> emitted_;
  Report report_;
};

}  // namespace

Report quantize(const Options& options, Reporter& reporter) {
  find_scheme(options.scheme);
  refuse_existing(options.output, options.overwrite);
  return with_context([&] { return fmt::format("while quantizing '{}'", options.input.string()); },
                      [&] { return Job(options, reporter).run(); });
}

}  // namespace ingot::quant
