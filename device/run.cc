// SPDX-License-Identifier: Apache-2.0
// `ingot-run run`: one inference per input, from a bundle that was verified before any byte of it
// was parsed or loaded.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <ostream>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/text.h"
#include "data/npz.h"
#include "device/commands.h"
#include "device/findings.h"
#include "device/model_loader.h"
#include "device/reading.h"
#include "device/samples.h"
#include "device/stopwatch.h"

namespace ingot::device {
namespace {

namespace fs = std::filesystem;

constexpr std::array kOptions{
    Option{"--input", "FILE",
           ".npz with the model's inputs; or PNG or JPEG, where the bundle declares pictures",
           true},
    Option{"--output", "FILE.npz",
           "also write the outputs (several inputs: as 0/NAME, 1/NAME, ...)"},
    Option{"--threads", "N", "threads of the runtime (as the bundle says)"},
    Option{"--force", "", "overwrite an existing output"},
    Option{"--json", "", "one JSON object on stdout"},
};

/// What came out for one input.
struct Answer {
  std::string input;
  double decode_seconds = 0, preprocess_seconds = 0;
  std::int64_t latency_ns = 0;
  std::vector<ReadOutput> outputs;
};

Answer run_sample(LoadedModel& model, const Samples& samples, std::size_t i,
                  std::map<std::string, Tensor>* kept) {
  const data::Sample sample = samples.load(i);
  Answer answer{sample.name, sample.decode_seconds, sample.preprocess_seconds, 0, {}};
  runtime::Feeds feeds;
  for (const auto& [name, tensor] : sample.inputs) feeds.emplace(name, tensor.view());
  with_context([&] { return fmt::format("while running '{}'", sample.name); },
               [&] {
                 const Stopwatch watch;
                 const runtime::Results results = model.session->run(feeds);
                 answer.latency_ns = watch.ns();
                 for (std::size_t k = 0; k < results.size(); ++k) {
                   const TensorView view = results.view(k);
                   const std::string& name = model.session->outputs()[k].name;
                   answer.outputs.push_back(read_output(name, k == 0, view, samples.outputs()));
                   if (kept != nullptr)
                     kept->emplace(samples.size() == 1 ? name : fmt::format("{}/{}", i, name),
                                   Tensor::copy_of(view));
                 }
               });
  return answer;
}

std::string text_of(const ReadOutput& output) {
  std::string text;
  for (const std::string& line : output.lines) text += line + "\n";
  for (const std::vector<ReadOutput::Class>& row : output.top) {
    for (const ReadOutput::Class& entry : row) {
      text +=
          fmt::format("{}\t{}\n", entry.label.empty() ? std::to_string(entry.index) : entry.label,
                      format_number(entry.value));
    }
  }
  if (output.kind != data::OutputKind::kNone) return text;
  text = fmt::format("{} {} {}", output.name, dtype_name(output.dtype), to_string(output.shape));
  if (output.range) {
    text += fmt::format(" min {:.6g} max {:.6g} mean {:.6g}", output.range->min, output.range->max,
                        output.range->mean);
  }
  return text + "\n";
}

/// Where outputs are declared, they alone are shown; several inputs have their names in front of
/// each line.
void print_text(const std::vector<Answer>& answers, std::ostream& out) {
  for (const Answer& answer : answers) {
    const bool is_declared = std::ranges::any_of(answer.outputs, [](const ReadOutput& output) {
      return output.kind != data::OutputKind::kNone;
    });
    for (const ReadOutput& output : answer.outputs) {
      if (is_declared && output.kind == data::OutputKind::kNone) continue;
      const std::string text = text_of(output);
      for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin) + 1;
        if (answers.size() > 1) out << answer.input << '\t';
        out << std::string_view(text).substr(begin, end - begin);
        begin = end;
      }
    }
  }
}

OrderedJson output_json(const ReadOutput& output) {
  OrderedJson json{{"name", output.name},
                   {"datatype", manifests::datatype_name(output.dtype)},
                   {"shape", output.shape}};
  if (output.range) {
    json["min"] = output.range->min;
    json["max"] = output.range->max;
    json["mean"] = output.range->mean;
  }
  if (output.kind == data::OutputKind::kCtc) json["text"] = output.lines;
  if (output.kind == data::OutputKind::kTopK) {
    json["top"] = OrderedJson::array();
    for (const std::vector<ReadOutput::Class>& row : output.top) {
      OrderedJson classes = OrderedJson::array();
      for (const ReadOutput::Class& entry : row)
        classes.push_back({{"index", entry.index}, {"label", entry.label}, {"value", entry.value}});
      json["top"].push_back(std::move(classes));
    }
  }
  return json;
}

std::int64_t to_ns(double seconds) { return static_cast<std::int64_t>(seconds * 1e9); }

OrderedJson to_json(const std::vector<Answer>& answers, const manifests::Manifest& manifest,
                    const LoadedModel& model, std::int64_t verify_ns) {
  OrderedJson rows = OrderedJson::array();
  for (const Answer& answer : answers) {
    OrderedJson outputs = OrderedJson::array();
    for (const ReadOutput& output : answer.outputs) outputs.push_back(output_json(output));
    rows.push_back({{"input", answer.input},
                    {"decode_ns", to_ns(answer.decode_seconds)},
                    {"preprocess_ns", to_ns(answer.preprocess_seconds)},
                    {"latency_ns", answer.latency_ns},
                    {"outputs", std::move(outputs)}});
  }
  return {{"schema", "ingot.run.result"},
          {"schema_version", 1},
          {"code", "OK"},
          {"bundle",
           {{"id", manifest.bundle_id}, {"name", manifest.name}, {"version", manifest.version}}},
          {"runtime_version", model.library->version()},
          {"threads", model.config.intra_op_threads},
          {"verify_ns", verify_ns},
          {"load_ns", model.load_ns},
          {"samples", std::move(rows)}};
}

int run(const Arguments& arguments, Io& io) {
  if (arguments.positional().size() != 1)
    throw Error(Code::kUsage, "'run' wants one bundle folder: DIR");
  if (!arguments.has("--input")) throw Error(Code::kUsage, "'run' wants inputs: --input FILE");
  const fs::path folder = arguments.positional()[0], output = arguments.text("--output");
  const Overwrite overwrite = arguments.has("--force") ? Overwrite::kYes : Overwrite::kNo;
  if (!output.empty()) refuse_existing(output, overwrite);

  const Stopwatch verify_watch;
  manifests::Bundle bundle(folder);
  if (refuses(bundle.check(), folder, io)) return exit_code(Code::kInput);
  const std::int64_t verify_ns = verify_watch.ns();
  const manifests::Manifest& manifest = bundle.manifest();
  LoadedModel model = load_bundle(bundle, {arguments.integer("--threads", 0, 1, 1024)});
  const std::vector<std::string> inputs = arguments.texts("--input");
  const Samples samples = Samples::from_files(
      {inputs.begin(), inputs.end()},
      manifest.preprocess.empty() ? fs::path() : folder / manifest.preprocess, model.specs());
  // From here on nothing more is read from the bundle by path.
  if (refuses(bundle.changed_since_check(), folder, io)) return exit_code(Code::kInput);

  std::vector<Answer> answers;
  std::map<std::string, Tensor> kept;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    check_interrupt();
    answers.push_back(run_sample(model, samples, i, output.empty() ? nullptr : &kept));
  }
  if (!output.empty()) data::write_npz(output, kept, overwrite);
  if (io.json) {
    io.out << to_json(answers, manifest, model, verify_ns)
                  .dump(2, ' ', false, OrderedJson::error_handler_t::replace)
           << '\n';
  } else {
    print_text(answers, io.out);
  }
  return 0;
}

}  // namespace

const Command kRunCommand{
    "run",
    "DIR --input FILE... [--output FILE.npz] [--json]",
    "Verify a bundle, run its model on inputs and print what the outputs say",
    kOptions,
    "  ingot-run run lines-1.0.0 --input line.png\n"
    "  ingot-run run lines-1.0.0 --input sample.npz --output result.npz --json\n",
    run};

}  // namespace ingot::device
