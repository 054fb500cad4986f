// SPDX-License-Identifier: Apache-2.0
// One node on its way from one version of its operator to the next: what a rewrite may look at, and
// what it may do.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "converters/opset/scope.h"

namespace ingot::converters {

/// A node and the opset it is written for.
struct WrittenNode {
  onnx::NodeProto node;
  std::int64_t opset;
};

/// A step of one operator: versions as ONNX numbers them, by the opset that brought them.
struct VersionStep {
  std::int64_t from, to;  ///< to < from on the way down
  std::int64_t opset;     ///< the node is valid there once the step is made
  std::int64_t target;    ///< the opset asked for
};

class NodeChange {
 public:
  NodeChange(onnx::NodeProto& changed, const VersionStep& made, graph::Model& edited, Scope& known,
             graph::NameMaker& maker)
      : node(changed), step(made), model_(edited), scope_(known), names_(maker) {}

  onnx::NodeProto& node;
  const VersionStep step;

  /// Throws kUnsupported: node, operator, both versions, and `reason`, one clause.
  [[noreturn]] void refuse(std::string_view reason) const;

  bool has_input(int slot) const;
  bool has_output(int slot) const;
  /// As far as they are known.
  DType dtype(int slot) const;
  DType output_dtype(int slot) const;
  std::optional<Shape> shape(int slot) const;
  std::optional<std::int64_t> rank(int slot) const;
  /// rank() and dtype(), or a refusal.
  std::int64_t known_rank(int slot) const;
  DType known_dtype(int slot) const;
  /// The values of a constant input of int32 or int64, of a float one with one element, of a bool
  /// one; nothing when the input is absent or computed.
  std::optional<std::vector<std::int64_t>> integers(int slot) const;
  std::optional<float> number(int slot) const;
  /// The value of an input that the older version has as an attribute, or a refusal.
  std::vector<std::int64_t> known_integers(int slot) const;

  /// Values of attributes. A value that a function's caller gives is a refusal.
  std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
  float real(std::string_view name, float otherwise) const;
  std::string text(std::string_view name, std::string otherwise) const;
  std::optional<std::vector<std::int64_t>> list(std::string_view name) const;
  bool has(std::string_view name) const;
  void drop(std::string_view name);
  /// Makes `value` the tensor attribute `name`; of a Constant.
  void set_tensor(const char* name, const Tensor& value);
  /// Takes the attribute out, a function's reference too.
  std::optional<onnx::AttributeProto> take(std::string_view name);

  /// Makes input `slot` read `name`; slots before it are added as absent.
  void set_input(int slot, const std::string& name);
  /// Cuts the inputs from `slot` on.
  void cut_inputs(int slot);
  /// A new name that starts like the node's first output.
  std::string fresh(std::string_view suffix);
  /// A Constant before the node; its name.
  std::string constant(std::string_view suffix, const Tensor& value);
  std::string integers_constant(std::string_view suffix, const std::vector<std::int64_t>& values);
  /// `value` as a scalar of the element type of input `slot`.
  std::string scalar_like(std::string_view suffix, float value, int slot);
  /// The float32 `scalar` as the element type of input `slot`, found when the model runs.
  std::string cast_like(const std::string& scalar, int slot);
  /// A new node before this one, with one new output. It is written for `opset`, 0 = step.opset.
  /// The reference holds as long as this object.
  onnx::NodeProto& before(std::string_view op_type, const std::vector<std::string>& inputs,
                          std::int64_t opset = 0);
  /// A new node after this one that writes `output`.
  onnx::NodeProto& after(std::string_view op_type, const std::vector<std::string>& inputs,
                         const std::string& output, std::int64_t opset = 0);
  /// Gives output `slot` a new name and returns it; a node after this one has to write the old one.
  std::string detach_output(int slot);
  /// Makes another operator of the node, without attributes.
  void become(std::string_view op_type, const std::vector<std::string>& inputs);

  std::deque<WrittenNode>& nodes_before() { return before_; }
  std::deque<WrittenNode>& nodes_after() { return after_; }
  Scope& scope() { return scope_; }

 private:
  void put_tensor(onnx::NodeProto& holder, const char* name, const Tensor& value);
  const onnx::AttributeProto* value_of(std::string_view name) const;
  std::optional<TensorView> constant_input(int slot) const;

  graph::Model& model_;
  Scope& scope_;
  graph::NameMaker& names_;
  std::deque<WrittenNode> before_, after_;
};

}  // namespace ingot::converters
