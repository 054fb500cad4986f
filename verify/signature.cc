// SPDX-License-Identifier: Apache-2.0
#include "verify/signature.h"

#include <fmt/format.h>

#include <algorithm>

namespace ingot::verify {
namespace {

const runtime::ValueInfo* find(const std::vector<runtime::ValueInfo>& values,
                               const std::string& name) {
  const auto found = std::find_if(values.begin(), values.end(),
                                  [&](const auto& value) { return value.name == name; });
  return found == values.end() ? nullptr : &*found;
}

std::string quoted_list(const std::vector<runtime::ValueInfo>& values) {
  std::string list;
  for (const runtime::ValueInfo& value : values)
    list += fmt::format("{}'{}'", list.empty() ? "" : ", ", value.name);
  return list.empty() ? "none" : list;
}

void match_inputs(const Signature& reference, const Signature& candidate, SignatureMatch& result) {
  for (const runtime::ValueInfo& input : candidate.inputs) {
    const auto* known = find(reference.inputs, input.name);
    if (known == nullptr) known = find(reference.optional_inputs, input.name);
    if (known == nullptr) {
      result.violations.push_back(
          fmt::format("input '{}' of the candidate is not an input of the reference, which has {}",
                      input.name, quoted_list(reference.inputs)));
      result.can_feed = false;
    } else if (known->dtype != input.dtype || known->is_tensor != input.is_tensor) {
      result.violations.push_back(fmt::format("input '{}': type {}, wanted {}", input.name,
                                              dtype_name(input.dtype), dtype_name(known->dtype)));
      result.can_feed = false;
    }
  }
  for (const runtime::ValueInfo& input : reference.inputs) {
    if (find(candidate.inputs, input.name) != nullptr ||
        find(candidate.optional_inputs, input.name) != nullptr)
      continue;
    result.violations.push_back(fmt::format("input '{}' is missing in the candidate, which has {}",
                                            input.name, quoted_list(candidate.inputs)));
  }
}

void match_outputs(const Signature& reference, const Signature& candidate, SignatureMatch& result) {
  std::size_t last = 0;
  bool in_order = true;
  for (const runtime::ValueInfo& output : reference.outputs) {
    const auto* other = find(candidate.outputs, output.name);
    if (other == nullptr) {
      result.violations.push_back(
          fmt::format("output '{}' is missing in the candidate, which has {}", output.name,
                      quoted_list(candidate.outputs)));
      continue;
    }
    const auto place = static_cast<std::size_t>(other - candidate.outputs.data());
    in_order = in_order && place >= last;
    last = place;
    if (output.is_tensor != other->is_tensor) {
      result.violations.push_back(
          fmt::format("output '{}' is a tensor in one model only", output.name));
    } else if (!output.is_tensor) {
      result.not_tensors.push_back(output.name);
    } else {
      result.outputs.push_back(output);
    }
  }
  if (!in_order) {
    result.warnings.push_back(
        fmt::format("the candidate's outputs stand in another order: {}; compared by name",
                    quoted_list(candidate.outputs)));
  }
  for (const runtime::ValueInfo& output : candidate.outputs) {
    if (find(reference.outputs, output.name) != nullptr) continue;
    result.warnings.push_back(
        fmt::format("output '{}' of the candidate is not in the reference", output.name));
  }
}

}  // namespace

Signature signature_of(const runtime::Session& session) {
  return {session.inputs(), session.overridable_initializers(), session.outputs()};
}

SignatureMatch match(const Signature& reference, const Signature& candidate) {
  SignatureMatch result;
  match_inputs(reference, candidate, result);
  match_outputs(reference, candidate, result);
  return result;
}

std::vector<std::string> names_of(const std::vector<runtime::ValueInfo>& values) {
  std::vector<std::string> names;
  for (const runtime::ValueInfo& value : values) names.push_back(value.name);
  return names;
}

}  // namespace ingot::verify
