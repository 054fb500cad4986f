// SPDX-License-Identifier: Apache-2.0
// The children of the check in the runtime: the first runs the original and records its outputs,
// the second runs the result on the same samples and compares. Each is a process of its own, so
// that a runtime that crashes takes nothing with it.
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <chrono>
#include <new>
#include <ostream>

#include "base/error.h"
#include "verify/check.h"
#include "verify/check_messages.h"
#include "verify/feeds.h"
#include "verify/generated_inputs.h"
#include "verify/ort_format.h"
#include "verify/repeatability.h"
#include "verify/sample_records.h"
#include "verify/signature.h"

namespace ingot::verify {
namespace {

constexpr std::size_t kGeneratedSamples = 3;

/// Does the work of one child; `stage` says how far it got when something throws.
class Worker {
 public:
  Worker(const CheckRequest& request, std::ostream& progress, CheckAnswer& answer)
      : request_(request),
        progress_(progress),
        answer_(answer),
        start_(std::chrono::steady_clock::now()) {}

  void run_original();
  void run_result();

 private:
  runtime::Session open_session() {
    answer_.stage = "library";
    const auto library = runtime::Library::open(request_.runtime);
    answer_.stage = "load";
    runtime::SessionOptions options;
    options.threads = request_.threads;
    options.optimization = request_.optimization;
    return {library, request_.model, options};
  }
  data::Dataset open_data(const Signature& signature) {
    answer_.stage = "data";
    return data::Dataset::open(request_.data, specs_of(signature), request_.max_samples);
  }
  void run_given(runtime::Session& session, const Signature& signature,
                 const std::vector<std::string>& outputs);
  void run_generated(runtime::Session& session, const Signature& signature,
                     const std::vector<std::string>& outputs);
  void record(runtime::Session& session, const std::string& sample,
              const std::map<std::string, Tensor>& inputs, const Signature& signature,
              const std::vector<std::string>& outputs);
  void compare(runtime::Session& session, RecordReader& records, const SignatureMatch& match);
  double elapsed_seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  void sign_of_life() {
    ++answer_.samples;
    progress_ << '.' << std::flush;
  }

  const CheckRequest& request_;
  std::ostream& progress_;
  CheckAnswer& answer_;
  std::chrono::steady_clock::time_point start_;
  std::optional<RecordWriter> writer_;
  std::optional<Repeatability> repeatability_;
};

void Worker::run_original() {
  runtime::Session session = open_session();
  Signature signature = signature_of(session);
  std::vector<runtime::ValueInfo> tensors;
  for (const auto& output : signature.outputs) {
    if (output.is_tensor) {
      tensors.push_back(output);
    } else {
      answer_.notes.push_back(
          fmt::format("output '{}' is not a tensor and was not compared", output.name));
    }
  }
  if (tensors.empty()) throw Error(Code::kUnsupported, "no output is a tensor");
  writer_.emplace(request_.records, signature);
  repeatability_.emplace(tensors, random_operators_in(request_.model));
  if (request_.data.empty()) {
    run_generated(session, signature, names_of(tensors));
  } else {
    run_given(session, signature, names_of(tensors));
  }
  writer_->close();
  answer_.complaint = repeatability_->complaint();
}

void Worker::record(runtime::Session& session, const std::string& sample,
                    const std::map<std::string, Tensor>& inputs, const Signature& signature,
                    const std::vector<std::string>& outputs) {
  const runtime::Feeds feeds = feeds_for(inputs, signature);
  const runtime::Results results = session.run(feeds, outputs);
  if (repeatability_->wants(answer_.samples))
    repeatability_->add(sample, results, session.run(feeds, outputs));
  std::vector<TensorView> views;
  for (std::size_t i = 0; i < results.size(); ++i) views.push_back(results.view(i));
  writer_->write(sample, request_.data.empty() ? inputs : std::map<std::string, Tensor>{}, views);
}

void Worker::run_given(runtime::Session& session, const Signature& signature,
                       const std::vector<std::string>& outputs) {
  const data::Dataset dataset = open_data(signature);
  for (std::size_t i = 0; i < dataset.size(); ++i) {
    answer_.stage = "data";
    const data::Sample sample = dataset.load(i);
    answer_.stage = "run";
    record(session, sample.name, sample.inputs, signature, outputs);
    sign_of_life();
  }
}

void Worker::run_generated(runtime::Session& session, const Signature& signature,
                           const std::vector<std::string>& outputs) {
  answer_.stage = "run";
  std::optional<graph::Model> model;
  try {
    model = graph::Model::load(request_.model);
  } catch (const Error&) {
    // The runtime reads it, which is enough: free dimensions then go by their place instead of
    // their names.
  }
  const auto inputs = describe_inputs(signature.inputs, model ? &*model : nullptr);
  std::optional<Error> first_failure;
  for (int attempt = 0; attempt < attempt_count() && answer_.samples < kGeneratedSamples;
       ++attempt) {
    if (answer_.samples > 0 && elapsed_seconds() > request_.seconds / 2) break;
    const auto made = generate_inputs(inputs, attempt, request_.seed);
    try {
      record(session, fmt::format("generated {}", answer_.samples + 1), made, signature, outputs);
      sign_of_life();
    } catch (const Error& error) {
      // Sizes or integers that this model refuses; the next attempt has others.
      if (error.code() != Code::kEngine && error.code() != Code::kInput &&
          error.code() != Code::kUnsupported)
        throw;
      if (!first_failure) first_failure = error;
    }
  }
  if (answer_.samples == 0 && first_failure) throw *first_failure;
}

void Worker::run_result() {
  runtime::Session session = open_session();
  answer_.stage = "data";
  RecordReader records(request_.records);
  const SignatureMatch match = verify::match(records.original(), signature_of(session));
  answer_.violations = match.violations;
  answer_.notes = match.warnings;
  if (match.can_feed && !match.outputs.empty()) compare(session, records, match);
}

void Worker::compare(runtime::Session& session, RecordReader& records,
                     const SignatureMatch& match) {
  const Signature signature = signature_of(session);
  std::optional<data::Dataset> dataset;
  if (!request_.data.empty()) dataset = open_data(records.original());
  Comparison comparison(match.outputs,
                        dataset ? dataset->outputs() : std::vector<data::OutputMeaning>{});
  std::vector<std::string> recorded;
  for (const auto& output : records.original().outputs) {
    if (output.is_tensor) recorded.push_back(output.name);
  }
  const std::vector<std::string> names = names_of(match.outputs);
  while (const auto record = records.next()) {
    answer_.stage = "data";
    const auto inputs = dataset ? dataset->load(answer_.samples).inputs : record->inputs;
    answer_.stage = "run";
    const runtime::Results results = session.run(feeds_for(inputs, signature), names);
    std::vector<TensorView> wanted, got;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
      if (std::find(names.begin(), names.end(), recorded[i]) != names.end())
        wanted.push_back(record->outputs[i]);
    }
    for (std::size_t i = 0; i < results.size(); ++i) got.push_back(results.view(i));
    comparison.add(record->sample, wanted, got);
    sign_of_life();
  }
  answer_.rows = comparison.rows();
}

void limit_process(const CheckRequest& request) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
#ifndef INGOT_SANITIZERS
  // AddressSanitizer's shadow alone is larger than any sensible limit.
  if (request.memory_bytes > 0) {
    const rlimit data{request.memory_bytes, request.memory_bytes};
    setrlimit(RLIMIT_DATA, &data);
  }
#else
  static_cast<void>(request);
#endif
}

}  // namespace

int check_child(const std::filesystem::path& request_path, std::ostream& progress) {
  const CheckRequest request = read_request(request_path);
  limit_process(request);
  CheckAnswer answer;
  try {
    Worker worker(request, progress, answer);
    switch (request.role) {
      case CheckRole::kOriginal:
        worker.run_original();
        break;
      case CheckRole::kResult:
        worker.run_result();
        break;
      case CheckRole::kWriteOrt:
        write_ort_in_child(request, answer);
        break;
    }
    answer.done = true;
  } catch (const Error& error) {
    answer.code = error.code();
    answer.message = error.what();
    answer.hint = error.hint();
  } catch (const std::bad_alloc&) {
    answer.code = Code::kEnvironment;
    answer.message = fmt::format("out of memory (at most {} bytes)", request.memory_bytes);
  }
  write_answer(request.answer, answer);
  return 0;
}

}  // namespace ingot::verify
