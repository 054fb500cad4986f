// SPDX-License-Identifier: Apache-2.0
// Cast to a type that holds every value of the first one, then to a third: the way there is of no
// matter.
#include <fmt/format.h>

#include "converters/edits.h"
#include "converters/passes/passes.h"

namespace ingot::converters {
namespace {

/// Bits of a whole number besides the sign; 0 for other types.
int whole_bits(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return 1;
    case DType::kInt8:
      return 7;
    case DType::kUint8:
      return 8;
    case DType::kInt16:
      return 15;
    case DType::kUint16:
      return 16;
    case DType::kInt32:
      return 31;
    case DType::kUint32:
      return 32;
    case DType::kInt64:
      return 63;
    default:
      return 0;
  }
}

bool is_signed(DType dtype) {
  return dtype == DType::kInt8 || dtype == DType::kInt16 || dtype == DType::kInt32 ||
         dtype == DType::kInt64;
}

/// Bits of the significand; 0 for other types.
int float_bits(DType dtype) {
  switch (dtype) {
    case DType::kFloat16:
      return 11;
    case DType::kBfloat16:
      return 8;
    case DType::kFloat:
      return 24;
    case DType::kDouble:
      return 53;
    default:
      return 0;
  }
}

/// True when casting through `middle` gives what casting directly gives. Floats on their way to
/// integers are left out: what does not fit is cut differently by each kernel.
bool is_detour(DType from, DType middle, DType to) {
  if (float_bits(from) > 0) {
    const bool holds = middle == DType::kFloat || middle == DType::kDouble;
    return holds && float_bits(middle) >= float_bits(from) && float_bits(to) > 0;
  }
  const int bits = whole_bits(from);
  if (bits == 0) return false;
  if (float_bits(middle) > 0) {
    // float16 holds 65504 at most, which 11 bits are below.
    return float_bits(middle) >= bits && float_bits(to) > 0;
  }
  const bool holds = whole_bits(middle) >= bits && (is_signed(middle) || !is_signed(from));
  return holds && middle != DType::kBool && (whole_bits(to) > 0 || float_bits(to) > 0);
}

void merge_in(PassContext& context, onnx::GraphProto& graph) {
  const graph::GraphIndex index(context.model, graph);
  Edits edits;
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    if (!is_op(&node, "Cast") || !has_input(node, 0)) continue;
    const onnx::NodeProto* before = index.producer(node.input(0));
    if (!is_op(before, "Cast") || !has_input(*before, 0) || edits.touched(*before)) continue;
    const DType from = context.types.dtype(graph, before->input(0));
    const auto middle = static_cast<DType>(graph::int_attribute(*before, "to", 0));
    const auto to = static_cast<DType>(graph::int_attribute(node, "to", 0));
    if (!is_detour(from, middle, to)) continue;
    context.changed(graph::describe(node), fmt::format("reads {} directly, not by way of {}",
                                                       dtype_name(from), dtype_name(middle)));
    edits.set_input(node, 0, before->input(0));
  }
  edits.apply(graph);
}

}  // namespace

void merge_casts(PassContext& context) {
  graph::for_each_graph(context.model.proto(),
                        [&](onnx::GraphProto& graph) { merge_in(context, graph); });
}

}  // namespace ingot::converters
