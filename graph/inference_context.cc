// SPDX-License-Identifier: Apache-2.0
#include "graph/inference_context.h"

#include <fmt/format.h>
#include <onnx/defs/tensor_proto_util.h>

#include <utility>

#include "graph/graph_index.h"

namespace ingot::graph {
namespace {

class SubgraphInferencer : public onnx::GraphInferencer {
 public:
  SubgraphInferencer(const onnx::GraphProto& graph, const NodeContext::Subgraph& infer)
      : graph_(graph), infer_(infer) {}
  std::vector<const onnx::TypeProto*> doInferencing(
      const std::vector<const onnx::TypeProto*>& types,
      const std::vector<const onnx::TensorProto*>& /*data*/) override {
    return infer_(graph_, types);
  }

 private:
  const onnx::GraphProto& graph_;
  const NodeContext::Subgraph& infer_;
};

template <class Integer>
std::unique_ptr<onnx::TensorShapeProto> content_of(const onnx::TensorProto& tensor) {
  auto content = std::make_unique<onnx::TensorShapeProto>();
  for (const Integer value : onnx::ParseData<Integer>(&tensor)) {
    content->add_dim()->set_dim_value(value);
  }
  return content;
}

/// The integers of a small constant of rank 0 or 1.
std::unique_ptr<onnx::TensorShapeProto> constant_content(const onnx::TensorProto* tensor) {
  if (tensor == nullptr || tensor->dims_size() > 1) return nullptr;
  if (tensor->dims_size() == 1 && tensor->dims(0) > kMaxContent) return nullptr;
  if (tensor->data_type() == onnx::TensorProto::INT64) return content_of<std::int64_t>(*tensor);
  if (tensor->data_type() == onnx::TensorProto::INT32) return content_of<std::int32_t>(*tensor);
  return nullptr;
}

/// As many unknown integers as a vector of this type has.
std::unique_ptr<onnx::TensorShapeProto> unknown_content(const onnx::TypeProto* type) {
  if (type == nullptr || !type->has_tensor_type() || !type->tensor_type().has_shape()) {
    return nullptr;
  }
  const auto& shape = type->tensor_type().shape();
  if (shape.dim_size() != 1 || !shape.dim(0).has_dim_value()) return nullptr;
  const std::int64_t count = shape.dim(0).dim_value();
  if (count < 0 || count > kMaxContent) return nullptr;
  auto content = std::make_unique<onnx::TensorShapeProto>();
  for (std::int64_t i = 0; i < count; ++i) content->add_dim();
  return content;
}

/// Inference functions reach for what an operator usually has.
[[noreturn]] void refuse(const char* kind, std::size_t index, std::size_t count) {
  throw onnx::InferenceError(fmt::format("{} {} is wanted, {} are there", kind, index, count));
}

}  // namespace

NodeContext::NodeContext(const onnx::NodeProto& node, const std::vector<KnownValue>& inputs,
                         Subgraph subgraph)
    : node_(node),
      inputs_(inputs),
      subgraph_(std::move(subgraph)),
      outputs_(static_cast<std::size_t>(node.output_size())) {}

const onnx::AttributeProto* NodeContext::getAttribute(const std::string& name) const {
  return find_attribute(node_, name);
}

const onnx::TypeProto* NodeContext::getInputType(std::size_t index) const {
  if (index >= inputs_.size()) refuse("input", index, inputs_.size());
  return inputs_[index].type;
}

bool NodeContext::hasInput(std::size_t index) const {
  return index < inputs_.size() && !node_.input(static_cast<int>(index)).empty();
}

const onnx::TensorProto* NodeContext::getInputData(std::size_t index) const {
  return index < inputs_.size() ? inputs_[index].data : nullptr;
}

const onnx::SparseTensorProto* NodeContext::getInputSparseData(std::size_t index) const {
  return index < inputs_.size() ? inputs_[index].sparse : nullptr;
}

const onnx::TensorShapeProto* NodeContext::getSymbolicInput(std::size_t index) const {
  return index < inputs_.size() ? inputs_[index].content : nullptr;
}

onnx::TypeProto* NodeContext::getOutputType(std::size_t index) {
  if (index >= outputs_.size()) refuse("output", index, outputs_.size());
  return &outputs_[index];
}

bool NodeContext::hasOutput(std::size_t index) {
  return index < outputs_.size() && !node_.output(static_cast<int>(index)).empty();
}

onnx::GraphInferencer* NodeContext::getGraphAttributeInferencer(const std::string& name) {
  const onnx::AttributeProto* attribute = find_attribute(node_, name);
  if (attribute == nullptr || !attribute->has_g()) return nullptr;
  inferencers_.push_back(std::make_unique<SubgraphInferencer>(attribute->g(), subgraph_));
  return inferencers_.back().get();
}

std::string NodeContext::getDisplayName() const { return describe(node_); }

ContentContext::ContentContext(const onnx::NodeProto& node, const std::vector<KnownValue>& inputs)
    : node_(node),
      inputs_(inputs),
      made_(inputs.size()),
      outputs_(static_cast<std::size_t>(node.output_size())) {}

const onnx::AttributeProto* ContentContext::getAttribute(const std::string& name) const {
  return find_attribute(node_, name);
}

const onnx::TypeProto* ContentContext::getInputType(std::size_t index) const {
  return index < inputs_.size() ? inputs_[index].type : nullptr;
}

const onnx::TypeProto* ContentContext::getOutputType(std::size_t /*index*/) const {
  return nullptr;
}

const onnx::TensorShapeProto* ContentContext::getInputData(std::size_t index) {
  if (index >= inputs_.size()) return nullptr;
  if (inputs_[index].content != nullptr) return inputs_[index].content;
  auto& made = made_[index];
  if (made == nullptr) made = constant_content(inputs_[index].data);
  if (made == nullptr) made = unknown_content(inputs_[index].type);
  return made.get();
}

void ContentContext::addOutputData(std::size_t index, onnx::TensorShapeProto&& content) {
  if (index >= outputs_.size() || content.dim_size() > kMaxContent) return;
  outputs_[index] = std::make_unique<onnx::TensorShapeProto>(std::move(content));
}

}  // namespace ingot::graph
