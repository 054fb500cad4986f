// SPDX-License-Identifier: Apache-2.0
// Everything that lies in a bundle's folder, whatever it is. Internal to this folder.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "manifests/integrity.h"

namespace ingot::manifests {

struct Tree {
  std::vector<std::string>
      files;  ///< paths of what is not a folder and may be in a bundle by its name, sorted
  std::vector<Finding>
      findings;  ///< names no bundle may hold, empty folders, folders of a wrong mode
};

/// Lists the open folder `folder_fd` without following links. Ends early, with a finding, where
/// there are more entries than any bundle may have. Throws kEnvironment when a folder cannot be
/// read.
Tree walk_tree(int folder_fd, const std::filesystem::path& folder);

}  // namespace ingot::manifests
