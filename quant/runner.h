// SPDX-License-Identifier: Apache-2.0
// Runs a model over the samples of a dataset, several at a time, each run on one thread: so that no
// result depends on the number of threads. The calibration, the probes and the search all use it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "graph/model.h"
#include "runtime/session.h"

namespace ingot::quant {

/// What every run of one quantization shares.
struct Workbench {
  std::shared_ptr<const runtime::Library> library;
  const data::Dataset& data;
  int threads = 0;                ///< samples at a time; 0 = all processors
  std::filesystem::path scratch;  ///< folder for trial models, removed by its owner
};

/// Called once per sample with the sample's index, its feeds and the results in the order of the
/// outputs asked for. Calls come from several threads, never twice at a time for one `worker` in
/// [0, workers).
using Visit = std::function<void(std::size_t sample, std::size_t worker,
                                 const runtime::Feeds& feeds, const runtime::Results& results)>;

/// How many workers run_samples uses for `samples` samples.
std::size_t worker_count(const Workbench& bench, std::size_t samples);

/// Saves `model` in the bench's scratch folder under `name`, and returns the path.
std::filesystem::path save_trial(const graph::Model& model, const Workbench& bench,
                                 const std::string& name);

/// Runs the model at `path` on samples [0, count). Stops at an interrupt.
void run_samples(const Workbench& bench, const std::filesystem::path& path,
                 const std::vector<std::string>& outputs, std::size_t count, const Visit& visit);

}  // namespace ingot::quant
