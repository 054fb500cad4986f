// SPDX-License-Identifier: Apache-2.0
// Named dimensions of a model given a size.
#include "converters/fix_dimensions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <vector>

#include "base/text.h"
#include "graph/graph_index.h"

namespace ingot::converters {
namespace {

using Sizes = std::map<std::string, std::int64_t, std::less<>>;

/// Names of the dimensions of the model's inputs, each once.
std::vector<std::string> names_of(const onnx::GraphProto& graph) {
  std::vector<std::string> names;
  for (const auto& input : graph.input()) {
    for (const auto& dim : input.type().tensor_type().shape().dim()) {
      const std::string& name = dim.dim_param();
      if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

void fix_type(onnx::TypeProto& type, const Sizes& sizes) {
  switch (type.value_case()) {
    case onnx::TypeProto::kTensorType:
      // A type without shape must not get an empty one.
      if (!type.tensor_type().has_shape()) return;
      for (auto& dim : *type.mutable_tensor_type()->mutable_shape()->mutable_dim()) {
        const auto found = sizes.find(dim.dim_param());
        if (dim.has_dim_param() && found != sizes.end()) dim.set_dim_value(found->second);
      }
      return;
    case onnx::TypeProto::kSequenceType:
      return fix_type(*type.mutable_sequence_type()->mutable_elem_type(), sizes);
    case onnx::TypeProto::kOptionalType:
      return fix_type(*type.mutable_optional_type()->mutable_elem_type(), sizes);
    default:
      return;
  }
}

void fix_infos(google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>& infos,
               const Sizes& sizes) {
  for (auto& info : infos) fix_type(*info.mutable_type(), sizes);
}

}  // namespace

FixedDimension parse_fixed_dimension(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  FixedDimension fixed;
  if (equals != std::string_view::npos && equals > 0) {
    fixed.name = text.substr(0, equals);
    const char *begin = text.data() + equals + 1, *end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(begin, end, fixed.size);
    if (problem == std::errc() && stop == end && fixed.size >= 1) return fixed;
  }
  throw Error(
      Code::kUsage,
      fmt::format("--fix-dim '{}': NAME=N is wanted, N a whole number of at least 1", text));
}

void fix_dimensions(graph::Model& model, std::span<const FixedDimension> fixed) {
  if (fixed.empty()) return;
  const std::vector<std::string> known = names_of(model.graph());
  Sizes sizes;
  for (const FixedDimension& entry : fixed) {
    if (std::ranges::find(known, entry.name) == known.end()) {
      throw Error(
          Code::kUsage,
          fmt::format("--fix-dim '{}': no input has a dimension of this name{}", entry.name,
                      known.empty() ? "; none of them is named" : did_you_mean(entry.name, known)),
          known.empty() ? "" : fmt::format("named dimensions: {}", fmt::join(known, ", ")));
    }
    if (!sizes.emplace(entry.name, entry.size).second) {
      throw Error(Code::kUsage, fmt::format("--fix-dim '{}' is given twice", entry.name));
    }
  }
  graph::for_each_graph(model.proto(), [&sizes](onnx::GraphProto& graph) {
    fix_infos(*graph.mutable_input(), sizes);
    fix_infos(*graph.mutable_output(), sizes);
    fix_infos(*graph.mutable_value_info(), sizes);
  });
}

}  // namespace ingot::converters
