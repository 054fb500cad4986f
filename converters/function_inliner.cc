// SPDX-License-Identifier: Apache-2.0
#include "converters/function_inliner.h"

#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "graph/graph_index.h"
#include "graph/tensor_store.h"

namespace ingot::converters {
namespace {

/// A name grows with every call around it; a longer one starts anew with the function's name.
constexpr std::size_t kMaxStemBytes = 200;

/// What one call binds: names of the body to names of the caller, attributes to their values.
class Binding {
 public:
  Binding(const onnx::NodeProto& call, const onnx::FunctionProto& function, graph::NameMaker& names)
      : names_(names), stem_(call.name().empty() ? function.name() : call.name()) {
    if (stem_.size() > kMaxStemBytes) stem_ = function.name().substr(0, kMaxStemBytes);
    for (int i = 0; i < function.input_size(); ++i) {
      renames_[function.input(i)] = i < call.input_size() ? call.input(i) : std::string();
    }
    for (const auto& attribute : function.attribute_proto()) {
      attributes_[attribute.name()] = &attribute;
    }
    for (const auto& attribute : call.attribute()) attributes_[attribute.name()] = &attribute;
  }

  std::string fresh(const std::string& name) { return names_.fresh(stem_ + "/" + name); }
  /// Where `name` of the body is called otherwise.
  std::string seen_outside(const std::string& name) const {
    const auto found = renames_.find(name);
    return found == renames_.end() ? name : found->second;
  }
  bool is_bound(const std::string& name) const { return renames_.contains(name); }
  void bind(const std::string& name, std::string outside) { renames_[name] = std::move(outside); }

  void define(const std::string& name) {
    if (!name.empty() && !is_bound(name)) bind(name, fresh(name));
  }

  /// Makes a copy of a node of the body one of the caller; what it writes is bound.
  void translate(onnx::NodeProto& node) {
    if (!node.name().empty()) node.set_name(fresh(node.name()));
    for (std::string& name : *node.mutable_input()) name = seen_outside(name);
    for (std::string& name : *node.mutable_output()) name = seen_outside(name);
    bind_attributes(node);
  }

 private:
  void bind_attributes(onnx::NodeProto& node) {
    google::protobuf::RepeatedPtrField<onnx::AttributeProto> bound;
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.ref_attr_name().empty()) {
        // Only graphs of the body see its names; one that the caller hands in keeps its own.
        if (attribute.has_g()) translate(*attribute.mutable_g());
        for (auto& graph : *attribute.mutable_graphs()) translate(graph);
        bound.Add(std::move(attribute));
        continue;
      }
      const auto value = attributes_.find(attribute.ref_attr_name());
      if (value == attributes_.end()) continue;
      onnx::AttributeProto copy = *value->second;
      copy.set_name(attribute.name());
      bound.Add(std::move(copy));
    }
    node.mutable_attribute()->Swap(&bound);
  }

  void translate(onnx::GraphProto& graph) {
    // Names of this graph end with it: a sibling may use them for something else.
    std::vector<std::pair<std::string, std::optional<std::string>>> before;
    const auto define = [&](const std::string& name) {
      if (name.empty()) return;
      before.emplace_back(name, is_bound(name) ? std::optional(renames_[name]) : std::nullopt);
      bind(name, fresh(name));
    };
    for (const auto& input : graph.input()) define(input.name());
    for (const auto& tensor : graph.initializer()) define(tensor.name());
    for (const auto& sparse : graph.sparse_initializer()) define(sparse.values().name());
    for (const auto& node : graph.node()) {
      for (const std::string& name : node.output()) define(name);
    }
    for (auto& info : *graph.mutable_input()) info.set_name(seen_outside(info.name()));
    for (auto& tensor : *graph.mutable_initializer()) tensor.set_name(seen_outside(tensor.name()));
    for (auto& sparse : *graph.mutable_sparse_initializer()) {
      sparse.mutable_values()->set_name(seen_outside(sparse.values().name()));
    }
    for (auto& info : *graph.mutable_value_info()) info.set_name(seen_outside(info.name()));
    for (auto& info : *graph.mutable_output()) info.set_name(seen_outside(info.name()));
    graph.clear_quantization_annotation();
    for (auto& node : *graph.mutable_node()) translate(node);
    for (auto& [name, old] : before) {
      if (old) {
        bind(name, std::move(*old));
      } else {
        renames_.erase(name);
      }
    }
  }

  graph::NameMaker& names_;
  std::string stem_;
  std::unordered_map<std::string, std::string> renames_;
  std::unordered_map<std::string, const onnx::AttributeProto*> attributes_;
};

class Inliner {
 public:
  explicit Inliner(graph::Model& model) : model_(model), names_(model) {
    source_.mutable_functions()->Swap(model.proto().mutable_functions());
    table_.emplace(source_);
  }

  std::size_t run() {
    expand(model_.graph());
    settle_imports();
    return calls_;
  }

 private:
  void expand(onnx::GraphProto& graph) {
    google::protobuf::RepeatedPtrField<onnx::NodeProto> old;
    old.Swap(graph.mutable_node());
    // Last in, first out: a body is put where its call was. A stack of our own, since calls may
    // lie deep in one another.
    std::vector<onnx::NodeProto> waiting;
    for (onnx::NodeProto& first : old) {
      waiting.push_back(std::move(first));
      while (!waiting.empty()) {
        onnx::NodeProto node = std::move(waiting.back());
        waiting.pop_back();
        const int callee = table_->find(node);
        if (callee >= 0) {
          write_out(node, callee, waiting);
          continue;
        }
        for (auto& attribute : *node.mutable_attribute()) {
          if (attribute.has_g()) expand(*attribute.mutable_g());
          for (auto& inner : *attribute.mutable_graphs()) expand(inner);
        }
        graph.mutable_node()->Add(std::move(node));
      }
    }
  }

  void write_out(const onnx::NodeProto& call, int callee, std::vector<onnx::NodeProto>& waiting) {
    ++calls_;
    used_.insert(callee);
    const onnx::FunctionProto& function = table_->at(callee);
    Binding binding(call, function, names_);
    std::vector<onnx::NodeProto> passed_on;
    bind_outputs(call, function, binding, passed_on);
    // All names first: a body need not be sorted.
    std::vector<onnx::NodeProto> body;
    for (const onnx::NodeProto& node : function.node()) {
      if (const auto shared = shared_weight(node, callee, binding)) {
        binding.bind(node.output(0), *shared);
        continue;
      }
      for (const std::string& name : node.output()) binding.define(name);
      body.push_back(node);
    }
    for (onnx::NodeProto& node : body) binding.translate(node);
    for (onnx::NodeProto& node : passed_on) {
      node.set_input(0, binding.seen_outside(node.input(0)));
      body.push_back(std::move(node));
    }
    for (auto node = body.rbegin(); node != body.rend(); ++node)
      waiting.push_back(std::move(*node));
  }

  /// An output of the function takes the caller's name, unless its tensor has one already: an
  /// input, or an earlier output. An Identity passes those on.
  static void bind_outputs(const onnx::NodeProto& call, const onnx::FunctionProto& function,
                           Binding& binding, std::vector<onnx::NodeProto>& passed_on) {
    for (int i = 0; i < function.output_size() && i < call.output_size(); ++i) {
      if (call.output(i).empty()) continue;
      const std::string& inner = function.output(i);
      if (!binding.is_bound(inner)) {
        binding.bind(inner, call.output(i));
        continue;
      }
      onnx::NodeProto& identity = passed_on.emplace_back();
      identity.set_op_type("Identity");
      identity.add_input(inner);
      identity.add_output(call.output(i));
    }
  }

  /// The initializer that a large Constant of a body became.
  std::optional<std::string> shared_weight(const onnx::NodeProto& node, int callee,
                                           const Binding& binding) {
    if (node.op_type() != "Constant" || !canonical_domain(node.domain()).empty() ||
        node.attribute_size() != 1 || node.output_size() != 1) {
      return std::nullopt;
    }
    const onnx::AttributeProto& value = node.attribute(0);
    if (!value.has_t() || !graph::store_number(value.t()) || !value.ref_attr_name().empty())
      return std::nullopt;
    // What the caller sees must be written by a node.
    if (binding.is_bound(node.output(0))) return std::nullopt;
    std::string& name = weights_[&node];
    if (name.empty()) {
      name = names_.fresh(table_->at(callee).name() + "/" + node.output(0));
      onnx::TensorProto& tensor = *model_.graph().add_initializer();
      tensor.set_name(name);
      model_.share(value.t(), tensor);
    }
    return name;
  }

  /// Imports are one for the whole model: bodies bring theirs, domains without a node go.
  void settle_imports() {
    for (const int index : used_) {
      for (const auto& import : table_->at(index).opset_import()) {
        if (graph::opset_version(model_.proto(), import.domain()) == 0)
          graph::set_opset_version(model_.proto(), import.domain(), import.version());
      }
    }
    std::unordered_set<std::string> needed{""};
    graph::for_each_graph(model_.proto(), [&](const onnx::GraphProto& graph) {
      for (const auto& node : graph.node()) needed.insert(canonical_domain(node.domain()));
    });
    std::unordered_set<std::string> of_functions;
    for (const auto& function : source_.functions())
      of_functions.insert(canonical_domain(function.domain()));
    auto& imports = *model_.proto().mutable_opset_import();
    for (int i = imports.size() - 1; i >= 0; --i) {
      const std::string domain = canonical_domain(imports.Get(i).domain());
      if (of_functions.contains(domain) && !needed.contains(domain)) imports.DeleteSubrange(i, 1);
    }
  }

  graph::Model& model_;
  graph::NameMaker names_;
  onnx::ModelProto source_;  ///< keeps the functions while their calls are written out
  std::optional<FunctionTable> table_;
  std::unordered_map<const onnx::NodeProto*, std::string> weights_;
  std::set<int> used_;
  std::size_t calls_ = 0;
};

}  // namespace

std::size_t inline_functions(graph::Model& model) {
  if (model.proto().functions().empty()) return 0;
  return Inliner(model).run();
}

}  // namespace ingot::converters
