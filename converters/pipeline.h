// SPDX-License-Identifier: Apache-2.0
// The cleaning passes: one table, run in order to a fixed point. A pass rewrites the graph towards
// what the runtime runs best and never touches names, types or order of the model's inputs and
// outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/reporter.h"
#include "graph/graph_index.h"
#include "graph/model.h"

namespace ingot::converters {

class ProvenTypes;

/// One rewrite, for --explain.
struct Change {
  std::string pass;     ///< the row's name
  std::string subject;  ///< the node or tensor, as graph::describe gives it
  std::string reason;   ///< what was done to it, or why it was left alone
};

/// What a pass works on, and where it says what it did.
class PassContext {
 public:
  PassContext(graph::Model& edited, Reporter& told, ProvenTypes& known)
      : model(edited), names(edited), reporter(told), types(known) {}

  /// Records a rewrite; a pass that calls it has changed the model.
  void changed(std::string subject, std::string reason);
  /// True when no pass has changed anything since the round began.
  bool is_quiet() const { return changes_.size() == round_start_; }
  /// Records why a candidate was left alone; what the last round says is kept.
  void left(std::string subject, std::string reason);

  graph::Model& model;
  graph::NameMaker names;  ///< for new tensors
  Reporter& reporter;
  ProvenTypes& types;            ///< of the model at the start of the round, computed when asked
  std::int64_t grown_bytes = 0;  ///< what fold_constants has added to the weights so far

 private:
  friend class PassRunner;
  std::string pass_;
  std::vector<Change> changes_, left_;
  std::size_t round_start_ = 0;  ///< how many changes there were when the round began
};

/// A row of the pass table: one file in passes/, named like the row.
struct Pass {
  const char* name;       ///< "fold_batch_norm": the file passes/<name>.cc
  const char* reason;     ///< why it pays
  const char* invariant;  ///< what it never does
  /// True: the same values bit for bit. False: sums and products are rounded elsewhere, about 1e-6
  /// of the largest value; left out by PassOptions::exact.
  bool exact;
  void (*run)(PassContext& context);
};

/// All passes in the order they run.
std::span<const Pass> passes();

struct PassOptions {
  bool exact = false;             ///< leaves out the passes that are not exact
  std::vector<std::string> skip;  ///< names of rows to leave out; an unknown one throws kUsage
  int max_rounds = 10;  ///< the table is run again while anything changes, at most this often
};

/// How often a row changed something.
struct PassCount {
  std::string pass;
  std::size_t changes = 0;
};

struct CleanReport {
  std::size_t nodes_before = 0, nodes_after = 0;    ///< of all graphs, subgraphs included
  std::uint64_t bytes_before = 0, bytes_after = 0;  ///< weights as stored
  int rounds = 0;
  std::size_t repaired_value_infos = 0;  ///< descriptions of inner values that were wrong
  std::vector<PassCount> counts;         ///< in table order, rows that were run
  std::vector<Change> changes;           ///< every rewrite, in the order made
  std::vector<Change> left;              ///< candidates left alone, with the reason
};

/// Runs the passes on a valid model (see validate.h) in place. Drops descriptions of tensors that
/// are gone (value_info). Deterministic. Throws kInput when the graph has a cycle.
CleanReport clean(graph::Model& model, const PassOptions& options, Reporter& reporter);

}  // namespace ingot::converters
