// SPDX-License-Identifier: Apache-2.0
// `ingot convert`: an export made ready for the device, held against the original.
#include "converters/convert.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "base/text.h"
#include "cli/arguments.h"
#include "cli/budget_options.h"
#include "cli/commands/commands.h"
#include "cli/opset_list.h"
#include "cli/runtime_choice.h"

namespace ingot::cli {
namespace {

struct ConvertArguments {
  converters::ConvertOptions options;
  bool explain = false, no_check = false, list = false;
  std::string to, external_data, check_max;
  std::vector<std::string> fixed_dimensions;
};

int run_convert(const ConvertArguments& arguments, Io& io) {
  if (arguments.list) return print_opset_list(io);
  converters::ConvertOptions options = arguments.options;
  if (options.input.empty() || options.output.empty())
    throw Error(Code::kUsage, "model and output are not both named", "ingot convert INPUT -o FILE");
  options.check = !arguments.no_check;
  options.format = arguments.to.empty()    ? converters::format_of(options.output)
                   : arguments.to == "ort" ? converters::Format::kOrt
                                           : converters::Format::kOnnx;
  const bool is_ort = options.format == converters::Format::kOrt;
  if (!arguments.external_data.empty()) {
    options.external_bytes = parse_size_bytes(arguments.external_data);
  }
  if (!arguments.check_max.empty()) options.check_max_bytes = parse_size_bytes(arguments.check_max);
  for (const std::string& text : arguments.fixed_dimensions) {
    options.fixed_dimensions.push_back(converters::parse_fixed_dimension(text));
  }
  options.overwrite = io.force ? Overwrite::kYes : Overwrite::kNo;
  options.executable = io.executable;
  options.threads = io.threads;
  if (options.check || is_ort) options.runtime = choose_runtime(io);
  const converters::ConvertReport report = converters::convert(options, *io.reporter);
  io.out << (io.json ? report.json() : report.text(arguments.explain));
  io.out.flush();
  if (report.written && !io.json) {
    io.reporter->info(is_ort ? "next: ingot bundle pack " + report.output +
                                   " -o DIR --name NAME --version VERSION"
                             : "next: ingot quantize " + report.output +
                                   " -o SMALL.onnx --scheme int8 --data SAMPLES");
  }
  return report.written ? 0 : 1;
}

}  // namespace

Run declare_convert(CLI::App& app) {
  const auto arguments = std::make_shared<ConvertArguments>();
  converters::ConvertOptions& options = arguments->options;
  app.add_option("INPUT", options.input, "an ONNX model as a framework exports it");
  app.add_option("-o,--output", options.output, "where to write the result")->type_name("FILE");
  app.add_option("--to", arguments->to,
                 "onnx, or ort: the runtime's own format, optimised and in one file (default: by "
                 "the ending of FILE)")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"onnx", "ort"}).description(""));
  app.add_option("--opset", options.opset,
                 "the opset of the result (default: the model's, where the runtime runs it)")
      ->type_name("N");
  app.add_flag("--list", arguments->list,
               "list what an opset change does to each operator, gaps included, and stop");
  app.add_flag("--exact", options.passes.exact,
               "only rewrites that keep every value bit for bit (no folding into weights)");
  app.add_flag("--explain", arguments->explain,
               "list every change and what was left alone, and why");
  app.add_option("--fix-dim", arguments->fixed_dimensions,
                 "give a named dimension one size wherever it occurs; may be repeated")
      ->type_name("NAME=N");
  app.add_option("--external-data", arguments->external_data,
                 "tensors of at least this many bytes go to FILE.data")
      ->type_name("BYTES");
  app.add_option("--data", options.data,
                 "samples for the check: a folder of .npz, .npz files, or a dataset.toml (default: "
                 "generated)")
      ->type_name("PATH");
  app.add_flag("--no-check", arguments->no_check, "do not compare the result with the original");
  app.add_flag("--require-check", options.require_check, "refuse a result that was not compared");
  app.add_option("--check-seconds", options.check_seconds,
                 "how long the original may take to load and run")
      ->type_name("SECONDS")
      ->check(positive_seconds())
      ->capture_default_str();
  app.add_option("--check-max", arguments->check_max,
                 "a larger model is not compared (default: 512MiB)")
      ->type_name("BYTES");
  add_budget_options(app, options.budgets);
  app.footer(
      "Examples:\n"
      "  ingot convert export.onnx -o model.onnx\n"
      "  ingot convert export.onnx -o model.onnx --data samples/ --require-check\n"
      "  ingot convert export.onnx -o model.onnx --opset 21\n"
      "  ingot convert export.onnx -o model.onnx --exact --explain\n"
      "  ingot convert model.int8.onnx -o model.int8.ort --to ort\n"

      "  ingot convert export.onnx -o model.onnx --fix-dim batch=1 --fix-dim sequence=128");
  return [arguments](Io& io) { return run_convert(*arguments, io); };
}

}  // namespace ingot::cli
