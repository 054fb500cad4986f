// SPDX-License-Identifier: Apache-2.0
// From a bundle that was checked, or from two plain files, to a session.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "manifests/integrity.h"
#include "manifests/run_config.h"
#include "runtime/session.h"

namespace ingot::device {

/// A model ready to run, how it is run, and how long that took.
struct LoadedModel {
  std::shared_ptr<const runtime::Library> library;
  std::unique_ptr<runtime::Session> session;
  manifests::RunConfig config;  ///< with `intra_op_threads` as used
  std::filesystem::path model, runtime;
  std::int64_t runtime_load_ns = 0, load_ns = 0;

  std::vector<data::InputSpec> specs() const;
};

/// How the user wants it run where that differs from the bundle; 0 = as the bundle says.
struct LoadOptions {
  int threads = 0;
};

/// `bundle.check()` must have found nothing. Reads config/run.json, caps the memory, and loads the
/// runtime through the very descriptor that was hashed (/proc/self/fd/N; by path where /proc is not
/// mounted) and the model by path, because the runtime maps external data beside it; the caller
/// then asks changed_since_check(). Throws kEnvironment when the bundle is not for this machine.
LoadedModel load_bundle(const manifests::Bundle& bundle, const LoadOptions& options);
/// Nothing is verified.
LoadedModel load_plain(const std::filesystem::path& model, const std::filesystem::path& runtime,
                       const LoadOptions& options);

}  // namespace ingot::device
