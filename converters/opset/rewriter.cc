// SPDX-License-Identifier: Apache-2.0
#include "converters/opset/rewriter.h"

#include <algorithm>
#include <utility>

#include "base/interrupt.h"
#include "converters/operators.h"
#include "converters/opset/node_change.h"
#include "converters/opset/older_version.h"

namespace ingot::converters {

OpsetRewriter::OpsetRewriter(graph::Model& model, graph::NameMaker& names, std::int64_t target)
    : model_(model), names_(names), target_(target), scope_(model) {
  for (const auto& function : model.proto().functions())
    functions_.emplace(canonical_domain(function.domain()), function.name());
}

bool OpsetRewriter::is_standard(const onnx::NodeProto& node) const {
  return canonical_domain(node.domain()).empty() && !functions_.contains({"", node.op_type()});
}

bool OpsetRewriter::needs_types(std::int64_t from) const {
  if (target_ < from) return true;  // every node is held against older schemas
  bool needed = false;
  graph::for_each_graph(model_.proto(), [&](const onnx::GraphProto& graph) {
    for (const onnx::NodeProto& node : graph.node()) {
      if (needed || !is_standard(node)) continue;
      for (const OpsetStep& step : steps_of(node.op_type())) {
        needed = needed || (step.to > from && step.to <= target_ && step.up.rewrite != nullptr);
      }
    }
  });
  return needed;
}

void OpsetRewriter::rewrite(onnx::GraphProto& graph, std::int64_t from) {
  check_interrupt();
  scope_.enter(graph);
  rewrite_nodes(*graph.mutable_node(), from);
  scope_.leave();
}

void OpsetRewriter::rewrite(onnx::FunctionProto& function, std::int64_t from) {
  check_interrupt();
  scope_.enter(function);
  rewrite_nodes(*function.mutable_node(), from);
  scope_.leave();
}

void OpsetRewriter::rewrite_nodes(Nodes& nodes, std::int64_t from) {
  Nodes old;
  old.Swap(&nodes);
  nodes.Reserve(old.size());
  for (onnx::NodeProto& node : old) {
    rewrite_subgraphs(node, from);
    if (!is_standard(node)) {
      *nodes.Add() = std::move(node);
    } else {
      place(std::move(node), from, nodes);
    }
  }
}

void OpsetRewriter::rewrite_subgraphs(onnx::NodeProto& node, std::int64_t from) {
  for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
    if (attribute.has_g()) rewrite(*attribute.mutable_g(), from);
    for (onnx::GraphProto& inner : *attribute.mutable_graphs()) rewrite(inner, from);
  }
}

const OpsetStep* OpsetRewriter::next_step(const onnx::NodeProto& node, std::int64_t opset) const {
  const auto steps = steps_of(node.op_type());
  if (target_ > opset) {
    const auto next = std::ranges::find_if(
        steps, [&](const OpsetStep& step) { return step.to > opset && step.to <= target_; });
    // The step that brought the operator is none of a node that is there.
    return next == steps.end() || next->from == 0 ? nullptr : &*next;
  }
  const OpsetStep* last = nullptr;
  for (const OpsetStep& step : steps) {
    if (step.to <= opset && step.to > target_) last = &step;
  }
  return last;
}

/// Appends `node`, written for `opset`, to `out` as the target wants it, with the nodes that takes.
void OpsetRewriter::place(onnx::NodeProto node, std::int64_t opset, Nodes& out) {
  std::vector<std::pair<onnx::NodeProto, std::int64_t>> after;
  const bool is_up = target_ >= opset;
  while (const OpsetStep* step = next_step(node, opset)) {
    const StepWay& way = is_up ? step->up : step->down;
    const std::int64_t from = is_up ? step->from : step->to, to = is_up ? step->to : step->from;
    opset = is_up ? step->to : step->to - 1;
    if (is_up && way.kind == StepKind::kSame) continue;
    NodeChange change(node, {from, to, opset, target_}, model_, scope_, names_);
    if (way.kind == StepKind::kNot) change.refuse(way.note);
    if (way.rewrite != nullptr) {
      std::string subject = graph::describe(node);
      way.rewrite(change);
      rewrites_.push_back({std::move(subject), from, to, way.note});
    }
    if (!is_up) require_older(change);
    for (WrittenNode& made : change.nodes_before()) place(std::move(made.node), made.opset, out);
    for (auto made = change.nodes_after().rbegin(); made != change.nodes_after().rend(); ++made)
      after.emplace_back(std::move(made->node), made->opset);
  }
  *out.Add() = std::move(node);
  for (auto made = after.rbegin(); made != after.rend(); ++made)
    place(std::move(made->first), made->second, out);
}

}  // namespace ingot::converters
