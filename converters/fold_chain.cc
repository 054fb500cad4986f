// SPDX-License-Identifier: Apache-2.0
// Chains of affine nodes folded into the linear operator before them.
#include "converters/fold_chain.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "converters/linear.h"

namespace ingot::converters {
namespace {

struct Chain {
  std::vector<const onnx::NodeProto*> nodes;
  Affine map;
};

Chain follow(const graph::GraphIndex& index, const Linear& linear, const ReadAffine& read,
             const Edits& edits) {
  Chain chain;
  const onnx::NodeProto* last = linear.node;
  while (true) {
    const onnx::NodeProto* next = index.only_consumer(last->output(0));
    if (next == nullptr || edits.touched(*next)) return chain;
    const auto step = read(index, *next, linear.output_channels());
    if (!step || next->input(step->data_slot) != last->output(0)) return chain;
    chain.map = then(chain.map, step->map);
    chain.nodes.push_back(next);
    last = next;
  }
}

std::string names_of(const Chain& chain) {
  std::string text;
  for (const onnx::NodeProto* node : chain.nodes) {
    text += (text.empty() ? "" : ", ") + graph::describe(*node);
  }
  return text;
}

void fold_in(PassContext& context, onnx::GraphProto& graph, const ReadAffine& read) {
  const graph::GraphIndex index(context.model, graph);
  Edits edits;
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    if (edits.touched(node)) continue;
    const auto linear = read_linear(index, node);
    if (!linear) continue;
    const Chain chain = follow(index, *linear, read, edits);
    if (chain.nodes.empty()) continue;
    if (!fold_into_output(context, index, graph, *linear, chain.map, edits)) {
      context.left(graph::describe(node),
                   "a folded weight or bias would not fit its type, or the "
                   "bias is not one constant per channel");
      continue;
    }
    context.changed(graph::describe(node), fmt::format("took in {}", names_of(chain)));
    edits.rename_output(node, 0, chain.nodes.back()->output(0));
    for (const onnx::NodeProto* folded : chain.nodes) edits.remove(*folded);
  }
  edits.apply(graph);
}

}  // namespace

void fold_chains_back(PassContext& context, const ReadAffine& read) {
  if (!has_numpy_broadcast(context.model)) return;
  graph::for_each_graph(context.model.proto(),
                        [&](onnx::GraphProto& graph) { fold_in(context, graph, read); });
}

bool has_numpy_broadcast(const graph::Model& model) {
  return graph::opset_version(model.proto()) >= 7;
}

}  // namespace ingot::converters
