// SPDX-License-Identifier: Apache-2.0
// Calls of local functions are written out.
#include <fmt/format.h>

#include "converters/function_inliner.h"
#include "converters/passes/passes.h"

namespace ingot::converters {

void inline_functions(PassContext& context) {
  const onnx::ModelProto& proto = context.model.proto();
  if (proto.functions().empty()) return;
  const int functions = proto.functions_size();
  const std::size_t calls = inline_functions(context.model);
  context.changed(fmt::format("{} function{}", functions, functions == 1 ? "" : "s"),
                  fmt::format("became the nodes in {} call{}", calls, calls == 1 ? "" : "s"));
  context.names = graph::NameMaker(context.model);
}

}  // namespace ingot::converters
