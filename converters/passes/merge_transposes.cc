// SPDX-License-Identifier: Apache-2.0
// Transposes that meet become one or none: directly, through operators that work element by
// element, or where two tensors turned alike are put together. Each rewrite leaves fewer of them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "converters/edits.h"
#include "converters/evaluators.h"
#include "converters/passes/passes.h"

namespace ingot::converters {
namespace {

/// What works element by element on its first input; further inputs are single numbers.
constexpr std::array<std::string_view, 31> kUnary = {
    "Abs",       "Cast",  "Ceil",           "Clip",        "Cos",       "Elu",        "Erf",
    "Exp",       "Floor", "Gelu",           "HardSigmoid", "HardSwish", "IsInf",      "IsNaN",
    "LeakyRelu", "Log",   "Mish",           "Neg",         "Not",       "Reciprocal", "Relu",
    "Round",     "Selu",  "Sigmoid",        "Sign",        "Sin",       "Softplus",   "Softsign",
    "Sqrt",      "Tanh",  "ThresholdedRelu"};
constexpr std::array<std::string_view, 5> kBinary = {"Add", "Div", "Mul", "Pow", "Sub"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& ops, const onnx::NodeProto& node) {
  return is_standard(node) && node.output_size() == 1 &&
         std::ranges::find(ops, node.op_type()) != ops.end();
}

/// Position i of the result comes from position perm[i].
Ints composed(const Ints& first, const Ints& second) {
  Ints both;
  for (const std::int64_t at : second) both.push_back(first[static_cast<std::size_t>(at)]);
  return both;
}

Ints inverse(const Ints& perm) {
  Ints back(perm.size());
  for (std::size_t i = 0; i < perm.size(); ++i) {
    back[static_cast<std::size_t>(perm[i])] = static_cast<std::int64_t>(i);
  }
  return back;
}

/// `constant` as it must be in front of a Transpose by `perm` to be `constant` behind it.
std::optional<Tensor> turned_back(const TensorView& constant, const Ints& perm) {
  if (constant.shape.size() > perm.size() || dtype_bits(constant.dtype) < 8) return std::nullopt;
  TensorView wide = constant;
  wide.shape.insert(wide.shape.begin(), perm.size() - constant.shape.size(), 1);
  const Ints strides = row_major_strides(wide.shape);
  Shape shape;
  Ints moved;
  for (const std::int64_t axis : inverse(perm)) {
    shape.push_back(wide.shape[static_cast<std::size_t>(axis)]);
    moved.push_back(strides[static_cast<std::size_t>(axis)]);
  }
  return gather_strided(wide, std::move(shape), moved, 0);
}

class Merger {
 public:
  Merger(PassContext& context, onnx::GraphProto& graph)
      : context_(context), graph_(graph), index_(context.model, graph) {}

  void run() {
    for (const onnx::NodeProto& node : graph_.node()) places_.emplace(&node, places_.size());
    for (onnx::NodeProto& node : *graph_.mutable_node()) {
      if (edits_.touched(node)) continue;
      if (is_op(&node, "Transpose")) {
        meet_before(node);
      } else if (is_one_of(kBinary, node) && node.input_size() == 2) {
        join(node);
      }
    }
    edits_.apply(graph_);
  }

 private:
  std::optional<Ints> perm_of(const onnx::NodeProto& node) {
    Ints perm = graph::ints_attribute(node, "perm");
    if (graph::find_attribute(node, "perm") == nullptr) {
      const auto rank = context_.types.rank(graph_, node.input(0));
      if (!rank) return std::nullopt;
      perm.resize(static_cast<std::size_t>(*rank));
      std::iota(perm.rbegin(), perm.rend(), 0);
    }
    Ints sorted = perm;
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (sorted[i] != static_cast<std::int64_t>(i)) return std::nullopt;
    }
    return perm;
  }

  /// The Transpose that writes `name` for `reader`; `alone`: for nobody else.
  onnx::NodeProto* transpose_before(const std::string& name, const onnx::NodeProto& reader,
                                    bool alone) {
    onnx::NodeProto* node = index_.producer(name);
    if (!is_op(node, "Transpose") || edits_.touched(*node)) return nullptr;
    return alone && index_.only_consumer(name) != &reader ? nullptr : node;
  }

  /// Walks back from a Transpose through operators that only it reads to the Transpose they begin
  /// with.
  void meet_before(onnx::NodeProto& last) {
    std::vector<onnx::NodeProto*> between;
    onnx::NodeProto* reader = &last;
    int slot = 0;
    onnx::NodeProto* first = nullptr;
    while (first == nullptr) {
      const std::string& name = reader->input(slot);
      // A first Transpose that others read too may stay for them when nothing lies between.
      first = transpose_before(name, *reader, !between.empty());
      if (first != nullptr) break;
      onnx::NodeProto* node = index_.producer(name);
      if (node == nullptr || edits_.touched(*node) || index_.only_consumer(name) != reader) return;
      const auto data = data_slot(*node);
      if (!data) return;
      between.push_back(node);
      reader = node;
      slot = *data;
    }
    const auto before = perm_of(*first), after = perm_of(last);
    if (!before || !after || before->size() != after->size()) return;
    const auto constants = constants_before(between, *before);
    if (!constants) return;
    merge(*first, between, last, *constants, composed(*before, *after));
  }

  /// The input that runs through an operator working element by element; nullopt for others.
  std::optional<int> data_slot(const onnx::NodeProto& node) const {
    if (is_one_of(kUnary, node)) return 0;
    if (!is_one_of(kBinary, node) || node.input_size() != 2) return std::nullopt;
    for (const int slot : {0, 1}) {
      if (index_.constant(node.input(1 - slot)) && !index_.constant(node.input(slot))) return slot;
    }
    return std::nullopt;
  }

  struct Turned {
    onnx::NodeProto* node;
    int slot;
    Tensor value;
  };

  /// The constants of `between` that have axes to turn; nullopt when one cannot be, or is too large
  /// to be stored a second time.
  std::optional<std::vector<Turned>> constants_before(const std::vector<onnx::NodeProto*>& between,
                                                      const Ints& perm) const {
    std::vector<Turned> turned;
    for (onnx::NodeProto* node : between) {
      if (!is_one_of(kBinary, *node)) continue;
      const int slot = 1 - *data_slot(*node);
      const auto constant = index_.constant(node->input(slot));
      if (constant->shape.empty()) continue;
      const bool vanishes = index_.only_consumer(node->input(slot)) == node;
      if (!vanishes && constant->bytes.size() >= graph::kInlineBytes) return std::nullopt;
      auto value = turned_back(*constant, perm);
      if (!value) return std::nullopt;
      turned.push_back({node, slot, std::move(*value)});
    }
    return turned;
  }

  void merge(onnx::NodeProto& first, const std::vector<onnx::NodeProto*>& between,
             onnx::NodeProto& last, std::vector<Turned> constants, const Ints& perm) {
    const bool cancels = std::ranges::is_sorted(perm);
    const std::string& source = first.input(0);
    if (cancels && between.empty() && index_.is_graph_output(last.output(0))) return;
    context_.changed(graph::describe(last),
                     fmt::format("{} {}", cancels ? "undoes" : "is one Transpose together with",
                                 graph::describe(first)));
    for (Turned& constant : constants) {
      const std::string name =
          context_.names.fresh(constant.node->input(constant.slot) + "_transposed");
      context_.model.add_initializer(graph_, name, std::move(constant.value));
      edits_.set_input(*constant.node, constant.slot, name);
    }
    edits_.touch(first);
    for (onnx::NodeProto* node : between) edits_.touch(*node);
    if (!between.empty()) {
      edits_.set_input(*between.back(), *data_slot(*between.back()), source);
      edits_.remove(first);
    }
    if (!cancels) {
      onnx::NodeProto turned = last;
      graph::set_attribute(turned, "perm", perm);
      if (between.empty()) turned.set_input(0, source);
      edits_.replace(last, std::move(turned));
    } else if (between.empty()) {
      edits_.replace_uses(last.output(0), source);
      edits_.remove(last);
    } else {
      edits_.rename_output(*between.front(), 0, last.output(0));
      edits_.remove(last);
    }
  }

  /// Two tensors turned alike and put together: turned once, afterwards.
  void join(onnx::NodeProto& node) {
    onnx::NodeProto* a = transpose_before(node.input(0), node, true);
    onnx::NodeProto* b = transpose_before(node.input(1), node, true);
    if (a == nullptr || b == nullptr || a == b) return;
    const auto perm = perm_of(*a);
    if (!perm || perm != perm_of(*b)) return;
    context_.changed(graph::describe(node),
                     fmt::format("is turned afterwards, instead of {} and {} before",
                                 graph::describe(*a), graph::describe(*b)));
    // Each new node stands where all it reads has been written.
    onnx::NodeProto& later = places_.at(a) > places_.at(b) ? *a : *b;
    onnx::NodeProto& earlier = &later == a ? *b : *a;
    onnx::NodeProto operation = node, transpose = later;
    const std::string between = context_.names.fresh(graph::node_key(node) + "_turned");
    operation.set_input(0, a->input(0));
    operation.set_input(1, b->input(0));
    operation.set_output(0, between);
    transpose.set_input(0, between);
    transpose.set_output(0, node.output(0));
    graph::set_attribute(transpose, "perm", *perm);
    edits_.remove(earlier);
    edits_.replace(later, std::move(operation));
    edits_.replace(node, std::move(transpose));
  }

  PassContext& context_;
  onnx::GraphProto& graph_;
  graph::GraphIndex index_;
  Edits edits_;
  std::unordered_map<const onnx::NodeProto*, std::size_t> places_;
};

}  // namespace

void merge_transposes(PassContext& context) {
  if (graph::opset_version(context.model.proto()) < 7) return;  // numpy's broadcasting
  graph::for_each_graph(context.model.proto(),
                        [&](onnx::GraphProto& graph) { Merger(context, graph).run(); });
}

}  // namespace ingot::converters
