// SPDX-License-Identifier: Apache-2.0
#include "data/file_patterns.h"

#include <algorithm>

#include "base/text.h"

namespace ingot::data {
namespace {

namespace fs = std::filesystem;

bool is_glob(const std::string& text) { return text.find_first_of("*?[\\") != std::string::npos; }
bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

}  // namespace

std::vector<std::string> expand_pattern(const fs::path& folder, const std::string& pattern) {
  std::error_code ignored;
  if (!is_glob(pattern))
    return fs::is_regular_file(folder / pattern, ignored) ? std::vector{pattern}
                                                          : std::vector<std::string>{};
  fs::path fixed;
  bool nested = false;
  for (const fs::path& part : fs::path(pattern).parent_path()) {
    nested = nested || is_glob(part.string());
    if (!nested) fixed /= part;
  }
  std::vector<std::string> found;
  const fs::path begin = (folder / fixed).empty() ? fs::path(".") : folder / fixed;
  const auto consider = [&](const fs::directory_entry& entry) {
    if (is_hidden(entry.path()) || !entry.is_regular_file(ignored)) return;
    const std::string relative = (fixed / entry.path().lexically_relative(begin)).generic_string();
    if (glob_match(pattern, relative)) found.push_back(relative);
  };
  if (nested) {
    const auto options = fs::directory_options::skip_permission_denied;
    for (const auto& entry : fs::recursive_directory_iterator(begin, options, ignored))
      consider(entry);
  } else {
    for (const auto& entry : fs::directory_iterator(begin, ignored)) consider(entry);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace ingot::data
