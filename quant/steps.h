// SPDX-License-Identifier: Apache-2.0
// In which order a plan gives way when the red line does not hold.
#pragma once

#include <vector>

#include "quant/plain_plan.h"
#include "quant/search.h"
#include "quant/sensitivity.h"

namespace ingot::quant {

/// A next form must be at least this much better than the last, or the step is left out.
inline constexpr double kLeastStepDb = 3;

/// The forms worth measuring: the one each quantized node of the main graph has in `plan`, and
/// those after it on the scheme's ladder.
std::vector<ProbeRequest> probes_for(const Scheme& scheme, const Sites& sites, const Plan& plan);

/// Steps worst first: nodes by noise per share of multiply-adds (the most noise for the least work
/// in front), each along its ladder and at last to float; then int8-stored weights to float16,
/// largest error first.
std::vector<Step> steps_for(const Scheme& scheme, const Sites& sites, const Plan& plan,
                            const NoiseRatios& noise);

}  // namespace ingot::quant
