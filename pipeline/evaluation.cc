// SPDX-License-Identifier: Apache-2.0
#include "pipeline/evaluation.h"

#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "base/interrupt.h"
#include "data/dataset.h"
#include "verify/feeds.h"
#include "verify/repeatability.h"
#include "verify/signature.h"

namespace ingot::pipeline {
namespace {

runtime::SessionOptions session_options(int threads) {
  runtime::SessionOptions options;
  options.threads = threads;
  return options;
}

/// A model that runs on the samples.
struct Side {
  Side(const char* its_role, const std::shared_ptr<const runtime::Library>& library,
       const std::filesystem::path& model, int threads)
      : role(its_role),
        path(model),
        session(library, model, session_options(threads)),
        signature(verify::signature_of(session)) {}

  runtime::Results run(const data::Sample& sample, const std::vector<std::string>& outputs) {
    return with_context(
        [&] { return fmt::format("{} model '{}', sample '{}'", role, path.string(), sample.name); },
        [&] { return session.run(verify::feeds_for(sample.inputs, signature), outputs); });
  }

  const char* role;
  std::filesystem::path path;
  runtime::Session session;
  verify::Signature signature;
};

/// "" when `candidate` can be fed and compared as the original.
std::string misfit(const Side& original, const Side& candidate) {
  const verify::SignatureMatch match = verify::match(original.signature, candidate.signature);
  if (!match.violations.empty())
    return fmt::format("the {} model differs: {}", candidate.role, match.violations.front());
  if (!match.not_tensors.empty()) {
    throw Error(Code::kUnsupported,
                fmt::format("output '{}' of '{}' is not a tensor; only tensors are compared",
                            match.not_tensors.front(), original.path.string()));
  }
  return {};
}

class Job {
 public:
  Job(const EvaluationOptions& options, Reporter& reporter)
      : reporter_(reporter),
        library_(runtime::Library::open(options.runtime)),
        original_("original", library_, options.original, options.threads),
        converted_("converted", library_, options.converted, options.threads),
        quantized_("quantized", library_, options.quantized, options.threads),
        dataset_(data::Dataset::open({options.data}, verify::specs_of(original_.signature))),
        names_(verify::names_of(original_.signature.outputs)) {}

  Evaluation run() {
    result_.samples = dataset_.size();
    result_.data_sha256 = dataset_.digest();
    for (const Side* side : {&converted_, &quantized_}) {
      result_.complaint = misfit(original_, *side);
      if (!result_.complaint.empty()) return std::move(result_);
    }
    for (const std::string& name : names_) {
      if (meaning_of(name) != nullptr) result_.readings.emplace_back().output = name;
    }
    compare_all();
    return std::move(result_);
  }

 private:
  /// The declaration of a ctc output; nullptr for any other. One without a name is the first
  /// output's.
  const data::OutputMeaning* meaning_of(const std::string& output) const {
    for (const data::OutputMeaning& meaning : dataset_.outputs()) {
      const std::string& named = meaning.output.empty() ? names_.front() : meaning.output;
      if (meaning.kind == data::OutputKind::kCtc && named == output) return &meaning;
    }
    return nullptr;
  }

  void compare_all() {
    const auto& outputs = original_.signature.outputs;
    verify::Comparison of_converted(outputs, dataset_.outputs()),
        of_quantized(outputs, dataset_.outputs());
    verify::Repeatability repeats(outputs, verify::random_operators_in(original_.path));
    for (std::size_t i = 0; i < dataset_.size(); ++i) {
      check_interrupt();
      reporter_.progress("verifying", i, dataset_.size());
      const data::Sample sample = dataset_.load(i);
      const runtime::Results wanted = original_.run(sample, names_);
      if (repeats.wants(i)) repeats.add(sample.name, wanted, original_.run(sample, names_));
      const runtime::Results got = quantized_.run(sample, names_);
      of_converted.add(sample.name, wanted, converted_.run(sample, names_));
      of_quantized.add(sample.name, wanted, got);
      read(sample, wanted, got);
    }
    reporter_.progress("verifying", dataset_.size(), dataset_.size());
    result_.complaint = repeats.complaint();
    if (!result_.complaint.empty()) return;
    result_.converted = of_converted.rows();
    result_.quantized = of_quantized.rows();
  }

  void read(const data::Sample& sample, const runtime::Results& wanted,
            const runtime::Results& got) {
    auto reading = result_.readings.begin();
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const data::OutputMeaning* meaning = meaning_of(names_[i]);
      if (meaning == nullptr) continue;
      add_sample(*reading++, sample.name, sample.text,
                 read_lines(wanted.view(i), *meaning, names_[i]),
                 read_lines(got.view(i), *meaning, names_[i]));
    }
  }

  Reporter& reporter_;
  std::shared_ptr<const runtime::Library> library_;
  Side original_, converted_, quantized_;
  data::Dataset dataset_;
  std::vector<std::string> names_;
  Evaluation result_;
};

}  // namespace

Evaluation evaluate(const EvaluationOptions& options, Reporter& reporter) {
  return Job(options, reporter).run();
}

}  // namespace ingot::pipeline
