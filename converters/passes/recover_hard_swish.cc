// SPDX-License-Identifier: Apache-2.0
// x · Clip(x + 3, 0, 6) / 6 in its usual orders, and x · HardSigmoid(x; 1/6, 1/2), written as the
// one operator HardSwish.
#include <cmath>
#include <optional>
#include <vector>

#include "converters/constants.h"
#include "converters/edits.h"
#include "converters/passes/passes.h"
#include "converters/tensor_types.h"

namespace ingot::converters {
namespace {

/// The opset that brought HardSwish.
constexpr std::int64_t kFirstOpset = 14;

struct Match {
  std::string input;
  std::vector<const onnx::NodeProto*> inner;  ///< nodes that vanish besides the last one
};

/// Matches the patterns ending in one node.
class Matcher {
 public:
  Matcher(const graph::GraphIndex& index, TensorTypes& types, const Edits& edits)
      : index_(index), types_(types), edits_(edits) {}

  std::optional<Match> match(const onnx::NodeProto& last) {
    if (const auto product = sixth_of(last)) {  // (x · clip) / 6
      const onnx::NodeProto* mul = inner(*product, last);
      if (!is_op(mul, "Mul")) return std::nullopt;
      auto found = times_gate(*mul, [&](const std::string& name, const onnx::NodeProto& reader) {
        return clip_gate(name, reader);
      });
      if (found) found->inner.push_back(mul);
      return found;
    }
    if (!is_op(&last, "Mul")) return std::nullopt;
    return times_gate(last, [&](const std::string& name, const onnx::NodeProto& reader) {
      auto gate = hard_sigmoid_gate(name, reader);
      return gate ? gate : scaled_clip_gate(name, reader);
    });
  }

 private:
  /// The node that writes `name` when only `reader` reads it.
  const onnx::NodeProto* inner(const std::string& name, const onnx::NodeProto& reader) const {
    const onnx::NodeProto* node = index_.producer(name);
    if (node == nullptr || index_.only_consumer(name) != &reader || edits_.touched(*node)) {
      return nullptr;
    }
    return node;
  }

  /// `mul` as x times a gate over the same x.
  template <class Gate>
  std::optional<Match> times_gate(const onnx::NodeProto& mul, Gate gate) {
    for (const int slot : {0, 1}) {
      auto found = gate(mul.input(slot), mul);
      if (found && found->input == mul.input(1 - slot)) return found;
    }
    return std::nullopt;
  }

  std::optional<Match> hard_sigmoid_gate(const std::string& name, const onnx::NodeProto& reader) {
    const onnx::NodeProto* node = inner(name, reader);
    if (!is_op(node, "HardSigmoid")) return std::nullopt;
    const auto alpha = static_cast<double>(graph::float_attribute(*node, "alpha", 0.2F));
    const auto beta = static_cast<double>(graph::float_attribute(*node, "beta", 0.5F));
    if (!is_sixth(alpha) || beta != 0.5) return std::nullopt;
    return Match{node->input(0), {node}};
  }

  std::optional<Match> scaled_clip_gate(const std::string& name, const onnx::NodeProto& reader) {
    const onnx::NodeProto* node = inner(name, reader);
    if (node == nullptr) return std::nullopt;
    const auto clipped = sixth_of(*node);
    if (!clipped) return std::nullopt;
    auto found = clip_gate(*clipped, *node);
    if (found) found->inner.push_back(node);
    return found;
  }

  /// Clip(x + 3, 0, 6).
  std::optional<Match> clip_gate(const std::string& name, const onnx::NodeProto& reader) {
    const onnx::NodeProto* clip = inner(name, reader);
    if (!is_op(clip, "Clip") || clip->input_size() != 3) return std::nullopt;
    if (!is_value(clip->input(1), 0.0) || !is_value(clip->input(2), 6.0)) return std::nullopt;
    const onnx::NodeProto* add = inner(clip->input(0), *clip);
    if (!is_op(add, "Add")) return std::nullopt;
    for (const int slot : {0, 1}) {
      const std::string& data = add->input(1 - slot);
      if (is_value(add->input(slot), 3.0) && keeps_rank(add->input(slot), data)) {
        return Match{data, {clip, add}};
      }
    }
    return std::nullopt;
  }

  /// The input that `node` divides by 6 or multiplies by 1/6.
  std::optional<std::string> sixth_of(const onnx::NodeProto& node) {
    if (is_op(&node, "Div") && is_value(node.input(1), 6.0) &&
        keeps_rank(node.input(1), node.input(0))) {
      return node.input(0);
    }
    if (!is_op(&node, "Mul")) return std::nullopt;
    for (const int slot : {0, 1}) {
      const auto value = float_value(node.input(slot));
      if (value && is_sixth(*value) && keeps_rank(node.input(slot), node.input(1 - slot))) {
        return node.input(1 - slot);
      }
    }
    return std::nullopt;
  }

  static bool is_sixth(double value) { return std::abs(value * 6.0 - 1.0) < 1e-6; }

  /// float32 only: the runtime has no HardSwish for other types where it has Add, Clip and Mul.
  std::optional<double> float_value(const std::string& name) const {
    const auto constant = index_.constant(name);
    if (!constant || constant->dtype != DType::kFloat) return std::nullopt;
    return single_value(*constant);
  }

  bool is_value(const std::string& name, double wanted) const {
    return float_value(name) == wanted;
  }

  /// A constant of shape [1] makes a scalar a vector.
  bool keeps_rank(const std::string& constant_name, const std::string& data) {
    const std::size_t rank = index_.constant(constant_name)->shape.size();
    if (rank == 0) return true;
    const auto data_rank = types_.rank(data);
    return data_rank && *data_rank >= static_cast<int>(rank);
  }

  const graph::GraphIndex& index_;
  TensorTypes& types_;
  const Edits& edits_;
};

void recover_in(PassContext& context, onnx::GraphProto& graph, TensorTypes& types) {
  const graph::GraphIndex index(context.model, graph);
  Edits edits;
  Matcher matcher(index, types, edits);
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    if (edits.touched(node) || node.input_size() != 2) continue;
    const auto found = matcher.match(node);
    if (!found) continue;
    onnx::NodeProto swish;
    swish.set_op_type("HardSwish");
    swish.set_name(node.name());
    swish.add_input(found->input);
    swish.add_output(node.output(0));
    context.changed(graph::describe(node), "is HardSwish together with the nodes before it");
    for (const onnx::NodeProto* inner : found->inner) edits.remove(*inner);
    edits.replace(node, std::move(swish));
  }
  edits.apply(graph);
}

}  // namespace

void recover_hard_swish(PassContext& context) {
  if (graph::opset_version(context.model.proto()) < kFirstOpset) return;
  TensorTypes types(context.model);
  graph::for_each_graph(context.model.proto(),
                        [&](onnx::GraphProto& graph) { recover_in(context, graph, types); });
}

}  // namespace ingot::converters
