// SPDX-License-Identifier: Apache-2.0
// The rules a manifest must keep beyond its syntax; the writer and the reader hold it to the same
// ones.
#pragma once

#include <string_view>

#include "manifests/manifest.h"

namespace ingot::manifests {

/// Throws kInput naming `source` and the first rule that `manifest` breaks: forms of names, digests
/// and paths, sorted and distinct paths (also in lower case, and as folders), every file that is
/// named is listed with the right role.
void require_valid(const Manifest& manifest, std::string_view source);

}  // namespace ingot::manifests
