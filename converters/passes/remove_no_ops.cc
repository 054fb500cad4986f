// SPDX-License-Identifier: Apache-2.0
// Nodes that give back what they get, because of their parameters or of the shapes that are known.
#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "converters/bypass.h"
#include "converters/evaluators.h"
#include "converters/passes/passes.h"

namespace ingot::converters {
namespace {

/// One graph as the rows below see it.
struct Scene {
  PassContext& context;
  const onnx::GraphProto& graph;
  const graph::GraphIndex& index;
  std::int64_t opset;

  std::optional<Ints> ints(const onnx::NodeProto& node, int slot) const {
    if (!has_input(node, slot)) return std::nullopt;
    const auto value = index.constant(node.input(slot));
    return value ? int_values(*value) : std::nullopt;
  }
  bool keeps_shape(const onnx::NodeProto& node, int slot = 0) const {
    return context.types.same_shape(graph, node.input(slot), node.output(0));
  }
};

/// The input that comes out again; nullopt when it does not.
using Slot = std::optional<int>;

Slot first_if(bool holds) { return holds ? Slot(0) : std::nullopt; }

Slot cast(const Scene& scene, const onnx::NodeProto& node) {
  const auto to = static_cast<DType>(graph::int_attribute(node, "to", 0));
  return first_if(to != DType::kUndefined &&
                  scene.context.types.dtype(scene.graph, node.input(0)) == to);
}

Slot one_input(const Scene& /*scene*/, const onnx::NodeProto& node) {
  return first_if(node.input_size() == 1);
}

Slot keeps_shape(const Scene& scene, const onnx::NodeProto& node) {
  return first_if(scene.keeps_shape(node));
}

Slot pad(const Scene& scene, const onnx::NodeProto& node) {
  std::optional<Ints> pads = scene.ints(node, 1);
  if (graph::find_attribute(node, "pads") != nullptr) pads = graph::ints_attribute(node, "pads");
  return first_if(pads && std::ranges::all_of(*pads, [](auto pad) { return pad == 0; }));
}

/// What exporters write for "to the end"; no axis is that long.
bool is_end(std::int64_t end) {
  return end == std::numeric_limits<std::int32_t>::max() ||
         end == std::numeric_limits<std::int64_t>::max();
}

Slot slice(const Scene& scene, const onnx::NodeProto& node) {
  const bool old = graph::find_attribute(node, "starts") != nullptr;
  const auto parameter = [&](const char* name, int slot) {
    return old ? std::optional(graph::ints_attribute(node, name)) : scene.ints(node, slot);
  };
  // A step of -1 keeps the shape and reverses the order.
  if (!old && has_input(node, 4)) {
    const auto steps = scene.ints(node, 4);
    if (!steps || std::ranges::any_of(*steps, [](auto step) { return step != 1; })) {
      return std::nullopt;
    }
  }
  if (scene.keeps_shape(node)) return 0;
  const auto starts = parameter("starts", 1), ends = parameter("ends", 2);
  return first_if(starts && ends &&
                  std::ranges::all_of(*starts, [](auto start) { return start == 0; }) &&
                  std::ranges::all_of(*ends, is_end));
}

Slot transpose(const Scene& scene, const onnx::NodeProto& node) {
  if (graph::find_attribute(node, "perm") == nullptr) {
    const auto rank = scene.context.types.rank(scene.graph, node.input(0));
    return first_if(rank && *rank < 2);
  }
  return first_if(std::ranges::is_sorted(graph::ints_attribute(node, "perm")));
}

/// True when every element of a constant is this number.
bool is_all(const TensorView& constant, double wanted) {
  const auto holds = [&]<class T>(T) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(constant.count()); ++i) {
      if (element<T>(constant, i) != static_cast<T>(wanted)) return false;
    }
    return true;
  };
  constexpr std::int64_t kFewElements = 4096;
  if (constant.count() < 1 || constant.count() > kFewElements) return false;
  switch (constant.dtype) {
    case DType::kFloat:
      return holds(float{});
    case DType::kDouble:
      return holds(double{});
    case DType::kInt32:
      return holds(std::int32_t{});
    case DType::kInt64:
      return holds(std::int64_t{});
    default:
      return false;
  }
}

/// x·1, x/1, x-0, and x+0 of integers: -0.0 + 0.0 is another zero.
Slot neutral(const Scene& scene, const onnx::NodeProto& node) {
  if (scene.opset < 7 || node.input_size() != 2) return std::nullopt;
  const std::string& op = node.op_type();
  const bool multiplies = op == "Mul" || op == "Div";
  const bool either_side = op == "Mul" || op == "Add";
  for (const int slot : {0, 1}) {
    if (slot == 1 && !either_side) break;
    const auto constant = scene.index.constant(node.input(1 - slot));
    if (!constant || (op == "Add" && is_float(constant->dtype))) continue;
    if (!is_all(*constant, multiplies ? 1 : 0)) continue;
    // A constant of more axes or elements would widen the result.
    if (constant->shape.empty() || scene.keeps_shape(node, slot)) return slot;
  }
  return std::nullopt;
}

struct Row {
  std::string_view op;
  Slot (*read)(const Scene& scene, const onnx::NodeProto& node);
  const char* reason;
};

constexpr Row kRows[] = {
    {"Add", neutral, "adds 0"},
    {"Cast", cast, "casts to the type that is there"},
    {"Concat", one_input, "joins one tensor"},
    {"Div", neutral, "divides by 1"},
    {"Expand", keeps_shape, "keeps the shape"},
    {"Flatten", keeps_shape, "keeps the shape"},
    {"Max", one_input, "compares one tensor"},
    {"Mean", one_input, "averages one tensor"},
    {"Min", one_input, "compares one tensor"},
    {"Mul", neutral, "multiplies by 1"},
    {"Pad", pad, "adds nothing"},
    {"Reshape", keeps_shape, "keeps the shape"},
    {"Slice", slice, "takes everything"},
    {"Squeeze", keeps_shape, "keeps the shape"},
    {"Sub", neutral, "subtracts 0"},
    {"Sum", one_input, "adds one tensor"},
    {"Tile", keeps_shape, "keeps the shape"},
    {"Transpose", transpose, "keeps the order"},
    {"Unsqueeze", keeps_shape, "keeps the shape"},
};

void remove_in(PassContext& context, onnx::GraphProto& graph) {
  const graph::GraphIndex index(context.model, graph);
  const Scene scene{context, graph, index, graph::opset_version(context.model.proto())};
  Edits edits;
  Bypass bypass(index, edits);
  for (const onnx::NodeProto& node : graph.node()) {
    const auto* row = std::ranges::find(kRows, node.op_type(), &Row::op);
    if (row == std::end(kRows) || !is_standard(node)) continue;
    if (!has_input(node, 0) || node.output_size() != 1) continue;
    const Slot slot = row->read(scene, node);
    if (!slot || !bypass.take_out(node, *slot)) continue;
    context.changed(graph::describe(node), row->reason);
  }
  edits.apply(graph);
}

}  // namespace

void remove_no_ops(PassContext& context) {
  graph::for_each_graph(context.model.proto(),
                        [&](onnx::GraphProto& graph) { remove_in(context, graph); });
}

}  // namespace ingot::converters
