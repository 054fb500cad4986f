// SPDX-License-Identifier: Apache-2.0
// Which files a pattern of a dataset.toml stands for. Private to data/.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ingot::data {

/// The regular files that `pattern` (a path or a glob, relative to `folder`) names, as written
/// relative to `folder`; a glob's sorted by name, without hidden files. Empty when nothing matches.
std::vector<std::string> expand_pattern(const std::filesystem::path& folder,
                                        const std::string& pattern);

}  // namespace ingot::data
