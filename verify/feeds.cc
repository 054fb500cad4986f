// SPDX-License-Identifier: Apache-2.0
#include "verify/feeds.h"

namespace ingot::verify {

std::vector<data::InputSpec> specs_of(const Signature& signature) {
  std::vector<data::InputSpec> specs;
  for (const auto& input : signature.inputs)
    specs.push_back({input.name, input.dtype, input.shape, true});
  for (const auto& input : signature.optional_inputs)
    specs.push_back({input.name, input.dtype, input.shape, false});
  return specs;
}

runtime::Feeds feeds_for(const std::map<std::string, Tensor>& inputs, const Signature& signature) {
  runtime::Feeds feeds;
  for (const auto* group : {&signature.inputs, &signature.optional_inputs}) {
    for (const runtime::ValueInfo& input : *group) {
      const auto found = inputs.find(input.name);
      if (found != inputs.end()) feeds.emplace(input.name, found->second.view());
    }
  }
  return feeds;
}

}  // namespace ingot::verify
