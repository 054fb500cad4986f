// SPDX-License-Identifier: Apache-2.0
// `ingot bench`: what a model or a bundle costs on this machine.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <ostream>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "bench/measure.h"
#include "cli/commands/commands.h"
#include "cli/runtime_choice.h"
#include "cli/table.h"
#include "data/npz.h"
#include "graph/ort_format.h"
#include "verify/generated_inputs.h"

namespace ingot::cli {
namespace {

namespace fs = std::filesystem;

struct BenchArguments {
  fs::path subject;
  bench::Options options;
};

/// Only the runtime reads its own format: nothing then.
std::optional<graph::Model> load_graph(const fs::path& path) {
  if (graph::is_ort_file(path)) return {};
  return graph::Model::load(path);
}

std::uint64_t model_bytes(const std::optional<graph::Model>& model, const fs::path& path) {
  std::uint64_t bytes = fs::file_size(path);
  if (!model) return bytes;
  for (const std::string& location : model->external_locations())
    bytes += fs::file_size(path.parent_path() / location);
  return bytes;
}

/// Writes inputs the model runs with to `folder`: of the attempts that generate_inputs knows, the
/// first it accepts.
fs::path write_generated(const std::optional<graph::Model>& model, const bench::Subject& subject,
                         const fs::path& folder) {
  runtime::Session session(runtime::Library::open(subject.runtime), subject.model);
  const auto described = verify::describe_inputs(session.inputs(), model ? &*model : nullptr);
  std::optional<Error> refusal;
  for (int attempt = 0; attempt < verify::attempt_count(); ++attempt) {
    const auto inputs = verify::generate_inputs(described, attempt, 1);
    runtime::Feeds feeds;
    for (const auto& [name, tensor] : inputs) feeds.emplace(name, tensor.view());
    try {
      session.run(feeds);
    } catch (const Error& error) {
      if (error.code() == Code::kInterrupted) throw;
      refusal = error;
      continue;
    }
    const fs::path file = folder / "generated.npz";
    data::write_npz(file, inputs);
    return file;
  }
  refusal->add_context("with every kind of generated inputs; --data names real ones");
  throw *refusal;
}

std::string plural(std::int64_t count, const char* noun, const char* ending = "s") {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : ending);
}

void print_result(const bench::Result& result, std::ostream& out) {
  out << fmt::format("{}: ONNX Runtime {}, {}, {} in all from {}\n", result.subject,
                     result.runtime_version, plural(result.threads, "thread"),
                     plural(result.runs, "run"), plural(result.processes, "fresh process", "es"));
  Table table({"measure", ">value"});
  if (result.size_bytes > 0) table.add({"size", format_bytes(result.size_bytes)});
  table.add({"latency p50", format_seconds(result.latency_p50)});
  table.add({"latency p95", format_seconds(result.latency_p95)});
  table.add({"first", format_seconds(result.first)});
  table.add({"load", format_seconds(result.load)});
  if (result.verified) table.add({"verify", format_seconds(result.verify)});
  table.add({"runtime load", format_seconds(result.runtime_load)});
  table.add({"memory peak", format_bytes(result.peak_bytes)});
  if (result.inputs == "data") {
    table.add({"read a sample", format_seconds(result.decode_p50)});
    table.add({"prepare it", format_seconds(result.preprocess_p50)});
  }
  table.print(out, 2);
  out << fmt::format("  inputs {}, {}; reading and preparing them is in no latency\n",
                     result.inputs, plural(result.samples, "sample"));
  if (!result.verified) out << "  unverified: a plain model, not a bundle\n";
}

int run_bench(const BenchArguments& arguments, Io& io) {
  bench::Options options = arguments.options;
  options.runner = bench::find_runner(io.executable);
  options.threads = io.threads;
  options.reporter = io.reporter;
  bench::Subject subject;
  std::optional<TempDir> folder;
  const bool is_generated = options.data.empty();
  if (fs::is_directory(arguments.subject)) {
    subject.bundle = arguments.subject;
  } else {
    subject.model = arguments.subject;
    subject.runtime = choose_runtime(io);
    const std::optional<graph::Model> model = load_graph(subject.model);
    subject.size_bytes = model_bytes(model, subject.model);
    if (is_generated) options.data = {write_generated(model, subject, folder.emplace().path())};
  }
  bench::Result result = bench::measure(subject, options);
  // ingot-run was given the generated inputs as data.
  if (is_generated) result.inputs = "generated";
  if (io.json) {
    io.out << bench::result_json(result);
  } else {
    print_result(result, io.out);
  }
  return 0;
}

}  // namespace

Run declare_bench(CLI::App& app) {
  const auto arguments = std::make_shared<BenchArguments>();
  bench::Options& options = arguments->options;
  app.add_option("MODEL_OR_BUNDLE", arguments->subject,
                 "an ONNX model, a .ort, or a bundle's folder")
      ->required();
  app.add_option("--runs", options.runs, "measured inferences per process")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--warmup", options.warmup, "inferences before them, after the first")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--processes", options.processes, "fresh processes")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--data", options.data,
                 "samples: a folder of .npz, .npz files, or a dataset.toml (default: generated)")
      ->type_name("PATH");
  app.footer(
      "Examples:\n"
      "  ingot bench model.onnx --data samples/ --threads 1\n"
      "  ingot bench lines-1.0.0 --json");
  return [arguments](Io& io) { return run_bench(*arguments, io); };
}

}  // namespace ingot::cli
