// SPDX-License-Identifier: Apache-2.0
#include "converters/opset/change_opset.h"

#include <algorithm>
#include <array>

#include "converters/operators.h"
#include "converters/passes/passes.h"
#include "converters/proven_types.h"

namespace ingot::converters {
namespace {

/// The first opset of each IR version, from ONNX's table of releases (docs/Versioning.md).
struct Release {
  std::int64_t opset, ir_version;
};
constexpr std::array kReleases = {Release{1, 3},   Release{9, 4},   Release{10, 5},
                                  Release{11, 6},  Release{12, 7},  Release{15, 8},
                                  Release{19, 9},  Release{21, 10}, Release{23, 11},
                                  Release{24, 12}, Release{25, 13}, Release{28, 14}};

/// Sets the version of the default domain where it is imported; returns the one before, 0 for none.
template <class Imports>
std::int64_t set_version(Imports& imports, std::int64_t target) {
  for (auto& import : imports) {
    if (!canonical_domain(import.domain()).empty()) continue;
    const std::int64_t before = import.version();
    import.set_version(target);
    return before;
  }
  return 0;
}

}  // namespace

std::int64_t ir_version_of(std::int64_t opset) {
  std::int64_t ir_version = kReleases.front().ir_version;
  for (const Release& release : kReleases) {
    if (opset >= release.opset) ir_version = release.ir_version;
  }
  return ir_version;
}

OpsetChange change_opset(graph::Model& model, std::int64_t target, Reporter& reporter) {
  onnx::ModelProto& proto = model.proto();
  OpsetChange change;
  change.from = change.to = graph::opset_version(proto);
  change.ir_from = change.ir_to = proto.ir_version();
  ProvenTypes types(model);
  PassContext context(model, reporter, types);
  OpsetRewriter rewriter(model, context.names, target);
  if (change.from != 0 && change.from != target) {
    // Which names are constant depends on the one, which types are known on the other.
    separate_weights(context);
    sort_graphs(context);
    if (rewriter.needs_types(change.from)) rewriter.scope().infer_types();
    rewriter.rewrite(*proto.mutable_graph(), change.from);
    for (auto& training : *proto.mutable_training_info()) {
      if (training.has_initialization())
        rewriter.rewrite(*training.mutable_initialization(), change.from);
      if (training.has_algorithm()) rewriter.rewrite(*training.mutable_algorithm(), change.from);
    }
    set_version(*proto.mutable_opset_import(), target);
    change.to = target;
  }
  for (auto& function : *proto.mutable_functions()) {
    const std::int64_t from = set_version(*function.mutable_opset_import(), target);
    if (from != 0 && from != target) rewriter.rewrite(function, from);
  }
  if (change.from != 0) proto.set_ir_version(std::max(proto.ir_version(), ir_version_of(target)));
  change.ir_to = proto.ir_version();
  change.rewrites = std::move(rewriter.rewrites());
  return change;
}

}  // namespace ingot::converters
