// SPDX-License-Identifier: Apache-2.0
// The table of schemes: which forms a scheme tries for which kind of node, the fastest first.
#pragma once

#include <span>
#include <string>

#include "quant/plan.h"
#include "quant/sites.h"

namespace ingot::quant {

struct Scheme {
  const char* name;
  const char* summary;
  bool needs_data;  ///< has static forms: without calibration samples there is nothing to write
  /// For each kind of site the forms from the fastest to the most exact, float left out. A site
  /// starts with the first that it can take; the search moves it along when the red line asks.
  std::span<const Form> conv, matmul, lstm, table;

  std::span<const Form> ladder(SiteKind kind) const;
};

/// All schemes in display order.
std::span<const Scheme> schemes();
/// Throws kUsage for an unknown name, with the nearest.
const Scheme& find_scheme(const std::string& name);

}  // namespace ingot::quant
