// SPDX-License-Identifier: Apache-2.0
// read → validate → change the opset → clean → write for trial → check → publish.
#include "converters/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/interrupt.h"
#include "converters/opset/choose_opset.h"
#include "converters/publish.h"
#include "converters/validate.h"
#include "graph/lost_weights.h"
#include "verify/ort_format.h"

namespace ingot::converters {
namespace {

/// What a caller of the model sees, in order. Weights that are listed as inputs but cannot be fed
/// (IR version below 4) are no inputs.
std::vector<std::string> interface_of(const graph::Model& model) {
  std::unordered_set<std::string_view> weights;
  if (model.proto().ir_version() < 4) {
    for (const auto& tensor : model.graph().initializer()) weights.insert(tensor.name());
  }
  std::vector<std::string> ports;
  for (const auto& input : model.graph().input()) {
    if (!weights.contains(input.name())) ports.push_back(input.SerializeAsString());
  }
  ports.emplace_back();
  for (const auto& output : model.graph().output()) ports.push_back(output.SerializeAsString());
  return ports;
}

std::uint64_t stored_bytes(const std::filesystem::path& path, const graph::Model& model) {
  std::uint64_t total = std::filesystem::file_size(path);
  std::error_code missing;
  for (const std::string& location : model.external_locations()) {
    const std::filesystem::path data = path.parent_path() / location;
    if (!std::filesystem::equivalent(data, path, missing))
      total += std::filesystem::file_size(data);
  }
  return total;
}

std::filesystem::path data_of(std::filesystem::path model) { return model += ".data"; }

class Conversion {
 public:
  Conversion(const ConvertOptions& options, Reporter& reporter)
      : options_(options),
        reporter_(reporter),
        model_(graph::Model::load(options.input)),
        folder_(options.output.has_parent_path() ? options.output.parent_path() : ".") {
    report_.input = options.input.string();
    report_.output = options.output.string();
    report_.format = options.format;
    report_.bytes_before = stored_bytes(options.input, model_);
    graph::refuse_lost_weights(model_, options.output);
  }

  ConvertReport run() {
    Validation validation = validate(model_, options_.budgets);
    require_valid(validation, report_.input);
    report_.foreign_operators = std::move(validation.foreign_operators);
    report_.oddities = std::move(validation.oddities);
    // Beside the destination, so that publishing is a rename.
    const TempDir trial_folder(folder_);
    // From here on the interface stays as it is.
    fix_dimensions(model_, options_.fixed_dimensions);
    const std::filesystem::path original = original_for_check(trial_folder.path());
    const auto interface = interface_of(model_);
    report_.opset = choose_opset(model_, {options_.opset, options_.runtime}, reporter_);
    report_.cleaning = clean(model_, options_.passes, reporter_);
    INGOT_CHECK(interface_of(model_) == interface);
    const std::filesystem::path trial = trial_folder.path() / options_.output.filename();
    const std::uint64_t bytes = write(trial);
    check(original, trial);
    if (!may_publish()) return std::move(report_);
    check_interrupt();
    publish_model(trial, options_.output);
    report_.bytes_after = bytes;
    report_.written = true;
    return std::move(report_);
  }

 private:
  /// Returns the bytes written.
  std::uint64_t write(const std::filesystem::path& trial) const {
    graph::SaveOptions save;
    save.external_bytes = options_.external_bytes;
    if (options_.format == Format::kOnnx) return model_.save(trial, save);
    // The runtime takes only ONNX for its input; the file goes with the folder it is in.
    const std::filesystem::path cleaned = std::filesystem::path(trial).replace_extension(".onnx");
    verify::OrtFormatOptions options;
    options.executable = options_.executable;
    options.runtime = options_.runtime;
    options.model_bytes = model_.save(cleaned, save);
    options.exact = options_.passes.exact;
    try {
      verify::write_ort_format(cleaned, trial, options);
    } catch (const Error& error) {
      throw Error(error.code(), about_input(error.message(), cleaned), error.hint());
    }
    return std::filesystem::file_size(trial);
  }

  /// `message` with the name of the trial replaced by the user's, and the operators that a runtime
  /// may lack.
  std::string about_input(std::string message, const std::filesystem::path& trial) const {
    const std::string name = trial.string();
    for (std::size_t at = message.find(name); at != std::string::npos; at = message.find(name, at))
      message.replace(at, name.size(), report_.input);
    if (report_.foreign_operators.empty()) return message;
    return fmt::format("{}; it has the foreign operators '{}'", message,
                       fmt::join(report_.foreign_operators, "', '"));
  }

  /// What the result is held against: the input, with the dimensions fixed that the user fixed.
  std::filesystem::path original_for_check(const std::filesystem::path& folder) const {
    if (options_.fixed_dimensions.empty() || !options_.check ||
        report_.bytes_before > options_.check_max_bytes) {
      return options_.input;
    }
    std::filesystem::path fixed =
        folder / fmt::format("original {}.onnx", options_.output.filename().string());
    model_.save(fixed);
    return fixed;
  }

  void check(const std::filesystem::path& original, const std::filesystem::path& trial) {
    if (!options_.check) return;
    verify::CheckOptions check;
    check.executable = options_.executable;
    check.runtime = options_.runtime;
    check.data = options_.data;
    check.threads = options_.threads;
    check.seconds = options_.check_seconds;
    check.max_bytes = options_.check_max_bytes;
    check.model_bytes = report_.bytes_before;
    if (options_.format == Format::kOrt)
      check.optimization = verify::ort_optimization(options_.passes.exact);
    report_.check = verify::check_in_runtime(original, trial, check);
  }

  /// Judges the check and says what follows from it.
  bool may_publish() {
    using verify::CheckOutcome;
    const CheckOutcome outcome = report_.check ? report_.check->outcome : CheckOutcome::kNotChecked;
    const std::string reason = report_.check ? report_.check->reason : "--no-check";
    switch (outcome) {
      case CheckOutcome::kSame:
        report_.verdict = "the result is the same as the original in the runtime";
        return true;
      case CheckOutcome::kDiffers:
        report_.verdict = "refused: the result differs from the original; nothing was written";
        return false;
      case CheckOutcome::kBroken:
        if (report_.opset.from != report_.opset.to) {
          throw Error(Code::kUnsupported,
                      fmt::format("the runtime runs the model at opset {}, at opset {} not: {}",
                                  report_.opset.from, report_.opset.to, reason));
        }
        report_.verdict = fmt::format(
            "refused: the original runs, the result does not: {}; nothing was written", reason);
        return false;
      case CheckOutcome::kNotChecked:
        break;
    }
    if (options_.require_check) {
      report_.verdict =
          fmt::format("refused: not checked in the runtime: {}; nothing was written", reason);
      return false;
    }
    reporter_.warn(fmt::format("not checked in the runtime: {}", reason));
    report_.verdict = "written without a check";
    return true;
  }

  const ConvertOptions& options_;
  Reporter& reporter_;
  graph::Model model_;
  std::filesystem::path folder_;
  ConvertReport report_;
};

void require_fitting_format(const ConvertOptions& options) {
  const bool is_ort = options.format == Format::kOrt;
  if (is_ort != (format_of(options.output) == Format::kOrt)) {
    throw Error(Code::kUsage,
                fmt::format("'{}' {} in '.ort', by which the runtime tells the ORT format from "
                            "ONNX: {} is to be written",
                            options.output.string(), is_ort ? "does not end" : "ends",
                            is_ort ? "the ORT format" : "ONNX"));
  }
  if (is_ort && options.external_bytes) {
    throw Error(Code::kUsage, "--external-data has no effect on the ORT format, which is one file");
  }
}

}  // namespace

Format format_of(const std::filesystem::path& output) {
  return output.extension() == ".ort" ? Format::kOrt : Format::kOnnx;
}

ConvertReport convert(const ConvertOptions& options, Reporter& reporter) {
  if (options.require_check && !options.check) {
    throw Error(Code::kUsage, "--require-check and --no-check contradict each other");
  }
  require_fitting_format(options);
  refuse_existing(options.output, options.overwrite);
  if (options.format == Format::kOnnx) refuse_existing(data_of(options.output), options.overwrite);
  return with_context([&] { return fmt::format("while converting '{}'", options.input.string()); },
                      [&] { return Conversion(options, reporter).run(); });
}

}  // namespace ingot::converters
