// SPDX-License-Identifier: Apache-2.0
// Mul, Add, Sub, Div by constants per channel and BatchNormalization folded into the Conv,
// ConvTranspose or Gemm that alone reads them. Before zero padding only products move: what is
// added would be missing in the border, so one Add stays.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "converters/constants.h"
#include "converters/fold_chain.h"
#include "converters/linear.h"
#include "converters/passes/passes.h"
#include "converters/tensor_types.h"

namespace ingot::converters {
namespace {

struct Chain {
  std::vector<onnx::NodeProto*> nodes;  ///< nearest to the linear operator first
  std::string source;                   ///< what the chain reads
  Affine map;
};

class ForwardFold {
 public:
  ForwardFold(PassContext& context, onnx::GraphProto& graph, TensorTypes& types)
      : context_(context), graph_(graph), index_(context.model, graph), types_(types) {}

  void run() {
    for (onnx::NodeProto& node : *graph_.mutable_node()) {
      if (edits_.touched(node)) continue;
      const auto linear = read_linear(index_, node);
      if (!linear || graph::int_attribute(node, "transA", 0) != 0) continue;
      const Chain chain = follow(*linear);
      if (!chain.nodes.empty()) fold(*linear, chain);
    }
    edits_.apply(graph_);
  }

 private:
  Chain follow(const Linear& linear) {
    Chain chain;
    chain.source = linear.node->input(0);
    const onnx::NodeProto* reader = linear.node;
    while (index_.only_consumer(chain.source) == reader) {
      onnx::NodeProto* node = index_.producer(chain.source);
      if (node == nullptr || edits_.touched(*node)) break;
      const auto step = read_step(*node, linear.input_channels());
      if (!step) break;
      chain.map = then(step->map, chain.map);
      chain.source = node->input(step->data_slot);
      chain.nodes.push_back(node);
      reader = node;
    }
    return chain;
  }

  /// `node` as an affine map whose result has the shape of its data: a constant may not widen it.
  std::optional<AffineNode> read_step(const onnx::NodeProto& node, const Channels& channels) {
    if (auto step = read_batch_norm(index_, node, channels)) return step;
    auto step = read_elementwise(index_, node, channels);
    if (!step) return std::nullopt;
    const auto constant = index_.constant(node.input(1 - step->data_slot));
    const int rank = static_cast<int>(constant->shape.size());
    if (constant->count() == 1 && rank < channels.rank) return step;
    const Shape* data = types_.shape(node.input(step->data_slot));
    if (data == nullptr || static_cast<int>(data->size()) != channels.rank) return std::nullopt;
    if (constant->count() != 1 && (*data)[1] != channels.count) return std::nullopt;
    return step;
  }

  void fold(const Linear& linear, const Chain& chain) {
    onnx::NodeProto& node = *linear.node;
    const bool keeps_add = chain.map.shifts() && linear.pads();
    if (keeps_add && !chain.map.scales()) {
      context_.left(graph::describe(node), "an Add before zero padding cannot move past it");
      return;
    }
    Affine folded = chain.map;
    std::optional<std::vector<double>> rest;
    if (keeps_add) {
      rest = shift_before_scale(linear, chain.map);
      folded.shift = {0.0};
    }
    if ((keeps_add && !rest) ||
        !fold_into_input(context_, index_, graph_, linear, folded, edits_)) {
      context_.left(graph::describe(node),
                    "a folded constant would not fit its type, or the bias is "
                    "not one constant per channel");
      return;
    }
    std::string names;
    for (const onnx::NodeProto* gone : chain.nodes) {
      names = graph::describe(*gone) + (names.empty() ? "" : ", ") + names;
      const bool is_place_of_add = keeps_add && gone == chain.nodes.front();
      if (!is_place_of_add) edits_.remove(*gone);
    }
    context_.changed(graph::describe(node),
                     fmt::format("took in {} before it{}", names,
                                 keeps_add ? "; one Add stays because of the padding" : ""));
    edits_.set_input(node, 0, keeps_add ? keep_add(linear, chain, *rest) : chain.source);
  }

  /// scale·x + shift = scale·(x + shift / scale); nullopt when the quotient does not fit.
  static std::optional<std::vector<double>> shift_before_scale(const Linear& linear,
                                                               const Affine& map) {
    const std::size_t count = std::max(map.scale.size(), map.shift.size());
    std::vector<double> rest(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto channel = static_cast<std::int64_t>(i);
      rest[i] = map.shift_of(channel) / map.scale_of(channel);
    }
    if (!fits(linear.dtype, rest)) return std::nullopt;
    return rest;
  }

  /// Puts an Add of `values` in the place of the chain's last node; returns what it writes.
  std::string keep_add(const Linear& linear, const Chain& chain,
                       const std::vector<double>& values) {
    onnx::NodeProto& place = *chain.nodes.front();
    // One value needs no axes: rank 0 broadcasts to anything.
    Shape shape;
    if (values.size() > 1) {
      shape.assign(linear.weight_shape.size() - 1, 1);
      shape[0] = linear.inputs;
    }
    const std::string key = graph::node_key(place);
    onnx::NodeProto add;
    add.set_op_type("Add");
    add.set_name(place.name());
    add.add_input(chain.source);
    add.add_input(context_.names.fresh(key + "_shift"));
    add.add_output(context_.names.fresh(key + "_shifted"));
    context_.model.add_initializer(graph_, add.input(1), rounded(linear.dtype, shape, values));
    const std::string output = add.output(0);
    edits_.replace(place, std::move(add));
    return output;
  }

  PassContext& context_;
  onnx::GraphProto& graph_;
  graph::GraphIndex index_;
  TensorTypes& types_;
  Edits edits_;
};

}  // namespace

void fold_affine_forward(PassContext& context) {
  if (!has_numpy_broadcast(context.model)) return;
  TensorTypes types(context.model);
  graph::for_each_graph(context.model.proto(),
                        [&](onnx::GraphProto& graph) { ForwardFold(context, graph, types).run(); });
}

}  // namespace ingot::converters
