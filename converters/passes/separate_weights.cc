// SPDX-License-Identifier: Apache-2.0
// Before IR version 4 every initializer had to be a graph input too, and could not be fed. From 4
// on a weight that is an input can be fed, so it is no constant: the list of inputs is cut to what
// has to be fed, and the model says IR version 4.
#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "converters/passes/passes.h"

namespace ingot::converters {
namespace {

constexpr std::int64_t kFirstVersionApart = 4;

}  // namespace

void separate_weights(PassContext& context) {
  onnx::ModelProto& model = context.model.proto();
  if (model.ir_version() >= kFirstVersionApart) return;
  std::unordered_set<std::string_view> weights;
  for (const auto& tensor : model.graph().initializer()) weights.insert(tensor.name());
  auto& inputs = *model.mutable_graph()->mutable_input();
  inputs.erase(std::remove_if(inputs.begin(), inputs.end(),
                              [&](const auto& input) { return weights.contains(input.name()); }),
               inputs.end());
  context.changed("IR version " + std::to_string(model.ir_version()),
                  "was raised to 4, where weights are no inputs");
  model.set_ir_version(kFirstVersionApart);
}

}  // namespace ingot::converters
