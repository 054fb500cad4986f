// SPDX-License-Identifier: Apache-2.0
// Nodes against the schemas of ONNX's operators.
#include "converters/operators.h"

#include <fmt/format.h>
#include <onnx/checker.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <utility>

#include "converters/shown_name.h"
#include "graph/graph_index.h"

namespace ingot::converters {
namespace {

const auto& domain_versions() {
  return onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
}

const onnx::OpSchema* find_schema(const onnx::NodeProto& node, std::int64_t version) {
  return onnx::OpSchemaRegistry::Schema(node.op_type(), static_cast<int>(version),
                                        canonical_domain(node.domain()));
}

/// Says when a later opset of the domain has the operator.
std::string version_note(const onnx::NodeProto& node, std::int64_t version) {
  const std::int64_t newest = domain_versions().at(canonical_domain(node.domain())).second;
  for (std::int64_t later = version + 1; later <= newest; ++later) {
    if (find_schema(node, later) != nullptr) return fmt::format("; it came with opset {}", later);
  }
  return {};
}

}  // namespace

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
    const std::string shown = converters::shown(shown_domain(domain));
    const auto [seen, is_new] = opsets.emplace(domain, import.version());
    if (!is_new) {
      if (seen->second == import.version()) continue;
      findings.push_back(
          {Code::kInput, fmt::format("{} imports domain '{}' in two versions, {} and {}", owner,
                                     shown, seen->second, import.version())});
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

void OperatorCheck::report(Code code, std::string message) {
  validation_.findings.push_back({code, std::move(message)});
}

void OperatorCheck::check_call(const onnx::NodeProto& node, const onnx::FunctionProto& function) {
  const auto compare = [&](const char* what, int seen, int most) {
    if (seen <= most) return;
    report(Code::kInput, fmt::format("{} has {} {}, {} takes at most {}", shown_node(node), seen,
                                     what, function_label(function), most));
  };
  compare("inputs", node.input_size(), function.input_size());
  compare("outputs", node.output_size(), function.output_size());
}

void OperatorCheck::check(const onnx::NodeProto& node, const Opsets& opsets) {
  const std::string domain = canonical_domain(node.domain());
  if (node.op_type().empty()) {
    report(Code::kInput, fmt::format("node '{}' has no operator", shown(graph::node_key(node))));
    return;
  }
  const auto import = opsets.find(domain);
  if (import == opsets.end()) {
    // Without any import that alone is reported.
    if (!opsets.empty()) {
      report(Code::kInput, fmt::format("{} is of domain '{}', which is not imported",
                                       shown_node(node), shown(shown_domain(domain))));
    }
    return;
  }
  const int callee = functions_.find(node);
  if (callee >= 0) return check_call(node, functions_.at(callee));
  if (functions_.has_overloads_of(node)) {
    report(Code::kInput, fmt::format("{} calls overload '{}' of its function, which is not there",
                                     shown_node(node), shown(node.overload())));
    return;
  }
  if (!is_standard_domain(domain)) {
    if (foreign_.insert(shown(domain + "." + node.op_type())).second) {
      validation_.foreign_operators.assign(foreign_.begin(), foreign_.end());
    }
    return;
  }
  if (import->second < 1 || import->second > domain_versions().at(domain).second) return;
  const onnx::OpSchema* schema = find_schema(node, import->second);
  if (schema == nullptr || schema->deprecated()) {
    report(Code::kUnsupported,
           fmt::format(
               "operator '{}' of {} is {} in domain '{}', opset {}{}", shown(node.op_type()),
               shown_node(node), schema == nullptr ? "unknown" : "withdrawn", shown_domain(domain),
               import->second, schema == nullptr ? version_note(node, import->second) : ""));
    return;
  }
  try {
    schema->Verify(node);
  } catch (const std::exception& fault) {
    report(Code::kInput, fmt::format("{}: {}", shown_node(node), one_line(fault.what())));
  }
}

}  // namespace ingot::converters
