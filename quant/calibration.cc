// SPDX-License-Identifier: Apache-2.0
#include "quant/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/text.h"

namespace ingot::quant {
namespace {

constexpr const char* kMethodNames[] = {"minmax", "mse"};

/// `model` with every tensor of `tensors` that a node computes as an output, and no other outputs.
graph::Model exposing(const graph::Model& model, const std::vector<std::string>& tensors) {
  graph::Model exposed = model.clone();
  onnx::GraphProto& graph = exposed.graph();
  graph.clear_output();
  for (const std::string& tensor : tensors) {
    onnx::ValueInfoProto& info = *graph.add_output();
    info.set_name(tensor);
    info.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
  }
  return exposed;
}

}  // namespace

const char* calibration_name(CalibrationMethod method) {
  return kMethodNames[static_cast<std::size_t>(method)];
}

CalibrationMethod calibration_from_name(const std::string& name) {
  for (const CalibrationMethod method : {CalibrationMethod::kMinMax, CalibrationMethod::kMse}) {
    if (name == calibration_name(method)) return method;
  }
  const std::vector<std::string> known(std::begin(kMethodNames), std::end(kMethodNames));
  throw Error(Code::kUsage, fmt::format("unknown calibration method '{}', wanted minmax or mse{}",
                                        name, did_you_mean(name, known)));
}

Observations observe(const graph::Model& model, const std::vector<std::string>& tensors,
                     const Workbench& bench) {
  std::unordered_set<std::string> inputs;
  for (const onnx::ValueInfoProto& input : model.graph().input()) inputs.insert(input.name());
  std::vector<std::string> computed, fed;
  for (const std::string& tensor : tensors)
    (inputs.contains(tensor) ? fed : computed).push_back(tensor);
  // A session needs an output; a model all of whose sites read inputs keeps its own.
  const graph::Model trial = computed.empty() ? model.clone() : exposing(model, computed);
  const std::filesystem::path path = save_trial(trial, bench, "observed.onnx");

  const std::size_t count = bench.data.size();
  std::vector<Observations> seen(worker_count(bench, count));
  run_samples(bench, path, computed, count,
              [&](std::size_t, std::size_t worker, const runtime::Feeds& feeds,
                  const runtime::Results& results) {
                for (const std::string& tensor : fed) {
                  if (const auto it = feeds.find(tensor); it != feeds.end())
                    seen[worker][tensor].add(it->second.as<float>());
                }
                for (std::size_t i = 0; i < computed.size(); ++i)
                  seen[worker][computed[i]].add(results.view(i).as<float>());
              });
  Observations all = std::move(seen.front());
  for (std::size_t w = 1; w < seen.size(); ++w) {
    for (const auto& [tensor, observer] : seen[w]) all[tensor].merge(observer);
  }
  return all;
}

std::vector<std::string> tensors_to_observe(const Sites& sites) {
  std::vector<std::string> tensors;
  std::unordered_set<std::string> known;
  const auto want = [&](const std::string& tensor) {
    if (known.insert(tensor).second) tensors.push_back(tensor);
  };
  for (const Site& site : sites.sites) {
    // Nested graphs hand nothing out; a table's input is an index.
    if (site.graph != 0 || site.kind == SiteKind::kTable) continue;
    want(site.input);
    // The output too where it is not quantized: its element count tells the node's multiply-adds.
    want(site.output);
  }
  return tensors;
}

std::map<std::string, Range> ranges_of(const Observations& observations, CalibrationMethod method) {
  std::map<std::string, Range> ranges;
  for (const auto& [tensor, observer] : observations) {
    ranges.emplace(tensor, method == CalibrationMethod::kMinMax ? observer.min_max()
                                                                : observer.least_squares());
  }
  return ranges;
}

}  // namespace ingot::quant
