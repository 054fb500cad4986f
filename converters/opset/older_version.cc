// SPDX-License-Identifier: Apache-2.0
#include "converters/opset/older_version.h"

#include <fmt/format.h>
#include <onnx/checker.h>
#include <onnx/defs/data_type_utils.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <map>

namespace ingot::converters {
namespace {

const onnx::OpSchema* schema_at(const onnx::NodeProto& node, std::int64_t opset) {
  return onnx::OpSchemaRegistry::Schema(node.op_type(), static_cast<int>(opset), "");
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

/// True when the attribute says no more than its absence does. Names and order of fields apart from
/// the value are the attribute's own.
bool says_nothing(const onnx::AttributeProto& attribute, const onnx::OpSchema& newer) {
  if (!attribute.ref_attr_name().empty()) return false;
  if (attribute.name() == "dilations") {
    return std::ranges::all_of(attribute.ints(), [](std::int64_t step) { return step == 1; });
  }
  const auto known = newer.attributes().find(attribute.name());
  if (known == newer.attributes().end()) return false;
  onnx::AttributeProto plain = attribute;
  plain.clear_doc_string();
  onnx::AttributeProto absent = known->second.default_value;
  absent.set_name(attribute.name());
  absent.set_type(attribute.type());
  return plain.SerializeAsString() == absent.SerializeAsString();
}

void require_attributes(NodeChange& change, const onnx::OpSchema& older) {
  const onnx::OpSchema* newer = schema_at(change.node, change.step.from);
  std::vector<std::string> dropped;
  for (const auto& attribute : change.node.attribute()) {
    if (older.attributes().contains(attribute.name())) continue;
    if (newer == nullptr || !says_nothing(attribute, *newer))
      change.refuse(fmt::format("it has no attribute '{}'", attribute.name()));
    dropped.push_back(attribute.name());
  }
  for (const std::string& name : dropped) change.drop(name);
}

/// "tensor(float)", ONNX's name of an element type; "" where there is none.
std::string type_text(DType dtype) {
  if (dtype == DType::kUndefined) return {};
  onnx::TypeProto type;
  type.mutable_tensor_type()->set_elem_type(static_cast<int>(dtype));
  try {
    return *onnx::Utils::DataTypeUtils::ToType(type);
  } catch (const std::exception&) {
    return {};
  }
}

using Formals = std::vector<onnx::OpSchema::FormalParameter>;
using Bound = std::map<std::string, DType>;  ///< type parameter → first type seen

void require_port(const NodeChange& change, const Formals& formals, int slot, DType seen,
                  const std::string& name, Bound& bound) {
  const std::string text = type_text(seen);
  if (text.empty() || formals.empty()) return;
  const auto& formal = formals[std::min(static_cast<std::size_t>(slot), formals.size() - 1)];
  const auto& allowed = formal.GetTypes();
  if (std::ranges::none_of(allowed, [&](const auto* type) { return *type == text; }))
    change.refuse(fmt::format("'{}' is {}, which it does not take", name, dtype_name(seen)));
  if (formal.GetOption() == onnx::OpSchema::Variadic && !formal.GetIsHomogeneous()) return;
  const auto [first, is_new] = bound.emplace(formal.GetTypeStr(), seen);
  if (is_new || first->second == seen) return;
  change.refuse(fmt::format("'{}' is {} beside {}, one type is wanted", name, dtype_name(seen),
                            dtype_name(first->second)));
}

}  // namespace

void require_types(NodeChange& change) {
  const onnx::OpSchema* schema = schema_at(change.node, change.step.opset);
  if (schema == nullptr) return;
  Bound bound;
  for (int slot = 0; slot < change.node.input_size(); ++slot) {
    require_port(change, schema->inputs(), slot, change.dtype(slot), change.node.input(slot),
                 bound);
  }
  for (int slot = 0; slot < change.node.output_size(); ++slot) {
    require_port(change, schema->outputs(), slot, change.output_dtype(slot),
                 change.node.output(slot), bound);
  }
}

void require_older(NodeChange& change) {
  const onnx::OpSchema* older = schema_at(change.node, change.step.opset);
  if (older == nullptr || older->deprecated()) change.refuse("there is no such operator");
  require_attributes(change, *older);
  try {
    older->Verify(change.node);
  } catch (const std::exception& fault) {
    change.refuse(one_line(fault.what()));
  }
  require_types(change);
}

}  // namespace ingot::converters
