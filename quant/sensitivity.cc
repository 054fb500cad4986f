// SPDX-License-Identifier: Apache-2.0
#include "quant/sensitivity.h"

#include <cmath>
#include <limits>

namespace ingot::quant {

double sqnr_db_of(double noise_ratio) { return -10 * std::log10(noise_ratio); }

NoiseRatios measure_noise(const graph::Model& model, const Sites& sites,
                          std::span<const ProbeRequest> requests,
                          const std::map<std::string, Range>& ranges, const Workbench& bench,
                          std::size_t count) {
  NoiseRatios result;
  if (requests.empty()) return result;
  graph::Model probed = model.clone();
  const std::vector<Probe> probes = add_probes(probed, sites, requests, ranges);
  std::vector<std::string> outputs;
  for (const Probe& probe : probes) {
    outputs.push_back(probe.signal);
    outputs.push_back(probe.noise);
  }
  // Kept per sample and summed in order afterwards: floating-point sums must not depend on which
  // thread ran first.
  std::vector<std::vector<float>> values(count);
  run_samples(
      bench, save_trial(probed, bench, "probed.onnx"), outputs, count,
      [&](std::size_t sample, std::size_t, const runtime::Feeds&, const runtime::Results& results) {
        for (std::size_t i = 0; i < outputs.size(); ++i)
          values[sample].push_back(results.view(i).as<float>()[0]);
      });
  for (std::size_t p = 0; p < probes.size(); ++p) {
    double signal = 0, noise = 0;
    for (const auto& sample : values) {
      signal += static_cast<double>(sample[2 * p]);
      noise += static_cast<double>(sample[2 * p + 1]);
    }
    const double ratio = noise / signal;
    result[probes[p].request.node][probes[p].request.form] =
        std::isfinite(ratio) ? ratio : std::numeric_limits<double>::infinity();
  }
  return result;
}

}  // namespace ingot::quant
