// SPDX-License-Identifier: Apache-2.0
// How much error every site adds when it alone takes a quantized form, measured on calibration
// data.
#pragma once

#include <map>
#include <span>
#include <string>

#include "quant/emit.h"
#include "quant/runner.h"

namespace ingot::quant {

/// Local error by node key and form: Σ(float − quantized)² / Σ float² of the site's output over all
/// samples; infinity for an all-zero or not finite signal.
using NoiseRatios = std::map<std::string, std::map<Form, double>>;

/// −10·log10(noise_ratio).
double sqnr_db_of(double noise_ratio);

/// Measures all requests in one pass over the first `count` samples (see add_probes). Same result
/// for any number of threads.
NoiseRatios measure_noise(const graph::Model& model, const Sites& sites,
                          std::span<const ProbeRequest> requests,
                          const std::map<std::string, Range>& ranges, const Workbench& bench,
                          std::size_t count);

}  // namespace ingot::quant
