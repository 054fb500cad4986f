// SPDX-License-Identifier: Apache-2.0
// The pass table and the loop over it.
#include "converters/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/interrupt.h"
#include "base/text.h"
#include "converters/passes/passes.h"
#include "converters/proven_types.h"
#include "converters/value_infos.h"

namespace ingot::converters {
namespace {

constexpr std::array kPasses = {
    Pass{"inline_functions", "passes and quantization see only nodes, and the runtime inlines too",
         "large constants of a function are stored once", true, inline_functions},
    Pass{"rename_clashes", "tensors the runtime adds must not meet another of their name",
         "inputs and outputs of the model keep their names", true, rename_clashes},
    Pass{"sort_graphs", "the other passes and the runtime walk the nodes in order",
         "adds and removes no node", true, sort_graphs},
    Pass{"name_nodes", "the runtime refuses two nodes of one name, and reports go by names",
         "tensors keep their names", true, name_nodes},
    Pass{"separate_weights", "before IR version 4 every weight had to be listed as an input",
         "an input that a user has to feed stays", true, separate_weights},
    Pass{"lift_constants", "only initializers are weights to the passes and to quantization",
         "names and bytes stay", true, lift_constants},
    Pass{"inline_constant_if", "no pass sees through an If, and the runtime plans both branches",
         "only the branch that would run is kept", true, inline_constant_if},
    Pass{"remove_identity", "the runtime copies what an Identity or an inference Dropout passes on",
         "inputs and outputs of the model keep their names", true, remove_identity},
    Pass{"remove_no_ops", "Reshape, Cast, Slice and the like that change nothing cost a copy",
         "what depends on the shapes that are fed stays", true, remove_no_ops},
    Pass{"merge_casts", "a Cast behind a Cast that loses nothing is one pass over memory too many",
         "no value is rounded or wrapped that was not before", true, merge_casts},
    Pass{"merge_reshapes", "of Reshapes, Squeezes and Unsqueezes in a row the last one says it all",
         "what other nodes read stays", true, merge_reshapes},
    Pass{"merge_transposes", "Transposes that undo each other copy everything twice",
         "what other nodes read stays; per-channel operators keep their axis", true,
         merge_transposes},
    Pass{"fold_constants", "weights behind Slice, Concat or Reshape are hidden from quantization",
         "the file grows by at most 1 MiB, no stored type is widened", true, fold_constants},
    Pass{"fix_reshapes", "shapes computed at run time hide what is known from everything behind",
         "an empty input stays as good as before", true, fix_reshapes},
    Pass{"fold_batch_norm", "in inference it is one product and one sum per channel",
         "shared, overridable and output weights stay", false, fold_batch_norm},
    Pass{"recover_hard_swish", "the runtime fuses HardSwish into the Conv before it",
         "tensors that anything else reads stay", false, recover_hard_swish},
    Pass{"fold_affine_back", "a Mul or Add per channel after a Conv costs a pass over memory",
         "shared, overridable and output weights stay", false, fold_affine_back},
    Pass{"fold_affine_forward", "a Mul or Add per channel before a Conv costs a pass over memory",
         "no Add moves past zero padding", false, fold_affine_forward},
    Pass{"share_nodes", "the same operator on the same inputs is computed twice",
         "random operators, foreign domains and nodes with subgraphs stay", true, share_nodes},
    Pass{"share_weights", "equal weights are stored and loaded twice",
         "equal means every byte: 0 and -0 differ", true, share_weights},
    Pass{"remove_dead_code", "the runtime keeps some nodes that nobody reads, and their weights",
         "nodes of foreign domains, inputs and outputs stay", true, remove_dead_code},
};

void refuse_unknown(const std::vector<std::string>& skip) {
  std::vector<std::string> known;
  for (const Pass& pass : kPasses) known.emplace_back(pass.name);
  for (const std::string& name : skip) {
    if (std::ranges::find(known, name) != known.end()) continue;
    throw Error(Code::kUsage, fmt::format("unknown pass '{}'{}", name, did_you_mean(name, known)));
  }
}

std::size_t node_count(const graph::Model& model) {
  std::size_t count = 0;
  graph::for_each_graph(model.proto(), [&count](const onnx::GraphProto& graph) {
    count += static_cast<std::size_t>(graph.node_size());
  });
  return count;
}

}  // namespace

std::span<const Pass> passes() { return kPasses; }

void PassContext::changed(std::string subject, std::string reason) {
  changes_.push_back({pass_, std::move(subject), std::move(reason)});
}

void PassContext::left(std::string subject, std::string reason) {
  left_.push_back({pass_, std::move(subject), std::move(reason)});
}

/// Runs rows and keeps their log.
class PassRunner {
 public:
  PassRunner(graph::Model& model, const PassOptions& options, Reporter& reporter)
      : types_(model), context_(model, reporter, types_) {
    for (const Pass& pass : kPasses) {
      const bool skipped = std::ranges::find(options.skip, pass.name) != options.skip.end();
      if (skipped || (options.exact && !pass.exact)) continue;
      rows_.push_back(&pass);
      report_.counts.push_back({pass.name, 0});
    }
  }

  /// One round over the table; true when anything changed.
  bool run_round() {
    const std::size_t before = context_.changes_.size();
    // A candidate's last word counts: it may be left alone in one round and folded in the next.
    context_.left_.clear();
    types_.forget();
    context_.round_start_ = before;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      check_interrupt();
      context_.pass_ = rows_[i]->name;
      const std::size_t start = context_.changes_.size();
      rows_[i]->run(context_);
      report_.counts[i].changes += context_.changes_.size() - start;
    }
    ++report_.rounds;
    return context_.changes_.size() != before;
  }

  CleanReport finish() {
    report_.changes = std::move(context_.changes_);
    report_.left = std::move(context_.left_);
    return std::move(report_);
  }

 private:
  ProvenTypes types_;
  PassContext context_;
  std::vector<const Pass*> rows_;
  CleanReport report_;
};

CleanReport clean(graph::Model& model, const PassOptions& options, Reporter& reporter) {
  refuse_unknown(options.skip);
  const std::size_t nodes_before = node_count(model);
  const std::uint64_t bytes_before = model.weight_bytes();
  PassRunner runner(model, options, reporter);
  for (int round = 0; round < options.max_rounds && runner.run_round(); ++round) {
    reporter.progress("cleaning", static_cast<std::size_t>(round) + 1,
                      static_cast<std::size_t>(options.max_rounds));
  }
  const std::size_t repaired = repair_value_infos(model);
  CleanReport report = runner.finish();
  report.repaired_value_infos = repaired;
  report.nodes_before = nodes_before;
  report.bytes_before = bytes_before;
  report.nodes_after = node_count(model);
  report.bytes_after = model.weight_bytes();
  return report;
}

}  // namespace ingot::converters
