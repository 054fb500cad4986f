// SPDX-License-Identifier: Apache-2.0
// Nodes against the schemas of ONNX's operators.
#include "converters/operators.h"

#include <fmt/format.h>
#include <onnx/checker.h>
#include <onnx/defs/data_type_utils.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace ingot::converters {
namespace {

const auto& domain_versions() {
  return onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
}

const onnx::OpSchema* find_schema(const onnx::NodeProto& node, std::int64_t version) {
  return onnx::OpSchemaRegistry::Schema(node.op_type(), static_cast<int>(version),
                                        canonical_domain(node.domain()));
}

/// ONNX's own text without its line breaks.
std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

/// Says when a later opset of the domain has the operator.
std::string version_note(const onnx::NodeProto& node, std::int64_t version) {
  const std::int64_t newest = domain_versions().at(canonical_domain(node.domain())).second;
  for (std::int64_t later = version + 1; later <= newest; ++later) {
    if (find_schema(node, later) != nullptr) return fmt::format("; it came with opset {}", later);
  }
  return {};
}

/// "tensor(float)" of an element type; nullopt for types without a name there.
std::optional<std::string> type_text(DType dtype) {
  onnx::TypeProto type;
  type.mutable_tensor_type()->set_elem_type(static_cast<int>(dtype));
  try {
    return *onnx::Utils::DataTypeUtils::ToType(type);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

const onnx::OpSchema::FormalParameter* formal_input(const onnx::OpSchema& schema, int slot) {
  const auto& inputs = schema.inputs();
  if (inputs.empty()) return nullptr;
  const auto at = std::min(static_cast<std::size_t>(slot), inputs.size() - 1);
  return &inputs[at];
}

}  // namespace

std::string canonical_domain(const std::string& domain) {
  return domain == "ai.onnx" ? std::string() : domain;
}

std::string shown_domain(const std::string& domain) {
  return domain.empty() ? std::string("ai.onnx") : domain;
}

bool is_standard_domain(const std::string& domain) {
  return domain_versions().contains(canonical_domain(domain));
}

Opsets read_opsets(const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>& imports,
                   const std::string& owner, std::vector<Finding>& findings) {
  Opsets opsets;
  if (imports.empty()) {
    findings.push_back({Code::kInput, fmt::format("{} imports no operator set", owner)});
  }
  for (const auto& import : imports) {
    const std::string domain = canonical_domain(import.domain());
    const std::string shown = shown_domain(domain);
    if (!opsets.emplace(domain, import.version()).second) {
      findings.push_back({Code::kInput, fmt::format("{} imports domain '{}' twice", owner, shown)});
      continue;
    }
    if (import.version() < 1) {
      findings.push_back(
          {Code::kInput, fmt::format("{} imports opset {} of domain '{}', at least 1 is wanted",
                                     owner, import.version(), shown)});
      continue;
    }
    const auto known = domain_versions().find(domain);
    if (known != domain_versions().end() && import.version() > known->second.second) {
      findings.push_back({Code::kUnsupported,
                          fmt::format("{} imports opset {} of domain '{}', the newest known is {}",
                                      owner, import.version(), shown, known->second.second)});
    }
  }
  return opsets;
}

OperatorCheck::OperatorCheck(const onnx::ModelProto& model, Validation& validation)
    : validation_(validation) {
  for (const auto& function : model.functions()) {
    functions_.emplace(canonical_domain(function.domain()), function.name());
  }
}

void OperatorCheck::report(Code code, std::string message) {
  validation_.findings.push_back({code, std::move(message)});
}

void OperatorCheck::check(const onnx::NodeProto& node, const Opsets& opsets, TensorTypes* types) {
  const std::string domain = canonical_domain(node.domain());
  if (node.op_type().empty()) {
    report(Code::kInput, fmt::format("node '{}' has no operator", graph::node_key(node)));
    return;
  }
  const auto import = opsets.find(domain);
  const bool is_function = functions_.contains({domain, node.op_type()});
  if (import == opsets.end()) {
    // Without any import that alone is reported.
    if (!opsets.empty() && !is_function) {
      report(Code::kInput, fmt::format("{} is of domain '{}', which is not imported",
                                       graph::describe(node), shown_domain(domain)));
    }
    return;
  }
  if (is_function) return;
  if (!is_standard_domain(domain)) {
    if (foreign_.insert(domain + "." + node.op_type()).second) {
      validation_.foreign_operators.assign(foreign_.begin(), foreign_.end());
    }
    return;
  }
  if (import->second < 1 || import->second > domain_versions().at(domain).second) return;
  const onnx::OpSchema* schema = find_schema(node, import->second);
  if (schema == nullptr || schema->deprecated()) {
    report(Code::kUnsupported,
           fmt::format("operator '{}' of {} is {} in domain '{}', opset {}{}", node.op_type(),
                       graph::describe(node), schema == nullptr ? "unknown" : "withdrawn",
                       shown_domain(domain), import->second,
                       schema == nullptr ? version_note(node, import->second) : ""));
    return;
  }
  try {
    schema->Verify(node);
  } catch (const std::exception& fault) {
    report(Code::kInput, fmt::format("{}: {}", graph::describe(node), one_line(fault.what())));
    return;
  }
  if (types != nullptr) check_types(node, import->second, *types);
}

/// Element types of the inputs, as far as they are known, against what the schema allows and binds
/// together.
void OperatorCheck::check_types(const onnx::NodeProto& node, std::int64_t version,
                                TensorTypes& types) {
  const onnx::OpSchema& schema = *find_schema(node, version);
  std::map<std::string, std::pair<std::string, DType>> bound;  // type parameter → first input, type
  for (int slot = 0; slot < node.input_size(); ++slot) {
    const auto* formal = formal_input(schema, slot);
    const graph::ValueType* known = types.find(node.input(slot));
    if (formal == nullptr || known == nullptr || node.input(slot).empty()) continue;
    const auto text = type_text(known->dtype);
    if (!text) continue;
    const std::string_view seen = dtype_name(known->dtype);
    const auto& allowed = formal->GetTypes();
    const bool fits =
        std::ranges::any_of(allowed, [&](const auto* type) { return *type == *text; });
    if (!fits) {
      report(Code::kInput,
             fmt::format("{}: input '{}' is {}, which '{}' does not take", graph::describe(node),
                         node.input(slot), seen, node.op_type()));
      return;
    }
    const bool may_differ =
        formal->GetOption() == onnx::OpSchema::Variadic && !formal->GetIsHomogeneous();
    if (may_differ) continue;
    const auto [first, is_new] =
        bound.try_emplace(formal->GetTypeStr(), node.input(slot), known->dtype);
    if (is_new || first->second.second == known->dtype) continue;
    report(Code::kInput,
           fmt::format("{}: input '{}' is {} and input '{}' is {}, one type is wanted",
                       graph::describe(node), first->second.first, dtype_name(first->second.second),
                       node.input(slot), seen));
    return;
  }
}

}  // namespace ingot::converters
