// SPDX-License-Identifier: Apache-2.0
#include "pipeline/previous_bundle.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "tests/support/expect_error.h"

namespace ingot::pipeline {
namespace {

namespace fs = std::filesystem;
using test::expect_error;

TEST(PreviousBundle, IsNoneWhereNothingIsOrAnEmptyFolder) {
  const TempDir folder;
  EXPECT_FALSE(find_previous(folder.path() / "none", {}).has_value());
  fs::create_directory(folder.path() / "empty");
  EXPECT_FALSE(find_previous(folder.path() / "empty", {}).has_value());
  require_replaceable(folder.path() / "none");
  require_replaceable(folder.path() / "empty");
}

TEST(PreviousBundle, AnythingElseIsNeverReplaced) {
  const TempDir folder;
  const fs::path file = folder.path() / "file", full = folder.path() / "full";
  write_text_file(file, "text");
  fs::create_directory(full);
  write_text_file(full / "notes", "text");
  for (const fs::path& path : {file, full}) {
    const std::string message =
        "'" + path.string() + "' is neither a bundle nor an empty folder, and is not replaced";
    expect_error(Code::kUsage, message, [&] { require_replaceable(path); });
    expect_error(Code::kUsage, message, [&] { find_previous(path, {}); });
  }
}

}  // namespace
}  // namespace ingot::pipeline
