// SPDX-License-Identifier: Apache-2.0
// Scan of opset 8 runs over every sample of a batch; from 9 on there is no batch. An outer Scan
// over the first axis, without state, takes the samples one by one and runs the Scan of a single
// sample.
#include <fmt/format.h>

#include "converters/opset/rewrites.h"

namespace ingot::converters {
namespace {

/// A port of the outer body: `name` with the element type of `inner`; the shape is left open.
void add_port(onnx::ValueInfoProto& port, const std::string& name,
              const onnx::ValueInfoProto& inner) {
  port.set_name(name);
  if (inner.type().has_tensor_type()) {
    port.mutable_type()->mutable_tensor_type()->set_elem_type(
        inner.type().tensor_type().elem_type());
  }
}

void set_graph(onnx::NodeProto& node, const char* name, onnx::GraphProto graph) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::GRAPH);
  *attribute.mutable_g() = std::move(graph);
}

}  // namespace

// From 9 to the newest version Scan only gained types, so that the inner node needs no more steps.
void scan_over_batch(NodeChange& change) {
  if (change.has_input(0)) change.refuse("the samples are of different lengths");
  const auto body = change.take("body");
  if (!body || !body->has_g()) change.refuse("it has no body");
  const std::int64_t scanned = change.integer("num_scan_inputs", 0);
  const auto directions = change.list("directions");
  const onnx::GraphProto& inner = body->g();
  const int inputs = change.node.input_size() - 1;
  if (inner.input_size() != inputs || inner.output_size() < change.node.output_size())
    change.refuse(fmt::format("its body has {} inputs for {}", inner.input_size(), inputs));

  onnx::GraphProto outer;
  outer.set_name(change.fresh("samples"));
  onnx::NodeProto& scan = *outer.add_node();
  scan.set_op_type("Scan");
  scan.set_name(change.fresh("sample"));
  for (int i = 0; i < inputs; ++i) {
    scan.add_input(change.fresh("sample_in"));
    add_port(*outer.add_input(), scan.input(i), inner.input(i));
  }
  for (int i = 0; i < inner.output_size(); ++i) {
    scan.add_output(change.fresh("sample_out"));
    add_port(*outer.add_output(), scan.output(i), inner.output(i));
  }
  set_graph(scan, "body", inner);
  graph::set_attribute(scan, "num_scan_inputs", scanned);
  if (directions) graph::set_attribute(scan, "scan_input_directions", *directions);

  const std::vector<std::string> given(change.node.input().begin() + 1, change.node.input().end());
  change.become("Scan", given);
  while (change.node.output_size() < inner.output_size()) change.node.add_output("");
  graph::set_attribute(change.node, "num_scan_inputs", static_cast<std::int64_t>(inputs));
  set_graph(change.node, "body", std::move(outer));
}

}  // namespace ingot::converters
