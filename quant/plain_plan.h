// SPDX-License-Identifier: Apache-2.0
// The plan a scheme starts from: for every node the first form of the scheme's ladder that it can
// take, for every other weight the smallest storage whose own error is small.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/text.h"
#include "quant/plan.h"
#include "quant/schemes.h"
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
  const Scheme& scheme;
  graph::Model& model;
  const Sites& sites;
  std::map<std::string, std::uint64_t>
      output_elements;  ///< by site output, over all calibration samples; empty without samples
  std::map<std::string, Range> ranges;
  std::span<const Keep> keep;
};

/// Throws kUsage for a keep pattern that matches no node (with the nearest names).
Plan plain_plan(const PlainPlanInput& input);

/// Forms of the scheme's ladder that `site` can take, from `from` (left out) to the most exact.
std::vector<Form> forms_after(const Scheme& scheme, const Site& site, Form from,
                              const std::map<std::string, Range>& ranges);

}  // namespace ingot::quant
