// SPDX-License-Identifier: Apache-2.0
// `ingot verify`: two models on the same samples, every output compared.
#include "verify/verify.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "cli/arguments.h"
#include "cli/commands/commands.h"
#include "cli/comparison_table.h"
#include "cli/runtime_choice.h"

namespace ingot::cli {
namespace {

struct VerifyOptions {
  std::filesystem::path reference, candidate;
  std::vector<std::filesystem::path> data;
  std::size_t samples = 0;
  std::vector<std::string> tolerances;
};

std::string limits_text(const std::vector<metrics::Limit>& limits) {
  std::string text;
  for (const metrics::Limit& limit : limits) text += (text.empty() ? "" : ", ") + limit.text();
  return text;
}

void print_report(const verify::Report& report, Io& io) {
  if (io.json) {
    io.out << report.json();
  } else {
    if (!report.rows.empty()) print_comparison(report.rows, io.out);
    io.out << fmt::format(
        "{} sample{}; tolerance {} per float output, other types exact, NaN and infinities alike\n",
        report.samples, report.samples == 1 ? "" : "s", limits_text(report.limits));
    io.out << (report.within()   ? "verdict: inside the tolerance\n"
               : report.compared ? "verdict: OUTSIDE the tolerance\n"
                                 : "verdict: NOT COMPARED\n");
  }
  io.out.flush();
  for (const std::string& warning : report.warnings) io.reporter->warn(warning);
  for (const std::string& violation : report.violations) {
    io.err << (violation.starts_with("cannot compare") ? "" : "outside: ") << violation << '\n';
  }
}

int run_verify(const VerifyOptions& options, Io& io) {
  verify::Options request;
  request.reference = options.reference;
  request.candidate = options.candidate;
  request.data = options.data;
  request.max_samples = options.samples;
  for (const std::string& text : options.tolerances)
    request.limits.push_back(metrics::parse_limit(text, metrics::comparison_metrics()));
  request.runtime = choose_runtime(io);
  request.threads = io.threads;
  request.reporter = io.reporter;
  const verify::Report report = verify::verify(request);
  print_report(report, io);
  return report.within() ? 0 : 1;
}

}  // namespace

Run declare_verify(CLI::App& app) {
  const auto options = std::make_shared<VerifyOptions>();
  app.add_option("REFERENCE", options->reference, "the model that is right")->required();
  app.add_option("CANDIDATE", options->candidate, "the model to judge")->required();
  app.add_option("--data", options->data,
                 "samples: a folder of .npz, .npz files, or a dataset.toml")
      ->required()
      ->type_name("PATH");
  app.add_option("--samples", options->samples, "only the first N samples")
      ->type_name("N")
      ->check(whole_number("a number of samples", 0, kMaxCount));
  app.add_option("--tolerance", options->tolerances,
                 "a limit per float output, METRIC=VALUE; may be repeated (default: max_rel=0.001, "
                 "that is max|a-b| at most 0.001 max|a|)")
      ->type_name("METRIC=VALUE");
  app.footer(
      "Examples:\n"
      "  ingot verify model.onnx model.int8.onnx --data samples/ --tolerance cosine=0.99\n"
      "  ingot verify export.onnx model.onnx --data dataset.toml --json");
  return [options](Io& io) { return run_verify(*options, io); };
}

}  // namespace ingot::cli
