// SPDX-License-Identifier: Apache-2.0
// The policy of scheme int8: which plan to start from, and how to give way when the red line does
// not hold.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/text.h"
#include "quant/plan.h"
#include "quant/range_observer.h"
#include "quant/sensitivity.h"
#include "quant/sites.h"

namespace ingot::quant {

/// `--keep PATTERN[=TYPE]`: nodes that match keep their float kernel, and their weights are stored
/// as TYPE.
struct Keep {
  Pattern pattern;
  Storage storage = Storage::kFloat32;  ///< float32 or float16
};

/// Parses "PATTERN", "PATTERN=float" or "PATTERN=float16". Throws kUsage.
Keep parse_keep(const std::string& text);

/// Below this share of the candidates' multiply-adds, a node is not worth its quantization.
inline constexpr double kLeastMultiplyAdds = 0.01;
/// int8 storage needs at least this many dB between weight and error; float16 otherwise.
inline constexpr double kLeastStorageDb = 36;

struct PlainPlanInput {
  graph::Model& model;
  const Sites& sites;
  std::map<std::string, std::uint64_t>
      output_elements;  ///< by site output, over all calibration samples
  std::map<std::string, Range> ranges;
  std::span<const Keep> keep;
};

/// Everything eligible static, every other weight in int8 storage where its error allows, else
/// float16. Throws kUsage for a keep pattern that matches no node (with the nearest names).
Plan plain_plan(const PlainPlanInput& input);

/// Ways to give way, worst site first: per error added and multiply-adds saved.
std::vector<std::string> worst_first(const Plan& plan,
                                     const std::map<std::string, Sensitivity>& sensitivity);

/// Makes static node `key` of `plan` float again; its weight is then stored as the plan's weight
/// row says.
void make_float(Plan& plan, const std::string& key, const std::string& reason);
/// Moves one int8-stored weight up to float16.
void store_as_float16(Plan& plan, const std::string& tensor, const std::string& reason);

}  // namespace ingot::quant
