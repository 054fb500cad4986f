// SPDX-License-Identifier: Apache-2.0
// What ONNX's inference functions ask about a node, answered from a table of values instead of
// from copies of the model. Not for use outside graph/.
#pragma once

#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ingot::graph {

/// What is known of a value; null pointers where nothing is.
struct KnownValue {
  const onnx::TypeProto* type = nullptr;
  const onnx::TensorProto* data = nullptr;  ///< a constant whose bytes lie in the protobuf
  const onnx::SparseTensorProto* sparse = nullptr;
  const onnx::TensorShapeProto* content = nullptr;  ///< its integers, each known or not
};

/// Longest vector of integers that is followed through shape arithmetic.
inline constexpr std::int64_t kMaxContent = 1024;

/// One node with its inputs; collects the types of its outputs.
class NodeContext : public onnx::InferenceContext {
 public:
  /// Infers a graph attribute for given input types; returns one type per output of the graph.
  using Subgraph = std::function<std::vector<const onnx::TypeProto*>(
      const onnx::GraphProto&, const std::vector<const onnx::TypeProto*>&)>;

  /// `inputs`: one per input of `node`; all must outlive the context.
  NodeContext(const onnx::NodeProto& node, const std::vector<KnownValue>& inputs,
              Subgraph subgraph);

  const onnx::AttributeProto* getAttribute(const std::string& name) const override;
  std::size_t getNumInputs() const override { return inputs_.size(); }
  const onnx::TypeProto* getInputType(std::size_t index) const override;
  bool hasInput(std::size_t index) const override;
  const onnx::TensorProto* getInputData(std::size_t index) const override;
  const onnx::SparseTensorProto* getInputSparseData(std::size_t index) const override;
  const onnx::TensorShapeProto* getSymbolicInput(std::size_t index) const override;
  std::size_t getNumOutputs() const override { return outputs_.size(); }
  onnx::TypeProto* getOutputType(std::size_t index) override;
  bool hasOutput(std::size_t index) override;
  onnx::GraphInferencer* getGraphAttributeInferencer(const std::string& name) override;
  std::string getDisplayName() const override;

  std::vector<onnx::TypeProto>& outputs() { return outputs_; }

 private:
  const onnx::NodeProto& node_;
  const std::vector<KnownValue>& inputs_;
  Subgraph subgraph_;
  std::vector<onnx::TypeProto> outputs_;
  std::vector<std::unique_ptr<onnx::GraphInferencer>> inferencers_;
};

/// The same for the integers that shape arithmetic passes on.
class ContentContext : public onnx::DataPropagationContext {
 public:
  ContentContext(const onnx::NodeProto& node, const std::vector<KnownValue>& inputs);

  const onnx::AttributeProto* getAttribute(const std::string& name) const override;
  std::size_t getNumInputs() const override { return inputs_.size(); }
  const onnx::TypeProto* getInputType(std::size_t index) const override;
  std::size_t getNumOutputs() const override { return outputs_.size(); }
  const onnx::TypeProto* getOutputType(std::size_t index) const override;
  const onnx::TensorShapeProto* getInputData(std::size_t index) override;
  void addOutputData(std::size_t index, onnx::TensorShapeProto&& content) override;

  /// What was found, by output; null where nothing was.
  std::vector<std::unique_ptr<onnx::TensorShapeProto>>& outputs() { return outputs_; }

 private:
  const onnx::NodeProto& node_;
  const std::vector<KnownValue>& inputs_;
  std::vector<std::unique_ptr<onnx::TensorShapeProto>> made_, outputs_;
};

}  // namespace ingot::graph
