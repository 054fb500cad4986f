// SPDX-License-Identifier: Apache-2.0
#include "converters/opset/node_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "converters/constants.h"

namespace ingot::converters {

void NodeChange::refuse(std::string_view reason) const {
  const std::string versions =
      step.to == 0 ? fmt::format("the operator came with opset {}", step.from)
                   : fmt::format("version {} of the operator does not become version {}: {}",
                                 step.from, step.to, reason);
  throw Error(Code::kUnsupported, fmt::format("{} cannot be written for opset {}: {}",
                                              graph::describe(node), step.target, versions));
}

bool NodeChange::has_input(int slot) const {
  return slot < node.input_size() && !node.input(slot).empty();
}

bool NodeChange::has_output(int slot) const {
  return slot < node.output_size() && !node.output(slot).empty();
}

DType NodeChange::dtype(int slot) const {
  return has_input(slot) ? scope_.type(node.input(slot)).dtype : DType::kUndefined;
}

DType NodeChange::output_dtype(int slot) const {
  return has_output(slot) ? scope_.type(node.output(slot)).dtype : DType::kUndefined;
}

std::optional<Shape> NodeChange::shape(int slot) const {
  return has_input(slot) ? scope_.type(node.input(slot)).shape : std::nullopt;
}

std::optional<std::int64_t> NodeChange::rank(int slot) const {
  const auto known = shape(slot);
  if (!known) return std::nullopt;
  return static_cast<std::int64_t>(known->size());
}

std::int64_t NodeChange::known_rank(int slot) const {
  const auto known = rank(slot);
  if (!known)
    refuse(fmt::format("the rank of '{}' is not known", has_input(slot) ? node.input(slot) : ""));
  return *known;
}

DType NodeChange::known_dtype(int slot) const {
  const DType known = dtype(slot);
  if (known == DType::kUndefined) {
    refuse(fmt::format("the element type of '{}' is not known",
                       has_input(slot) ? node.input(slot) : ""));
  }
  return known;
}

std::optional<TensorView> NodeChange::constant_input(int slot) const {
  return has_input(slot) ? scope_.constant(node.input(slot)) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> NodeChange::integers(int slot) const {
  const auto view = constant_input(slot);
  if (!view) return std::nullopt;
  if (view->dtype == DType::kInt64) {
    const auto values = view->as<std::int64_t>();
    return std::vector<std::int64_t>(values.begin(), values.end());
  }
  if (view->dtype == DType::kInt32) {
    const auto values = view->as<std::int32_t>();
    return std::vector<std::int64_t>(values.begin(), values.end());
  }
  if (view->dtype != DType::kBool) return std::nullopt;
  const auto values = view->as<std::uint8_t>();
  return std::vector<std::int64_t>(values.begin(), values.end());
}

std::optional<float> NodeChange::number(int slot) const {
  const auto view = constant_input(slot);
  const auto value = view ? single_value(*view) : std::nullopt;
  if (!value) return std::nullopt;
  return static_cast<float>(*value);
}

std::vector<std::int64_t> NodeChange::known_integers(int slot) const {
  auto values = integers(slot);
  if (!values) {
    refuse(fmt::format("'{}' is computed, a constant is wanted",
                       has_input(slot) ? node.input(slot) : ""));
  }
  return std::move(*values);
}

const onnx::AttributeProto* NodeChange::value_of(std::string_view name) const {
  const auto* attribute = graph::find_attribute(node, name);
  if (attribute != nullptr && !attribute->ref_attr_name().empty()) {
    refuse(fmt::format("attribute '{}' is given by the caller of the function", name));
  }
  return attribute;
}

std::int64_t NodeChange::integer(std::string_view name, std::int64_t otherwise) const {
  const auto* attribute = value_of(name);
  return attribute == nullptr ? otherwise : attribute->i();
}

float NodeChange::real(std::string_view name, float otherwise) const {
  const auto* attribute = value_of(name);
  return attribute == nullptr ? otherwise : attribute->f();
}

std::string NodeChange::text(std::string_view name, std::string otherwise) const {
  const auto* attribute = value_of(name);
  return attribute == nullptr ? std::move(otherwise) : attribute->s();
}

std::optional<std::vector<std::int64_t>> NodeChange::list(std::string_view name) const {
  const auto* attribute = value_of(name);
  if (attribute == nullptr) return std::nullopt;
  return std::vector<std::int64_t>(attribute->ints().begin(), attribute->ints().end());
}

bool NodeChange::has(std::string_view name) const {
  return graph::find_attribute(node, name) != nullptr;
}

std::optional<onnx::AttributeProto> NodeChange::take(std::string_view name) {
  auto& attributes = *node.mutable_attribute();
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const auto& one) { return one.name() == name; });
  if (found == attributes.end()) return std::nullopt;
  onnx::AttributeProto taken = std::move(*found);
  attributes.erase(found);
  return taken;
}

void NodeChange::put_tensor(onnx::NodeProto& holder, const char* name, const Tensor& value) {
  onnx::AttributeProto& attribute = *holder.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::TENSOR);
  model_.set(*attribute.mutable_t(), value);
  scope_.remember(holder.output(0), value);
}

void NodeChange::set_tensor(const char* name, const Tensor& value) {
  put_tensor(node, name, value);
}

void NodeChange::drop(std::string_view name) { (void)take(name); }

void NodeChange::set_input(int slot, const std::string& name) {
  while (node.input_size() <= slot) node.add_input();
  node.set_input(slot, name);
}

void NodeChange::cut_inputs(int slot) {
  while (node.input_size() > slot) node.mutable_input()->RemoveLast();
  while (node.input_size() > 0 && node.input(node.input_size() - 1).empty())
    node.mutable_input()->RemoveLast();
}

std::string NodeChange::fresh(std::string_view suffix) {
  const std::string key =
      node.output_size() > 0 && !node.output(0).empty() ? node.output(0) : graph::node_key(node);
  return names_.fresh(fmt::format("{}_{}", key, suffix));
}

std::string NodeChange::constant(std::string_view suffix, const Tensor& value) {
  const std::string name = fresh(suffix);
  onnx::NodeProto& made = before_.emplace_back(onnx::NodeProto(), step.opset).node;
  made.set_op_type("Constant");
  made.add_output(name);
  put_tensor(made, "value", value);
  return name;
}

std::string NodeChange::integers_constant(std::string_view suffix,
                                          const std::vector<std::int64_t>& values) {
  return constant(suffix, Tensor::of({static_cast<std::int64_t>(values.size())}, values));
}

std::string NodeChange::scalar_like(std::string_view suffix, float value, int slot) {
  const DType wanted = dtype(slot);
  const double exact = value;
  if (is_float(wanted)) return constant(suffix, rounded(wanted, {}, {&exact, 1}));
  if (wanted != DType::kUndefined)
    refuse(fmt::format("'{}' is {}, no float type", node.input(slot), dtype_name(wanted)));
  const std::string scalar = constant(suffix, Tensor::of<float>({}, std::vector<float>{value}));
  return cast_like(scalar, slot);
}

std::string NodeChange::cast_like(const std::string& scalar, int slot) {
  constexpr std::int64_t kHasCastLike = 15;
  if (dtype(slot) == DType::kFloat) return scalar;
  if (step.target < kHasCastLike) (void)known_dtype(slot);
  if (step.target < kHasCastLike) refuse("a scalar of that type cannot be made before opset 15");
  return before("CastLike", {scalar, node.input(slot)}, kHasCastLike).output(0);
}

onnx::NodeProto& NodeChange::before(std::string_view op_type,
                                    const std::vector<std::string>& inputs, std::int64_t opset) {
  onnx::NodeProto& made =
      before_.emplace_back(onnx::NodeProto(), opset == 0 ? step.opset : opset).node;
  made.set_op_type(std::string(op_type));
  for (const std::string& name : inputs) made.add_input(name);
  made.add_output(fresh(op_type));
  return made;
}

onnx::NodeProto& NodeChange::after(std::string_view op_type, const std::vector<std::string>& inputs,
                                   const std::string& output, std::int64_t opset) {
  onnx::NodeProto& made =
      after_.emplace_back(onnx::NodeProto(), opset == 0 ? step.opset : opset).node;
  made.set_op_type(std::string(op_type));
  for (const std::string& name : inputs) made.add_input(name);
  made.add_output(output);
  return made;
}

std::string NodeChange::detach_output(int slot) {
  node.set_output(slot, fresh("raw"));
  return node.output(slot);
}

void NodeChange::become(std::string_view op_type, const std::vector<std::string>& inputs) {
  node.set_op_type(std::string(op_type));
  node.clear_attribute();
  node.clear_input();
  for (const std::string& name : inputs) node.add_input(name);
}

}  // namespace ingot::converters
