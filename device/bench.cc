// SPDX-License-Identifier: Apache-2.0
// `ingot-run bench`: one measurement in one process. The JSON is specified in
// docs/formats/run-bench.md.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/text.h"
#include "device/commands.h"
#include "device/findings.h"
#include "device/model_loader.h"
#include "device/process_memory.h"
#include "device/samples.h"
#include "device/stopwatch.h"

namespace ingot::device {
namespace {

namespace fs = std::filesystem;

constexpr std::array kOptions{
    Option{"--model", "FILE", "a plain model instead of a bundle; nothing is verified"},
    Option{"--runtime", "FILE", "the ONNX Runtime library for --model"},
    Option{"--data", "PATH", "a folder of .npz, .npz files or a dataset.toml (made-up values)",
           true},
    Option{"--input", "FILE",
           "with a bundle: .npz, or PNG or JPEG through the bundle's own preprocessing", true},
    Option{"--runs", "N", "measured runs (50)"},
    Option{"--warmup", "N", "runs before them, apart from the first (3)"},
    Option{"--threads", "N", "threads of the runtime (as the bundle says; a plain model: all)"},
    Option{"--json", "", "one JSON object on stdout, every run in it"},
};

struct Measurement {
  std::int64_t verify_ns = 0, first_ns = 0;
  std::vector<std::int64_t> latency_ns, decode_ns, preprocess_ns;
  std::uint64_t peak_after_load_bytes = 0, peak_bytes = 0;
  PageFaults faults;
  std::size_t sample_count = 0;
  bool is_generated = false;
  int warmup = 0, runs = 0;
};

/// Reads the sample for run number `run`, counted from the first inference, and runs it.
std::int64_t run_once(LoadedModel& model, const Samples& samples, std::size_t run,
                      Measurement* record) {
  check_interrupt();
  const data::Sample sample = samples.load(run % samples.size());
  runtime::Feeds feeds;
  for (const auto& [name, tensor] : sample.inputs) feeds.emplace(name, tensor.view());
  std::int64_t latency_ns = 0;
  with_context([&] { return fmt::format("while running '{}'", sample.name); },
               [&] {
                 const Stopwatch watch;
                 const runtime::Results results = model.session->run(feeds);
                 latency_ns = watch.ns();
               });
  if (record != nullptr) {
    record->latency_ns.push_back(latency_ns);
    record->decode_ns.push_back(static_cast<std::int64_t>(sample.decode_seconds * 1e9));
    record->preprocess_ns.push_back(static_cast<std::int64_t>(sample.preprocess_seconds * 1e9));
  }
  return latency_ns;
}

void measure(LoadedModel& model, const Samples& samples, Measurement& m) {
  m.sample_count = samples.size();
  m.peak_after_load_bytes = peak_resident_bytes();
  std::size_t run = 0;
  m.first_ns = run_once(model, samples, run++, nullptr);
  for (int i = 0; i < m.warmup; ++i) run_once(model, samples, run++, nullptr);
  const PageFaults before = page_faults();
  for (std::size_t i = 0; i < static_cast<std::size_t>(m.runs); ++i)
    run_once(model, samples, i, &m);
  const PageFaults after = page_faults();
  m.faults = {after.minor - before.minor, after.major - before.major};
  m.peak_bytes = peak_resident_bytes();
}

OrderedJson to_json(const Measurement& m, const LoadedModel& model,
                    const manifests::Manifest* manifest) {
  OrderedJson bundle = nullptr;
  if (manifest != nullptr)
    bundle = {
        {"id", manifest->bundle_id}, {"name", manifest->name}, {"version", manifest->version}};
  return {{"schema", "ingot.run.bench"},
          {"schema_version", 1},
          {"code", "OK"},
          {"verified", manifest != nullptr},
          {"bundle", std::move(bundle)},
          {"model", model.model.string()},
          {"runtime", model.runtime.string()},
          {"runtime_version", model.library->version()},
          {"threads", model.config.intra_op_threads},
          {"spinning", model.config.spinning},
          {"prepack", model.config.prepack},
          {"graph_opt", model.config.graph_opt},
          {"inputs", m.is_generated ? "generated" : "data"},
          {"samples", m.sample_count},
          {"warmup", m.warmup},
          {"runs", m.runs},
          {"verify_ns", m.verify_ns},
          {"runtime_load_ns", model.runtime_load_ns},
          {"load_ns", model.load_ns},
          {"first_ns", m.first_ns},
          {"cold_start_ns", m.verify_ns + model.runtime_load_ns + model.load_ns + m.first_ns},
          {"latency_ns", m.latency_ns},
          {"decode_ns", m.decode_ns},
          {"preprocess_ns", m.preprocess_ns},
          {"memory",
           {{"peak_after_load_bytes", m.peak_after_load_bytes}, {"peak_bytes", m.peak_bytes}}},
          {"page_faults", {{"minor", m.faults.minor}, {"major", m.faults.major}}}};
}

/// The smallest value that at least `share` of the `values` do not exceed.
std::int64_t quantile(std::vector<std::int64_t> values, double share) {
  std::ranges::sort(values);
  const double rank = share * static_cast<double>(values.size());
  const auto index = static_cast<std::size_t>(std::max(0.0, std::ceil(rank) - 1));
  return values[index];
}

std::string to_text(const Measurement& m, const LoadedModel& model,
                    const manifests::Manifest* manifest) {
  const auto time = [](std::int64_t ns) { return format_seconds(static_cast<double>(ns) * 1e-9); };
  std::string text = manifest != nullptr
                         ? fmt::format("{} {} ({})\n", manifest->name, manifest->version,
                                       manifest->bundle_id.substr(0, 12))
                         : fmt::format("'{}' (unverified)\n", model.model.string());
  text += fmt::format("  ONNX Runtime {}, {} threads, {} runs on {} {}\n", model.library->version(),
                      model.config.intra_op_threads, m.runs, m.sample_count,
                      m.is_generated ? "made-up sample" : "samples");
  if (manifest != nullptr) text += fmt::format("  verify          {}\n", time(m.verify_ns));
  text += fmt::format("  load runtime    {}\n  load model      {}\n  first inference {}\n",
                      time(model.runtime_load_ns), time(model.load_ns), time(m.first_ns));
  text += fmt::format("  latency p50     {}\n  latency p95     {}\n",
                      time(quantile(m.latency_ns, 0.5)), time(quantile(m.latency_ns, 0.95)));
  text += fmt::format("  preprocess p50  {}\n", time(quantile(m.preprocess_ns, 0.5)));
  return text + fmt::format("  peak memory     {} ({} after loading)\n", format_bytes(m.peak_bytes),
                            format_bytes(m.peak_after_load_bytes));
}

std::vector<fs::path> paths_of(const Arguments& arguments, std::string_view name) {
  const std::vector<std::string> texts = arguments.texts(name);
  return {texts.begin(), texts.end()};
}

Samples choose_samples(const Arguments& arguments, const LoadedModel& model,
                       const fs::path& dataset_file) {
  if (arguments.has("--data"))
    return Samples::from_data(paths_of(arguments, "--data"), model.specs());
  if (arguments.has("--input"))
    return Samples::from_files(paths_of(arguments, "--input"), dataset_file, model.specs());
  return Samples::generated(model.specs());
}

void require_clear(const Arguments& arguments) {
  const bool is_plain = arguments.has("--model");
  if (arguments.positional().size() != (is_plain ? 0U : 1U)) {
    throw Error(Code::kUsage,
                "'bench' wants either one bundle folder, DIR, or --model FILE with --runtime FILE");
  }
  if (is_plain != arguments.has("--runtime")) {
    throw Error(Code::kUsage,
                is_plain ? "'--model' wants the library to run it with: --runtime FILE"
                         : "'--runtime' has no effect with a bundle, which brings its own");
  }
  if (arguments.has("--data") && arguments.has("--input"))
    throw Error(Code::kUsage, "'--data' and '--input' exclude each other");
  if (is_plain && arguments.has("--input"))
    throw Error(Code::kUsage,
                "'--input' is for bundles; give a plain model its inputs with --data");
}

int bench(const Arguments& arguments, Io& io) {
  require_clear(arguments);
  Measurement m;
  m.runs = arguments.integer("--runs", 50, 1, 1000000);
  m.warmup = arguments.integer("--warmup", 3, 0, 1000000);
  m.is_generated = !arguments.has("--data") && !arguments.has("--input");
  const LoadOptions options{arguments.integer("--threads", 0, 1, 1024)};
  const auto show = [&](const LoadedModel& model, const manifests::Manifest* manifest) {
    io.out << (io.json ? to_json(m, model, manifest)
                                 .dump(-1, ' ', false, OrderedJson::error_handler_t::replace) +
                             "\n"
                       : to_text(m, model, manifest));
    return 0;
  };
  if (arguments.has("--model")) {
    LoadedModel model = load_plain(arguments.text("--model"), arguments.text("--runtime"), options);
    measure(model, choose_samples(arguments, model, {}), m);
    return show(model, nullptr);
  }
  const fs::path folder = arguments.positional()[0];
  const Stopwatch verify_watch;
  manifests::Bundle bundle(folder);
  if (refuses(bundle.check(), folder, io)) return exit_code(Code::kInput);
  m.verify_ns = verify_watch.ns();
  const manifests::Manifest& manifest = bundle.manifest();
  LoadedModel model = load_bundle(bundle, options);
  const Samples samples = choose_samples(
      arguments, model, manifest.preprocess.empty() ? fs::path() : folder / manifest.preprocess);
  if (refuses(bundle.changed_since_check(), folder, io)) return exit_code(Code::kInput);
  measure(model, samples, m);
  return show(model, &manifest);
}

}  // namespace

const Command kBenchCommand{
    "bench",
    "(DIR | --model FILE --runtime FILE) [--data PATH...] [--runs N] [--warmup N] [--threads N] "
    "[--json]",
    "Measure load, first inference, latency and memory in this process",
    kOptions,
    "  ingot-run bench lines-1.0.0 --input line.png --runs 100\n"
    "  ingot-run bench --model model.onnx --runtime libonnxruntime.so --data samples/ --json\n",
    bench};

}  // namespace ingot::device
