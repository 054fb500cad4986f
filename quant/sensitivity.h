// SPDX-License-Identifier: Apache-2.0
// How much error every site adds when it alone runs in integers, measured on calibration data.
#pragma once

#include <map>
#include <string>

#include "quant/runner.h"
#include "quant/sites.h"

namespace ingot::quant {

/// Local error of one site over all samples.
struct Sensitivity {
  double noise_ratio = 0;  ///< Σ(float − static)² / Σ float², of the site's output; infinity for an
                           ///< all-zero or not finite signal
  double sqnr_db() const;  ///< −10·log10(noise_ratio)
};

/// Measures all sites in one pass over the first `count` samples (see add_probes). By node key.
/// Same result for any number of threads.
std::map<std::string, Sensitivity> measure_sensitivity(const graph::Model& model,
                                                       const Sites& sites,
                                                       const std::map<std::string, Range>& ranges,
                                                       const Workbench& bench, std::size_t count);

}  // namespace ingot::quant
