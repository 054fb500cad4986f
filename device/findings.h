// SPDX-License-Identifier: Apache-2.0
// What a refused bundle looks like to a person and to a program.
#pragma once

#include <filesystem>
#include <vector>

#include "device/commands.h"
#include "manifests/integrity.h"

namespace ingot::device {

/// False when there are no `findings`. Else says on err that the bundle `folder` was refused and
/// why; the caller then returns exit code 3.
bool refuses(const std::vector<manifests::Finding>& findings, const std::filesystem::path& folder,
             Io& io);

}  // namespace ingot::device
