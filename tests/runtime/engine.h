// SPDX-License-Identifier: Apache-2.0
// A session over a model written as text.
#pragma once

#include <string_view>

#include "base/files.h"
#include "runtime/session.h"
#include "tests/support/model_builder.h"

namespace ingot::test {

inline std::shared_ptr<const runtime::Library> engine() {
  static const auto library = runtime::Library::open(INGOT_TEST_RUNTIME);
  return library;
}

/// A model in a folder of its own.
struct ModelFile {
  explicit ModelFile(std::string_view text)
      : path(write_model(proto_from_text(text), folder.path(), "m.onnx")) {}

  TempDir folder;
  std::filesystem::path path;
};

}  // namespace ingot::test
