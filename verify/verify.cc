// SPDX-License-Identifier: Apache-2.0
#include "verify/verify.h"

#include <fmt/format.h>

#include "base/interrupt.h"
#include "base/json.h"
#include "verify/feeds.h"
#include "verify/repeatability.h"
#include "verify/row_json.h"
#include "verify/signature.h"
#include "verify/tolerance.h"

namespace ingot::verify {
namespace {

runtime::SessionOptions session_options(int threads) {
  runtime::SessionOptions options;
  options.threads = threads;
  return options;
}

/// One of the two models, with what is needed to run and judge it.
struct Side {
  Side(const char* its_role, std::shared_ptr<const runtime::Library> library,
       const std::filesystem::path& model, int threads)
      : role(its_role),
        session(std::move(library), model, session_options(threads)),
        signature(signature_of(session)),
        path(model) {}

  const char* role;
  runtime::Session session;
  Signature signature;
  std::filesystem::path path;
};

/// Runs `side` on a sample, twice where that is wanted.
runtime::Results run_side(Side& side, const data::Sample& sample,
                          const std::vector<std::string>& outputs, std::size_t number,
                          Repeatability& repeatability) {
  return with_context(
      [&] {
        return fmt::format("{} '{}', sample '{}'", side.role, side.path.string(), sample.name);
      },
      [&] {
        const runtime::Feeds feeds = feeds_for(sample.inputs, side.signature);
        runtime::Results results = side.session.run(feeds, outputs);
        if (repeatability.wants(number))
          repeatability.add(sample.name, results, side.session.run(feeds, outputs));
        return results;
      });
}

void refuse_non_tensors(const SignatureMatch& match, const std::filesystem::path& model) {
  if (match.not_tensors.empty()) return;
  throw Error(Code::kUnsupported,
              fmt::format("output '{}' of '{}' is not a tensor; only tensors are compared",
                          match.not_tensors.front(), model.string()));
}

void compare_all(const Options& options, Side& reference, Side& candidate,
                 const data::Dataset& dataset, const SignatureMatch& match, Report& report) {
  const std::vector<std::string> names = names_of(match.outputs);
  Comparison comparison(match.outputs, dataset.outputs());
  Repeatability reference_repeats(match.outputs, random_operators_in(reference.path));
  Repeatability candidate_repeats(match.outputs, random_operators_in(candidate.path));
  for (std::size_t i = 0; i < dataset.size(); ++i) {
    check_interrupt();
    if (options.reporter != nullptr) options.reporter->progress("comparing", i, dataset.size());
    const data::Sample sample = dataset.load(i);
    const runtime::Results wanted = run_side(reference, sample, names, i, reference_repeats);
    const runtime::Results got = run_side(candidate, sample, names, i, candidate_repeats);
    comparison.add(sample.name, wanted, got);
  }
  if (options.reporter != nullptr)
    options.reporter->progress("comparing", dataset.size(), dataset.size());
  report.rows = comparison.rows();
  report.compared = true;
  for (const auto& [side, repeats] :
       {std::pair(&reference, &reference_repeats), std::pair(&candidate, &candidate_repeats)}) {
    const std::string complaint = repeats->complaint();
    if (complaint.empty()) continue;
    report.compared = false;
    report.violations.push_back(
        fmt::format("cannot compare: the {} does not repeat itself: {}", side->role, complaint));
  }
}

}  // namespace

Report verify(const Options& options) {
  Report report;
  report.reference = options.reference.string();
  report.candidate = options.candidate.string();
  report.limits = options.limits.empty() ? default_tolerance() : options.limits;
  const auto library = runtime::Library::open(options.runtime);
  report.runtime_version = library->version();
  Side reference("reference", library, options.reference, options.threads);
  Side candidate("candidate", library, options.candidate, options.threads);
  const auto dataset =
      data::Dataset::open(options.data, specs_of(reference.signature), options.max_samples);
  report.samples = dataset.size();
  report.data_digest = dataset.digest();

  const SignatureMatch match = verify::match(reference.signature, candidate.signature);
  report.violations = match.violations;
  report.warnings = match.warnings;
  refuse_non_tensors(match, options.reference);
  if (!match.can_feed || match.outputs.empty()) return report;

  compare_all(options, reference, candidate, dataset, match, report);
  if (!options.limits.empty()) require_measured(report.rows, options.limits);
  if (report.compared) {
    for (std::string& violation : violations(report.rows, report.limits))
      report.violations.push_back(std::move(violation));
  }
  return report;
}

std::string Report::json() const {
  const OrderedJson document{{"schema", "ingot.verify"},
                             {"schema_version", 1},
                             {"reference", reference},
                             {"candidate", candidate},
                             {"runtime_version", runtime_version},
                             {"samples", samples},
                             {"data_sha256", data_digest},
                             {"within", within()},
                             {"compared", compared},
                             {"limits", limits_json(limits)},
                             {"violations", violations},
                             {"warnings", warnings},
                             {"outputs", rows_json(rows)}};
  // Names in a model may hold bytes that are no UTF-8.
  return document.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace ingot::verify
