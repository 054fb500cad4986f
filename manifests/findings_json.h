// SPDX-License-Identifier: Apache-2.0
// Findings as JSON. For .cc files only: JSON is slow to compile.
#pragma once

#include <vector>

#include "base/json.h"
#include "manifests/integrity.h"

namespace ingot::manifests {

/// [{"code","path","expected","actual"}, …]
OrderedJson findings_json(const std::vector<Finding>& findings);

}  // namespace ingot::manifests
