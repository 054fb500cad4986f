// SPDX-License-Identifier: Apache-2.0
// `ingot inspect`: what is in a model.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>

#include "base/json.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/budget_options.h"
#include "cli/commands/commands.h"
#include "cli/memory_limit.h"
#include "cli/table.h"
#include "converters/validate.h"
#include "graph/summary.h"

namespace ingot::cli {
namespace {

struct InspectOptions {
  std::filesystem::path model;
  std::size_t largest = 10;
  converters::Budgets budgets;
  std::uint64_t max_memory_bytes = std::uint64_t{1} << 30;
};

OrderedJson ports_json(const std::vector<graph::PortSummary>& ports) {
  OrderedJson list = OrderedJson::array();
  for (const graph::PortSummary& port : ports) {
    list.push_back({{"name", port.name},
                    {"dtype", dtype_name(port.dtype)},
                    {"type", port.type},
                    {"has_initializer", port.has_initializer}});
  }
  return list;
}

OrderedJson weights_json(const graph::Summary& summary) {
  OrderedJson by_dtype = OrderedJson::object();
  for (const auto& [dtype, totals] : summary.by_dtype) {
    by_dtype[std::string(dtype_name(dtype))] = {{"tensors", totals.tensor_count},
                                                {"parameters", totals.parameter_count},
                                                {"size_bytes", totals.size_bytes}};
  }
  OrderedJson largest = OrderedJson::array();
  for (const graph::TensorSummary& tensor : summary.largest) {
    largest.push_back({{"name", tensor.name},
                       {"dtype", dtype_name(tensor.dtype)},
                       {"shape", tensor.shape},
                       {"size_bytes", tensor.size_bytes}});
  }
  return {{"parameters", summary.parameter_count},
          {"size_bytes", summary.weight_bytes},
          {"external", summary.external_weights},
          {"external_files", summary.external_files},
          {"by_dtype", by_dtype},
          {"largest", largest}};
}

OrderedJson findings_json(const converters::Validation& validation) {
  OrderedJson list = OrderedJson::array();
  for (const auto& finding : validation.findings) {
    list.push_back(
        {{"unsupported", finding.code == Code::kUnsupported}, {"message", finding.message}});
  }
  return list;
}

OrderedJson to_json(const graph::Summary& summary, const converters::Validation& validation,
                    const std::filesystem::path& path) {
  OrderedJson opsets = OrderedJson::object(), metadata = OrderedJson::object();
  for (const auto& [domain, version] : summary.opset_imports) opsets[domain] = version;
  for (const auto& [key, value] : summary.metadata) metadata[key] = value;
  return {{"schema", "ingot.inspect"},
          {"schema_version", 1},
          {"model", path.string()},
          {"file_bytes", summary.file_bytes},
          {"ir_version", summary.ir_version},
          {"producer", summary.producer},
          {"graph", summary.graph_name},
          {"opset_imports", opsets},
          {"inputs", ports_json(summary.inputs)},
          {"outputs", ports_json(summary.outputs)},
          {"nodes", summary.node_count},
          {"operators", OrderedJson(summary.operator_counts)},
          {"subgraphs", summary.subgraph_count},
          {"functions", summary.function_count},
          {"function_names", summary.functions},
          {"foreign_operators", validation.foreign_operators},
          {"weights", weights_json(summary)},
          {"domain", summary.domain},
          {"model_version", summary.model_version},
          {"doc", summary.doc},
          {"training_info", summary.training_info_count},
          {"metadata", metadata},
          {"findings", findings_json(validation)},
          {"oddities", validation.oddities}};
}

void print_ports(const char* title, const std::vector<graph::PortSummary>& ports,
                 std::ostream& out) {
  out << title << ":\n";
  Table table({"name", "type", ""});
  for (const graph::PortSummary& port : ports)
    table.add({port.name, port.type, port.has_initializer ? "has a default" : ""});
  table.print(out, 2);
}

void print_operators(const graph::Summary& summary, std::ostream& out) {
  std::vector<std::pair<std::string, std::uint64_t>> operators(summary.operator_counts.begin(),
                                                               summary.operator_counts.end());
  std::stable_sort(operators.begin(), operators.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  out << fmt::format("operators: {} nodes of {} types", summary.node_count, operators.size());
  if (summary.subgraph_count > 0)
    out << fmt::format(", {} subgraphs counted in", summary.subgraph_count);
  if (summary.function_count > 0)
    out << fmt::format(", {} functions counted in", summary.function_count);
  out << '\n';
  Table table({"operator", ">count"});
  for (const auto& [name, count] : operators) table.add({name, std::to_string(count)});
  table.print(out, 2);
}

void print_weights(const graph::Summary& summary, std::ostream& out) {
  out << fmt::format("weights: {} parameters, {}{}\n", summary.parameter_count,
                     format_bytes(summary.weight_bytes),
                     summary.external_weights ? ", outside the model file" : "");
  Table types({"dtype", ">tensors", ">parameters", ">bytes"});
  for (const auto& [dtype, totals] : summary.by_dtype) {
    types.add({std::string(dtype_name(dtype)), std::to_string(totals.tensor_count),
               std::to_string(totals.parameter_count), std::to_string(totals.size_bytes)});
  }
  if (!types.empty()) types.print(out, 2);
  if (summary.largest.empty()) return;
  out << "largest tensors:\n";
  Table largest({"name", "type", ">bytes"});
  for (const graph::TensorSummary& tensor : summary.largest) {
    largest.add({tensor.name, std::string(dtype_name(tensor.dtype)) + to_string(tensor.shape),
                 std::to_string(tensor.size_bytes)});
  }
  largest.print(out, 2);
}

void print_list(const char* title, const std::vector<std::string>& lines, std::ostream& out) {
  if (lines.empty()) return;
  out << title << ":\n";
  for (const std::string& line : lines) out << "  " << line << '\n';
}

void print_faults(const converters::Validation& validation, std::ostream& out) {
  if (validation.findings.empty()) return;
  out << fmt::format("faults: {}; other commands refuse this model\n", validation.findings.size());
  for (const auto& finding : validation.findings) out << "  " << finding.message << '\n';
}

void print_text(const graph::Summary& summary, const converters::Validation& validation,
                const std::filesystem::path& path, std::ostream& out) {
  out << fmt::format("{}: {}, IR {}, opset", path.string(), format_bytes(summary.file_bytes),
                     summary.ir_version);
  for (const auto& [domain, version] : summary.opset_imports)
    out << fmt::format(" {} {}", domain, version);
  if (!summary.producer.empty()) out << ", by " << summary.producer;
  out << '\n';
  print_ports("inputs", summary.inputs, out);
  print_ports("outputs", summary.outputs, out);
  print_operators(summary, out);
  print_list("functions", summary.functions, out);
  print_list("operators of foreign domains", validation.foreign_operators, out);
  print_weights(summary, out);
  print_list("files outside", summary.external_files, out);
  std::vector<std::string> metadata;
  if (!summary.domain.empty()) metadata.push_back("domain: " + summary.domain);
  if (summary.model_version != 0)
    metadata.push_back("model version: " + std::to_string(summary.model_version));
  if (!summary.doc.empty()) metadata.push_back("doc: " + summary.doc);
  for (const auto& [key, value] : summary.metadata) metadata.push_back(key + ": " + value);
  print_list("metadata", metadata, out);
  print_list("notes", validation.oddities, out);
  print_faults(validation, out);
}

int run_inspect(const InspectOptions& options, Io& io) {
  with_memory_limit(options.max_memory_bytes, options.model.string(), [&] {
    const graph::Model model = graph::Model::load(options.model);
    const graph::Summary summary = graph::summarize(model, options.largest);
    const converters::Validation validation = converters::validate(model, options.budgets);
    if (io.json) {
      // Names in a model may hold bytes that are no UTF-8.
      io.out << to_json(summary, validation, options.model)
                    .dump(2, ' ', false, OrderedJson::error_handler_t::replace)
             << '\n';
    } else {
      print_text(summary, validation, options.model, io.out);
    }
  });
  return 0;
}

}  // namespace

Run declare_inspect(CLI::App& app) {
  const auto options = std::make_shared<InspectOptions>();
  app.add_option("MODEL", options->model, "an ONNX model")->required();
  app.add_option("--largest", options->largest, "how many of the largest tensors to list")
      ->type_name("N")
      ->check(whole_number("a number of tensors", 0, kMaxCount))
      ->capture_default_str();
  add_budget_options(app, options->budgets);
  app.add_option_function<std::string>(
         "--max-memory",
         [options](const std::string& text) { options->max_memory_bytes = parse_size_bytes(text); },
         "that reading the graph may take (default: 1GiB)")
      ->type_name("BYTES")
      ->group(kBudgetGroup);
  app.footer(
      "Examples:\n"
      "  ingot inspect model.onnx\n"
      "  ingot inspect model.onnx --json");
  return [options](Io& io) { return run_inspect(*options, io); };
}

}  // namespace ingot::cli
