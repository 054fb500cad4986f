// SPDX-License-Identifier: Apache-2.0
// What the activations of a float model look like on calibration data: one pass, statistics only.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "quant/range_observer.h"
#include "quant/runner.h"
#include "quant/sites.h"

namespace ingot::quant {

enum class CalibrationMethod { kMinMax, kMse };
/// "minmax", "mse".
const char* calibration_name(CalibrationMethod method);
/// Throws kUsage for other names, with the nearest.
CalibrationMethod calibration_from_name(const std::string& name);

/// Observers by tensor name.
using Observations = std::map<std::string, RangeObserver>;

/// Runs `model` on all samples of the bench and observes `tensors` (float activations of the main
/// graph, graph inputs included). The result is the same for any number of threads.
Observations observe(const graph::Model& model, const std::vector<std::string>& tensors,
                     const Workbench& bench);

/// The tensors whose ranges the static forms of `sites` need, each once.
std::vector<std::string> tensors_to_observe(const Sites& sites);

/// Ranges by the method.
std::map<std::string, Range> ranges_of(const Observations& observations, CalibrationMethod method);

}  // namespace ingot::quant
