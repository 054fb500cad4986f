// SPDX-License-Identifier: Apache-2.0
#include "graph/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "graph/graph_index.h"
#include "graph/type_text.h"

namespace ingot::graph {
namespace {

PortSummary port(const onnx::ValueInfoProto& info) {
  PortSummary summary;
  summary.name = info.name();
  summary.type = type_text(info.type());
  if (info.type().has_tensor_type())
    summary.dtype = static_cast<DType>(info.type().tensor_type().elem_type());
  return summary;
}

std::string operator_name(const onnx::NodeProto& node) {
  const bool standard = node.domain().empty() || node.domain() == "ai.onnx";
  return standard ? node.op_type() : node.domain() + "." + node.op_type();
}

/// Bytes as they count for the model's size: packed elements, or the characters of strings.
std::uint64_t stored_bytes(const onnx::TensorProto& tensor, DType dtype, std::int64_t count) {
  if (dtype != DType::kString) return byte_count(dtype, count);
  std::uint64_t bytes = 0;
  for (const std::string& text : tensor.string_data()) bytes += text.size();
  return bytes;
}

/// Walks everything once and adds it up.
class Counter {
 public:
  explicit Counter(Summary& summary) : summary_(summary) {}

  void nodes(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes) {
    for (const onnx::NodeProto& node : nodes) {
      ++summary_.node_count;
      ++summary_.operator_counts[operator_name(node)];
      for (const onnx::AttributeProto& attribute : node.attribute())
        this->attribute(node, attribute);
    }
  }

  void graph(const onnx::GraphProto& graph) {
    for (const onnx::TensorProto& tensor : graph.initializer()) this->tensor(tensor, tensor.name());
    for (const onnx::SparseTensorProto& sparse : graph.sparse_initializer())
      this->sparse(sparse, sparse.values().name());
    nodes(graph.node());
  }

  std::vector<TensorSummary> take_tensors() { return std::move(tensors_); }

 private:
  void attribute(const onnx::NodeProto& node, const onnx::AttributeProto& attribute) {
    const auto name = [&] {
      const bool constant = node.op_type() == "Constant" && node.output_size() == 1;
      return constant ? node.output(0) : fmt::format("in {}", describe(node));
    };
    if (attribute.has_t()) tensor(attribute.t(), name());
    for (const onnx::TensorProto& value : attribute.tensors()) tensor(value, name());
    if (attribute.has_sparse_tensor()) sparse(attribute.sparse_tensor(), name());
    for (const onnx::SparseTensorProto& value : attribute.sparse_tensors()) sparse(value, name());
    if (attribute.has_g()) subgraph(attribute.g());
    for (const onnx::GraphProto& value : attribute.graphs()) subgraph(value);
  }

  void subgraph(const onnx::GraphProto& inner) {
    ++summary_.subgraph_count;
    graph(inner);
  }

  void sparse(const onnx::SparseTensorProto& value, const std::string& name) {
    tensor(value.values(), name);
    tensor(value.indices(), name + " (indices)");
  }

  void tensor(const onnx::TensorProto& tensor, std::string name) {
    TensorSummary entry{std::move(name),
                        static_cast<DType>(tensor.data_type()),
                        {tensor.dims().begin(), tensor.dims().end()},
                        0};
    const auto [count, bytes] =
        with_context([&] { return fmt::format("in tensor '{}'", entry.name); },
                     [&] {
                       const std::int64_t elements = element_count(entry.shape);
                       return std::pair(static_cast<std::uint64_t>(elements),
                                        stored_bytes(tensor, entry.dtype, elements));
                     });
    entry.size_bytes = bytes;
    summary_.parameter_count += count;
    summary_.weight_bytes += bytes;
    DTypeTotals& totals = summary_.by_dtype[entry.dtype];
    ++totals.tensor_count;
    totals.parameter_count += count;
    totals.size_bytes += bytes;
    tensors_.push_back(std::move(entry));
  }

  Summary& summary_;
  std::vector<TensorSummary> tensors_;
};

std::vector<TensorSummary> largest_of(std::vector<TensorSummary> tensors, std::size_t count) {
  std::stable_sort(
      tensors.begin(), tensors.end(),
      [](const TensorSummary& a, const TensorSummary& b) { return a.size_bytes > b.size_bytes; });
  tensors.resize(std::min(count, tensors.size()));
  return tensors;
}

}  // namespace

Summary summarize(const Model& model, std::size_t largest_count) {
  const onnx::ModelProto& proto = model.proto();
  Summary summary;
  summary.ir_version = proto.ir_version();
  summary.producer = proto.producer_name() +
                     (proto.producer_version().empty() ? "" : " " + proto.producer_version());
  summary.graph_name = proto.graph().name();
  for (const auto& import : proto.opset_import()) {
    summary.opset_imports.emplace_back(import.domain().empty() ? "ai.onnx" : import.domain(),
                                       import.version());
  }
  std::unordered_set<std::string_view> initialized;
  for (const onnx::TensorProto& tensor : proto.graph().initializer())
    initialized.insert(tensor.name());
  for (const auto& info : proto.graph().input()) {
    summary.inputs.push_back(port(info));
    summary.inputs.back().has_initializer = initialized.contains(info.name());
  }
  for (const auto& info : proto.graph().output()) summary.outputs.push_back(port(info));
  Counter counter(summary);
  counter.graph(proto.graph());
  summary.function_count = static_cast<std::uint64_t>(proto.functions_size());
  for (const auto& function : proto.functions()) {
    summary.functions.push_back((function.domain().empty() ? "" : function.domain() + ".") +
                                function.name() +
                                (function.overload().empty() ? "" : ":" + function.overload()));
  }
  summary.domain = proto.domain();
  summary.doc = proto.doc_string();
  summary.model_version = proto.model_version();
  summary.training_info_count = static_cast<std::uint64_t>(proto.training_info_size());
  for (const onnx::FunctionProto& function : proto.functions()) counter.nodes(function.node());
  summary.largest = largest_of(counter.take_tensors(), largest_count);
  summary.external_weights = model.has_external_weights();
  summary.external_files = model.external_locations();
  std::error_code missing;
  const auto size = std::filesystem::file_size(model.path(), missing);
  summary.file_bytes = missing ? 0 : size;
  for (const auto& entry : proto.metadata_props())
    summary.metadata.emplace_back(entry.key(), entry.value());
  return summary;
}

}  // namespace ingot::graph
