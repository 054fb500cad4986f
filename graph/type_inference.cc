// SPDX-License-Identifier: Apache-2.0
#include "graph/type_inference.h"

#include <fmt/format.h>
#include <onnx/defs/schema.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "graph/graph_index.h"
#include "graph/inference_context.h"
#include "graph/tensor_store.h"
#include "graph/type_text.h"

namespace ingot::graph {
namespace {

using onnx::TypeProto;

std::string canonical(const std::string& domain) {
  return domain == "ai.onnx" ? std::string() : domain;
}

bool is_known(const TypeProto* type) {
  return type != nullptr && type->value_case() != TypeProto::VALUE_NOT_SET;
}

template <class Dims>
TypeProto tensor_type(int element_type, const Dims& dims) {
  TypeProto type;
  auto& tensor = *type.mutable_tensor_type();
  tensor.set_elem_type(element_type);
  auto& shape = *tensor.mutable_shape();
  for (const std::int64_t dim : dims) shape.add_dim()->set_dim_value(dim);
  return type;
}

/// Adds to `type` what `declared` says and it leaves open; a contradiction adds nothing.
void fill(TypeProto& type, const TypeProto& declared) {
  if (!is_known(&type)) {
    type = declared;
    return;
  }
  if (!type.has_tensor_type() || !declared.has_tensor_type()) return;
  auto& tensor = *type.mutable_tensor_type();
  const auto& wanted = declared.tensor_type();
  if (tensor.elem_type() == onnx::TensorProto::UNDEFINED) tensor.set_elem_type(wanted.elem_type());
  if (tensor.elem_type() != wanted.elem_type() || !wanted.has_shape()) return;
  if (!tensor.has_shape()) {
    *tensor.mutable_shape() = wanted.shape();
    return;
  }
  if (tensor.shape().dim_size() != wanted.shape().dim_size()) return;
  for (int i = 0; i < wanted.shape().dim_size(); ++i) {
    auto& dim = *tensor.mutable_shape()->mutable_dim(i);
    if (!dim.has_dim_value() && wanted.shape().dim(i).has_dim_value()) dim = wanted.shape().dim(i);
  }
}

/// ONNX's text without its line breaks and the kind of error in front.
std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  if (text.starts_with('[')) {
    const auto end = text.find("] ");
    if (end != std::string::npos) text.erase(0, end + 2);
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

/// The value of a Constant that holds numbers instead of a tensor.
std::optional<onnx::TensorProto> plain_constant(const onnx::AttributeProto& value) {
  onnx::TensorProto tensor;
  const std::string& name = value.name();
  const bool is_list = name == "value_ints" || name == "value_floats";
  if (name == "value_int" || name == "value_ints") {
    tensor.set_data_type(onnx::TensorProto::INT64);
    *tensor.mutable_int64_data() = value.ints();
    if (!is_list) tensor.add_int64_data(value.i());
    if (is_list) tensor.add_dims(value.ints_size());
    return tensor;
  }
  if (name == "value_float" || name == "value_floats") {
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    *tensor.mutable_float_data() = value.floats();
    if (!is_list) tensor.add_float_data(value.f());
    if (is_list) tensor.add_dims(value.floats_size());
    return tensor;
  }
  return std::nullopt;
}

}  // namespace

class TypeInferrer {
 public:
  TypeInferrer(const onnx::ModelProto& model, const InferenceOptions& options)
      : model_(model), options_(options) {
    for (const auto& import : model.opset_import()) {
      opsets_.emplace(canonical(import.domain()), static_cast<int>(import.version()));
    }
  }

  GraphTypes run() {
    infer(model_.graph(), nullptr, nullptr);
    return std::move(result_);
  }

 private:
  using Scope = GraphTypes::Scope;
  using Types = std::vector<const TypeProto*>;
  using Declarations = std::unordered_map<std::string_view, const TypeProto*>;

  /// What a graph defined is forgotten at its end: a sibling may use the name for another value.
  struct Entered {
    std::string_view name;
    std::optional<KnownValue> before;
  };

  /// `given`: types of the inputs as the node around `graph` knows them; null for the main graph.
  void infer(const onnx::GraphProto& graph, const onnx::GraphProto* outer, const Types* given) {
    Scope& scope = result_.scopes_[&graph];
    scope.outer = outer;
    std::vector<Entered> entered;
    entered_.push_back(&entered);
    for (int i = 0; i < graph.input_size(); ++i) {
      const bool is_given = given != nullptr && static_cast<std::size_t>(i) < given->size();
      enter_input(graph.input(i), is_given ? (*given)[static_cast<std::size_t>(i)] : nullptr,
                  scope);
    }
    enter_initializers(graph, scope);
    const Declarations declared = declarations(graph);
    for (const onnx::NodeProto& node : graph.node()) visit(node, graph, scope, declared);
    entered_.pop_back();
    for (auto item = entered.rbegin(); item != entered.rend(); ++item) {
      if (item->before) {
        visible_[item->name] = *item->before;
      } else {
        visible_.erase(item->name);
      }
    }
  }

  void enter_input(const onnx::ValueInfoProto& input, const TypeProto* given, Scope& scope) {
    TypeProto type = is_known(given) ? *given : input.type();
    if (is_known(given)) fill(type, input.type());
    enter(input.name(), std::move(type), {}, scope);
  }

  void enter_initializers(const onnx::GraphProto& graph, Scope& scope) {
    for (const onnx::TensorProto& tensor : graph.initializer()) {
      // One that is an input can be replaced by the caller: only its type is known.
      const bool is_input = scope.types.contains(tensor.name());
      if (is_input && model_.ir_version() >= 4) continue;
      KnownValue value;
      if (!store_number(tensor)) value.data = &tensor;
      enter(tensor.name(), tensor_type(tensor.data_type(), tensor.dims()), value, scope);
    }
    for (const onnx::SparseTensorProto& sparse : graph.sparse_initializer()) {
      // Readers get it dense.
      enter(sparse.values().name(), tensor_type(sparse.values().data_type(), sparse.dims()), {},
            scope);
    }
  }

  Declarations declarations(const onnx::GraphProto& graph) const {
    Declarations declared;
    if (!options_.use_declarations) return declared;
    for (const auto& info : graph.value_info()) declared.emplace(info.name(), &info.type());
    for (const auto& info : graph.output()) declared.emplace(info.name(), &info.type());
    return declared;
  }

  void enter(std::string_view name, TypeProto type, KnownValue value, Scope& scope) {
    if (name.empty()) return;
    TypeProto& kept = scope.types[std::string(name)];
    kept = std::move(type);
    value.type = is_known(&kept) ? &kept : nullptr;
    const auto [place, is_new] = visible_.try_emplace(name, value);
    entered_.back()->push_back({name, is_new ? std::nullopt : std::optional(place->second)});
    place->second = value;
  }

  void visit(const onnx::NodeProto& node, const onnx::GraphProto& graph, Scope& scope,
             const Declarations& declared) {
    std::vector<KnownValue> inputs;
    bool all_known = true;
    for (const std::string& name : node.input()) {
      const auto found = visible_.find(name);
      inputs.push_back(found == visible_.end() ? KnownValue{} : found->second);
      if (!name.empty() && inputs.back().type == nullptr) all_known = false;
    }
    NodeContext context(node, inputs, [&](const onnx::GraphProto& inner, const Types& types) {
      return subgraph(inner, graph, types, all_known);
    });
    const onnx::OpSchema* schema = schema_of(node);
    if (schema != nullptr) run(*schema, node, context, all_known);
    visit_other_graphs(node, graph);
    auto contents = contents_of(schema, node, inputs);
    for (int i = 0; i < node.output_size(); ++i) {
      const auto slot = static_cast<std::size_t>(i);
      TypeProto& type = context.outputs()[slot];
      const auto wanted = declared.find(node.output(i));
      if (wanted != declared.end()) fill(type, *wanted->second);
      KnownValue value = node.output_size() == 1 ? constant_of(node) : KnownValue{};
      if (contents[slot] != nullptr)
        value.content = kept_contents_.emplace_back(std::move(contents[slot])).get();
      enter(node.output(i), std::move(type), value, scope);
    }
  }

  const onnx::OpSchema* schema_of(const onnx::NodeProto& node) const {
    const std::string domain = canonical(node.domain());
    const auto opset = opsets_.find(domain);
    if (opset == opsets_.end()) return nullptr;
    return onnx::OpSchemaRegistry::Schema(node.op_type(), opset->second, domain);
  }

  /// `all_known` turns false when a subgraph leaves the type of an output open.
  void run(const onnx::OpSchema& schema, const onnx::NodeProto& node, NodeContext& context,
           const bool& all_known) {
    try {
      if (schema.has_type_and_shape_inference_function()) {
        schema.GetTypeAndShapeInferenceFunction()(context);
      } else if (schema.HasFunction()) {
        infer_by_function(*schema.GetFunction(), context);
      }
    } catch (const std::exception& fault) {
      for (TypeProto& type : context.outputs()) type.Clear();
      if (all_known && schema.has_type_and_shape_inference_function())
        result_.faults_.push_back({&node, one_line(fault.what())});
    }
  }

  static void infer_by_function(const onnx::FunctionProto& function, NodeContext& context) {
    std::unordered_map<std::string, int> imports;
    for (const auto& import : function.opset_import()) {
      imports[import.domain()] = static_cast<int>(import.version());
    }
    onnx::shape_inference::InferShapeForFunctionNode(
        function, imports, onnx::OpSchemaRegistry::Instance(), context,
        onnx::ShapeInferenceOptions(), {}, nullptr, nullptr);
  }

  Types subgraph(const onnx::GraphProto& inner, const onnx::GraphProto& outer, const Types& types,
                 bool& all_known) {
    // Inference functions may ask twice; the second answer is the first.
    if (!result_.scopes_.contains(&inner)) {
      check_inputs(inner, types);
      infer(inner, &outer, &types);
    }
    static const TypeProto kUnknown;
    Types outputs;
    for (const auto& output : inner.output()) {
      const TypeProto* type = result_.find(inner, output.name());
      if (!is_known(type)) all_known = false;
      outputs.push_back(type == nullptr ? &kUnknown : type);
    }
    return outputs;
  }

  /// What the runtime insists on: as many inputs as are given, of the element types declared.
  void check_inputs(const onnx::GraphProto& graph, const Types& given) const {
    const auto wanted = static_cast<std::size_t>(graph.input_size());
    if (given.size() != wanted && (model_.ir_version() >= 4 || given.size() > wanted)) {
      throw onnx::InferenceError(fmt::format("graph '{}' has {} inputs, {} are given", graph.name(),
                                             wanted, given.size()));
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
      const auto& input = graph.input(static_cast<int>(i));
      if (!is_known(given[i]) || !input.type().has_tensor_type()) continue;
      const int declared = input.type().tensor_type().elem_type();
      const int seen = given[i]->tensor_type().elem_type();
      if (given[i]->has_tensor_type() && (declared == seen || declared == 0 || seen == 0)) continue;
      throw onnx::InferenceError(fmt::format("input '{}' of graph '{}' is declared {}, {} is given",
                                             input.name(), graph.name(), type_text(input.type()),
                                             type_text(*given[i])));
    }
  }

  /// Graphs that no inference function asked for: of operators that ONNX does not know, or behind a
  /// fault.
  void visit_other_graphs(const onnx::NodeProto& node, const onnx::GraphProto& outer) {
    const auto visit_one = [&](const onnx::GraphProto& inner) {
      if (!result_.scopes_.contains(&inner)) infer(inner, &outer, nullptr);
    };
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) visit_one(attribute.g());
      for (const auto& inner : attribute.graphs()) visit_one(inner);
    }
  }

  std::vector<std::unique_ptr<onnx::TensorShapeProto>> contents_of(
      const onnx::OpSchema* schema, const onnx::NodeProto& node,
      const std::vector<KnownValue>& inputs) const {
    ContentContext context(node, inputs);
    if (options_.follow_shapes && schema != nullptr && schema->has_data_propagation_function()) {
      try {
        schema->GetDataPropagationFunction()(context);
      } catch (const std::exception&) {
        // The integers stay unknown; what is wrong with the node, inference has said.
      }
    }
    return std::move(context.outputs());
  }

  KnownValue constant_of(const onnx::NodeProto& node) {
    KnownValue value;
    if (node.op_type() != "Constant" || !canonical(node.domain()).empty()) return value;
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_t() && !store_number(attribute.t())) value.data = &attribute.t();
      if (attribute.has_sparse_tensor()) value.sparse = &attribute.sparse_tensor();
      if (auto plain = plain_constant(attribute))
        value.data = &plain_constants_.emplace_back(std::move(*plain));
    }
    return value;
  }

  const onnx::ModelProto& model_;
  InferenceOptions options_;
  std::unordered_map<std::string, int> opsets_;
  GraphTypes result_;
  std::unordered_map<std::string_view, KnownValue> visible_;
  std::vector<std::vector<Entered>*> entered_;
  std::deque<onnx::TensorProto> plain_constants_;
  std::vector<std::unique_ptr<onnx::TensorShapeProto>> kept_contents_;
};

const TypeProto* GraphTypes::find(const onnx::GraphProto& graph, std::string_view name) const {
  for (auto scope = scopes_.find(&graph); scope != scopes_.end();
       scope = scopes_.find(scope->second.outer)) {
    const auto found = scope->second.types.find(name);
    if (found != scope->second.types.end())
      return is_known(&found->second) ? &found->second : nullptr;
  }
  return nullptr;
}

void GraphTypes::for_each(
    const onnx::GraphProto& graph,
    const std::function<void(std::string_view, const TypeProto&)>& visit) const {
  const auto scope = scopes_.find(&graph);
  if (scope == scopes_.end()) return;
  for (const auto& [name, type] : scope->second.types) {
    if (is_known(&type)) visit(name, type);
  }
}

GraphTypes infer_graph_types(const Model& model, const InferenceOptions& options) {
  return TypeInferrer(model.proto(), options).run();
}

}  // namespace ingot::graph
