// SPDX-License-Identifier: Apache-2.0
// `ingot bundle`: pack a model with all it needs to run, verify and inspect such
// a bundle.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <ctime>
#include <memory>
#include <ostream>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/runtime_choice.h"
#include "graph/ort_format.h"
#include "manifests/check_report.h"
#include "manifests/inspection.h"
#include "manifests/runtime_library.h"
#include "pipeline/bundle_parts.h"

namespace ingot::cli {
namespace {

namespace fs = std::filesystem;

struct PackArguments {
  fs::path model, output, preprocess;
  std::string name, version, license;
  std::vector<fs::path> runtimes, reports;
  std::vector<std::string> files;
  int device_threads = 0;
  std::string device_memory;
};

/// "PATH" or "PATH=NAME"; without a name the file goes to data/.
manifests::PackFile extra_file(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const fs::path source = text.substr(0, equals);
  const std::string name =
      equals == std::string::npos ? "data/" + source.filename().string() : text.substr(equals + 1);
  if (source.empty() || name.empty()) {
    throw Error(Code::kUsage, fmt::format("'--file' is '{}', PATH or PATH=NAME is wanted", text));
  }
  return {name, source, ""};
}

/// The time of SOURCE_DATE_EPOCH in the manifest's form; "" when it is not set.
std::string created_text(const Io& io) {
  const char* variable = io.environment ? io.environment("SOURCE_DATE_EPOCH") : nullptr;
  const std::string_view text = variable == nullptr ? "" : variable;
  if (text.empty()) return "";
  std::int64_t seconds = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  constexpr std::int64_t kEndOfYear9999 = 253402300799;
  if (fault != std::errc() || end != text.data() + text.size() || seconds < 0 ||
      seconds > kEndOfYear9999) {
    throw Error(Code::kUsage,
                fmt::format("SOURCE_DATE_EPOCH is '{}', seconds since 1970 are wanted", text));
  }
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  gmtime_r(&time, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

/// Of the libraries to pack the one this machine can load; the usual one where there is none.
fs::path own_runtime(const std::vector<fs::path>& runtimes, const Io& io) {
  for (const fs::path& file : runtimes) {
    if (manifests::read_runtime_library(file).triplet == manifests::own_triplet()) return file;
  }
  return choose_runtime(io);
}

manifests::PackOptions pack_options(const PackArguments& arguments, const Io& io) {
  // Cheap refusals first: a large model takes a while to read.
  refuse_existing(arguments.output, io.force ? Overwrite::kYes : Overwrite::kNo);
  std::vector<manifests::PackFile> extra;
  for (const std::string& text : arguments.files) extra.push_back(extra_file(text));
  manifests::PackOptions options =
      graph::is_ort_file(arguments.model)
          ? pipeline::ort_model_parts(arguments.model, own_runtime(arguments.runtimes, io))
          : pipeline::model_parts(arguments.model);
  options.destination = arguments.output;
  options.overwrite = io.force ? Overwrite::kYes : Overwrite::kNo;
  options.name = arguments.name;
  options.version = arguments.version;
  options.created = created_text(io);
  options.model.license = arguments.license;
  options.runtimes = arguments.runtimes;
  if (options.runtimes.empty()) options.runtimes = {choose_runtime(io)};
  options.run.intra_op_threads = arguments.device_threads;
  if (!arguments.device_memory.empty())
    options.run.hard_bytes = parse_size_bytes(arguments.device_memory);
  if (!arguments.preprocess.empty())
    options.preprocess = pipeline::preprocess_parts(arguments.preprocess);
  options.reports = arguments.reports;
  options.extra = std::move(extra);
  return options;
}

int run_pack(const PackArguments& arguments, Io& io) {
  const manifests::PackResult result = manifests::pack(pack_options(arguments, io));
  if (io.json) {
    OrderedJson files = OrderedJson::array();
    for (const manifests::FileEntry& file : result.files) {
      files.push_back({{"path", file.path},
                       {"size_bytes", file.size_bytes},
                       {"role", manifests::role_name(file.role)},
                       {"sha256", file.sha256}});
    }
    const OrderedJson json{{"schema", "ingot.bundle.pack"},       {"schema_version", 1},
                           {"output", arguments.output.string()}, {"bundle_id", result.bundle_id},
                           {"total_bytes", result.total_bytes},   {"files", std::move(files)}};
    io.out << json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) << '\n';
    return 0;
  }
  io.out << fmt::format("packed '{}': {} files, {}\nid {}\n", arguments.output.string(),
                        result.files.size() + 1, format_bytes(result.total_bytes),
                        result.bundle_id);
  io.reporter->info(
      fmt::format("next: ingot-run run '{}' --input FILE", arguments.output.string()));
  return 0;
}

Run declare_pack(CLI::App& bundle) {
  CLI::App& app = *bundle.add_subcommand(
      "pack", "put a model, its runtime and its preprocessing into one folder, every file hashed");
  const auto arguments = std::make_shared<PackArguments>();  // shared: outlives the declaration
  app.add_option("MODEL", arguments->model,
                 "an ONNX model, files with its weights come along; or a .ort")
      ->required();
  app.add_option("-o,--output", arguments->output, "the bundle's folder")
      ->type_name("DIR")
      ->required();
  app.add_option("--name", arguments->name, "the bundle's name")->type_name("NAME")->required();
  app.add_option("--version", arguments->version, "the bundle's version")
      ->type_name("VERSION")
      ->required();
  app.add_option("--runtime", arguments->runtimes,
                 "ONNX Runtime libraries, one per kind of machine (the one ingot uses)")
      ->type_name("FILE");
  app.add_option("--preprocess", arguments->preprocess,
                 "how the device prepares pictures and reads outputs; travels without samples")
      ->type_name("DATASET.TOML");
  app.add_option("--report", arguments->reports, "goes to report/")->type_name("FILE");
  app.add_option("--file", arguments->files,
                 "goes to NAME (data/...), e.g. LICENSE=LICENSES/model.txt")
      ->type_name("PATH[=NAME]");
  app.add_option("--license", arguments->license, "SPDX expression of the model")
      ->type_name("SPDX");
  app.add_option("--device-threads", arguments->device_threads,
                 "threads on the device; 0 = all it may use")
      ->type_name("N")
      ->check(CLI::Range(0, 1024).description(""));
  app.add_option("--device-memory", arguments->device_memory,
                 "cap on the device's process, e.g. 256MiB (none)")
      ->type_name("SIZE");
  app.footer(
      "Examples:\n"
      "  ingot bundle pack lines.int8.onnx -o lines-1.0.0 --name lines --version 1.0.0 "
      "--preprocess eval.toml\n"
      "  ingot bundle pack m.onnx -o out/m-2 --name m --version 2 --runtime libonnxruntime.so.1 "
      "--report gate.json");
  return [arguments](Io& io) { return run_pack(*arguments, io); };
}

Run declare_bundle_verify(CLI::App& bundle) {
  CLI::App& app =
      *bundle.add_subcommand("verify", "compare every file of a bundle with its manifest");
  const auto folder = std::make_shared<fs::path>();  // shared: outlives the declaration
  app.add_option("DIR", *folder, "the bundle's folder")->required();
  app.footer(
      "Examples:\n"
      "  ingot bundle verify lines-1.0.0\n"
      "  ingot bundle verify lines-1.0.0 --json");
  return [folder](Io& io) {
    const manifests::CheckReport report = manifests::check_bundle(*folder, io.threads);
    io.out << (io.json ? to_json(report) : to_text(report));
    return report.findings.empty() ? 0 : 1;
  };
}

Run declare_bundle_inspect(CLI::App& bundle) {
  CLI::App& app = *bundle.add_subcommand(
      "inspect", "what a bundle says of itself; compares nothing, see verify");
  const auto folder = std::make_shared<fs::path>();  // shared: outlives the declaration
  app.add_option("DIR", *folder, "the bundle's folder")->required();
  app.footer(
      "Examples:\n"
      "  ingot bundle inspect lines-1.0.0\n"
      "  ingot bundle inspect lines-1.0.0 --json");
  return [folder](Io& io) {
    const manifests::Inspection inspection = manifests::inspect_bundle(*folder);
    io.out << (io.json ? to_json(inspection) : to_text(inspection));
    return 0;
  };
}

}  // namespace

Run declare_bundle(CLI::App& app) {
  app.require_subcommand(1);
  const Run pack = declare_pack(app), verify = declare_bundle_verify(app),
            inspect = declare_bundle_inspect(app);
  return [pack, verify, inspect, &app](Io& io) {
    if (app.got_subcommand("pack")) return pack(io);
    return app.got_subcommand("verify") ? verify(io) : inspect(io);
  };
}

}  // namespace ingot::cli
