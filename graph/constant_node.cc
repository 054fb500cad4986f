// SPDX-License-Identifier: Apache-2.0
#include "graph/constant_node.h"

#include <string>
#include <vector>

namespace ingot::graph {

bool is_constant_node(const onnx::NodeProto& node) {
  return node.op_type() == "Constant" && (node.domain().empty() || node.domain() == "ai.onnx") &&
         node.output_size() == 1;
}

std::optional<Tensor> plain_constant(const onnx::NodeProto& node) {
  for (const auto& attribute : node.attribute()) {
    if (!attribute.ref_attr_name().empty()) return std::nullopt;
    const std::string& name = attribute.name();
    if (name == "value_float") return Tensor::of<float>({}, std::vector<float>{attribute.f()});
    if (name == "value_int")
      return Tensor::of<std::int64_t>({}, std::vector<std::int64_t>{attribute.i()});
    if (name == "value_string") return Tensor{DType::kString, {}, {}, {attribute.s()}};
    if (name == "value_floats") {
      return Tensor::of({attribute.floats_size()},
                        std::vector<float>(attribute.floats().begin(), attribute.floats().end()));
    }
    if (name == "value_ints") {
      return Tensor::of({attribute.ints_size()}, std::vector<std::int64_t>(attribute.ints().begin(),
                                                                           attribute.ints().end()));
    }
    if (name == "value_strings") {
      return Tensor{DType::kString,
                    {attribute.strings_size()},
                    {},
                    {attribute.strings().begin(), attribute.strings().end()}};
    }
  }
  return std::nullopt;
}

}  // namespace ingot::graph
