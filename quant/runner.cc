// SPDX-License-Identifier: Apache-2.0
#include "quant/runner.h"

#include <algorithm>

#include "base/interrupt.h"
#include "base/parallel.h"

namespace ingot::quant {

std::size_t worker_count(const Workbench& bench, std::size_t samples) {
  const int threads = bench.threads > 0 ? bench.threads : available_processors();
  return std::clamp<std::size_t>(static_cast<std::size_t>(threads), 1,
                                 std::max<std::size_t>(samples, 1));
}

std::filesystem::path save_trial(const graph::Model& model, const Workbench& bench,
                                 const std::string& name) {
  const std::filesystem::path path = bench.scratch / name;
  graph::SaveOptions options;
  options.overwrite = Overwrite::kYes;
  model.save(path, options);
  return path;
}

void run_samples(const Workbench& bench, const std::filesystem::path& path,
                 const std::vector<std::string>& outputs, std::size_t count, const Visit& visit) {
  runtime::Session session(bench.library, path, {});
  const std::size_t workers = worker_count(bench, count);
  // Worker w takes samples w, w + workers, …: a fixed share, so a worker's own accumulators see the
  // same samples every time.
  parallel_for(workers, static_cast<int>(workers), [&](std::size_t worker) {
    for (std::size_t i = worker; i < count; i += workers) {
      check_interrupt();
      const data::Sample sample = bench.data.load(i);
      runtime::Feeds feeds;
      for (const auto& [name, tensor] : sample.inputs) feeds.emplace(name, tensor.view());
      const runtime::Results results = session.run(feeds, outputs);
      visit(i, worker, feeds, results);
    }
  });
}

}  // namespace ingot::quant
