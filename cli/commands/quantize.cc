// SPDX-License-Identifier: Apache-2.0
// `ingot quantize`: a smaller model that has been held against the original.
#include "quant/quantize.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "base/text.h"
#include "cli/arguments.h"
#include "cli/budget_options.h"
#include "cli/commands/commands.h"
#include "cli/runtime_choice.h"
#include "cli/table.h"

namespace ingot::cli {
namespace {

struct QuantizeOptions {
  quant::Options library;
  std::vector<std::string> data, keep, minimums;
  std::string calibration = "mse", check_max = "512MiB", external_data;
  std::filesystem::path report, save_plan;
  bool list = false, no_search = false, no_check = false, search_options_given = false;
};

int list_schemes(Io& io) {
  Table table({"scheme", "needs --data", "summary"});
  for (const quant::Scheme& scheme : quant::schemes())
    table.add({scheme.name, scheme.needs_data ? "yes" : "no", scheme.summary});
  table.print(io.out);
  return 0;
}

quant::Options library_options(const QuantizeOptions& options, Io& io) {
  quant::Options library = options.library;
  library.runtime = choose_runtime(io);
  library.executable = io.executable;
  library.threads = io.threads;
  library.overwrite = io.force ? Overwrite::kYes : Overwrite::kNo;
  library.search = !options.no_search;
  library.check = !options.no_check;
  library.check_max_bytes = parse_size_bytes(options.check_max);
  library.calibration = quant::calibration_from_name(options.calibration);
  if (!options.external_data.empty())
    library.external_bytes = parse_size_bytes(options.external_data);
  for (const std::string& path : options.data) library.data.emplace_back(path);
  for (const std::string& text : options.keep) library.keep.push_back(quant::parse_keep(text));
  for (const std::string& text : options.minimums) {
    library.minimums.push_back(metrics::parse_limit(text, metrics::comparison_metrics()));
  }
  return library;
}

void require_sense(const QuantizeOptions& options) {
  if (options.library.input.empty())
    throw Error(Code::kUsage, "no model named",
                "ingot quantize MODEL -o OUT --scheme int8 --data D");
  if (options.library.output.empty()) throw Error(Code::kUsage, "no output named (-o OUT)");
  if (options.no_check && !options.minimums.empty())
    throw Error(Code::kUsage, "--min has no effect with --no-check");
  if (options.no_check && options.library.require_check)
    throw Error(Code::kUsage, "--require-check contradicts --no-check");
  if (options.no_search && options.search_options_given)
    throw Error(Code::kUsage, "--evaluations has no effect with --no-search");
  std::filesystem::path data = options.library.output;
  require_distinct({options.library.output, data += ".data", options.report, options.save_plan});
}

int run_quantize(const QuantizeOptions& options, Io& io) {
  if (options.list) return list_schemes(io);
  require_sense(options);
  for (const auto& path : {options.report, options.save_plan}) {
    if (!path.empty()) refuse_existing(path, io.force ? Overwrite::kYes : Overwrite::kNo);
  }
  const quant::Report report = quant::quantize(library_options(options, io), *io.reporter);
  if (!options.report.empty()) write_text_file(options.report, report.json());
  if (!options.save_plan.empty() && report.written)
    write_text_file(options.save_plan, quant::plan_to_json(report.plan));
  io.out << (io.json ? report.json() : report.text());
  return report.accepted() ? 0 : 1;
}

}  // namespace

Run declare_quantize(CLI::App& app) {
  const auto options = std::make_shared<QuantizeOptions>();
  quant::Options& library = options->library;
  app.add_option("MODEL", library.input, "the float ONNX model");
  app.add_option("-o,--output", library.output, "where the quantized model goes")
      ->type_name("FILE");
  app.add_option("--scheme", library.scheme, "how to quantize (--list shows the schemes)")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_flag("--list", options->list, "list the schemes and stop");
  app.add_option("--data", options->data,
                 "calibration samples: .npz files, a folder of them, or a dataset.toml")
      ->type_name("PATH")
      ->expected(1, -1);
  app.add_option("--samples", library.max_samples, "use the first N samples only")
      ->type_name("N")
      ->check(whole_number("a number of samples", 0, kMaxCount));
  app.add_option("--calibration", options->calibration, "how ranges are made: minmax or mse")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--keep", options->keep,
                 "nodes that stay float: glob over names, op:TYPE or re:REGEX; =float16 stores "
                 "their weights so")
      ->type_name("PATTERN[=TYPE]")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--min", options->minimums,
                 "the red line, e.g. cosine=0.99 (default: text or top1 0.9 where declared, else "
                 "cosine 0.9)")
      ->type_name("METRIC=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_flag("--no-search", options->no_search,
               "the plain pass: do not look for sensitive nodes");
  app.add_option("--evaluations", library.evaluations,
                 "whole-model evaluations of the search, at most")
      ->type_name("N")
      ->capture_default_str()
      ->check(whole_number("a number of evaluations", 1, kMaxCount))
      ->each([options](const std::string&) { options->search_options_given = true; });
  app.add_flag("--accept-loss", library.accept_loss, "write the model even below the red line");
  app.add_flag("--allow-constant-data", library.allow_constant_data,
               "accept samples that are all alike");
  app.add_flag("--no-check", options->no_check, "leave out the closing comparison in the runtime");
  app.add_flag("--require-check", library.require_check,
               "refuse where the comparison cannot be made");
  app.add_option("--check-seconds", library.check_seconds,
                 "time for the original to load and run in the comparison")
      ->type_name("S")
      ->check(positive_seconds())
      ->capture_default_str();
  app.add_option("--check-max", options->check_max, "larger models are not compared")
      ->type_name("BYTES")
      ->capture_default_str();
  app.add_option("--external-data", options->external_data,
                 "tensors of at least so many bytes go to FILE.data")
      ->type_name("BYTES");
  app.add_option("--report", options->report, "write every decision with its reason as JSON")
      ->type_name("FILE");
  app.add_option("--save-plan", options->save_plan, "write the precision plan as JSON")
      ->type_name("FILE");
  add_budget_options(app, library.budgets);
  app.footer(
      "Examples:\n"
      "  ingot quantize model.onnx -o model.int8.onnx --scheme int8 --data samples/\n"
      "  ingot quantize lines.onnx -o lines.int8.onnx --data calib.toml --min text=0.95 --report "
      "report.json\n"
      "  ingot quantize model.onnx -o out.onnx --data samples/ --keep '/head/*=float16' "
      "--no-search");
  return [options](Io& io) { return run_quantize(*options, io); };
}

}  // namespace ingot::cli
