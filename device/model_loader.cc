// SPDX-License-Identifier: Apache-2.0
#include "device/model_loader.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "base/parallel.h"
#include "device/process_memory.h"
#include "device/stopwatch.h"
#include "manifests/runtime_library.h"

namespace ingot::device {
namespace {

runtime::Optimization optimization_of(const std::string& level) {
  if (level == "none") return runtime::Optimization::kNone;
  if (level == "basic") return runtime::Optimization::kBasic;
  if (level == "extended") return runtime::Optimization::kExtended;
  return runtime::Optimization::kAll;
}

/// The library for this machine; throws when the bundle has none.
std::string own_runtime(const manifests::Manifest& manifest) {
  const std::string triplet = manifests::own_triplet();
  const std::string path = manifests::runtime_path(manifest, triplet);
  if (path.empty()) {
    std::string targets;
    for (const manifests::Target& target : manifest.targets)
      targets += (targets.empty() ? "'" : ", '") + target.triplet + "'";
    throw Error(Code::kEnvironment, fmt::format("the bundle '{}' is for {}, this machine is '{}'",
                                                manifest.name, targets, triplet));
  }
  const auto target = std::ranges::find(manifest.targets, triplet, &manifests::Target::triplet);
  if (!target->min_glibc.empty() &&
      manifests::version_less(manifests::own_glibc(), target->min_glibc)) {
    throw Error(Code::kEnvironment,
                fmt::format("the bundle '{}' needs glibc {} or newer, this machine has {}",
                            manifest.name, target->min_glibc, manifests::own_glibc()));
  }
  return path;
}

/// What to open: the descriptor where the system shows descriptors as files.
std::filesystem::path open_name(int descriptor, const std::filesystem::path& path) {
  const std::string name = fmt::format("/proc/self/fd/{}", descriptor);
  return access(name.c_str(), R_OK) == 0 ? std::filesystem::path(name) : path;
}

void load(LoadedModel& loaded, const std::filesystem::path& library, const LoadOptions& options) {
  const int wanted = options.threads > 0 ? options.threads : loaded.config.intra_op_threads;
  const int available = available_processors();
  loaded.config.intra_op_threads = wanted > 0 ? std::min(wanted, available) : available;
  const Stopwatch runtime_watch;
  loaded.library =
      with_context([&] { return fmt::format("while loading '{}'", loaded.runtime.string()); },
                   [&] { return runtime::Library::open(library); });
  loaded.runtime_load_ns = runtime_watch.ns();
  const Stopwatch model_watch;
  runtime::SessionOptions session;
  session.threads = loaded.config.intra_op_threads;
  session.spinning = loaded.config.spinning;
  session.prepacking = loaded.config.prepack;
  session.optimization = optimization_of(loaded.config.graph_opt);
  loaded.session = std::make_unique<runtime::Session>(loaded.library, loaded.model, session);
  loaded.load_ns = model_watch.ns();
}

}  // namespace

std::vector<data::InputSpec> LoadedModel::specs() const {
  std::vector<data::InputSpec> specs;
  for (const runtime::ValueInfo& input : session->inputs())
    specs.push_back({input.name, input.dtype, input.shape, true});
  for (const runtime::ValueInfo& input : session->overridable_initializers()) {
    specs.push_back({input.name, input.dtype, input.shape, false});
  }
  return specs;
}

LoadedModel load_bundle(const manifests::Bundle& bundle, const LoadOptions& options) {
  const manifests::Manifest& manifest = bundle.manifest();
  LoadedModel loaded;
  const std::filesystem::path& folder = bundle.folder();
  loaded.config = manifests::parse_run_config(bundle.read(manifest.run_config),
                                              (folder / manifest.run_config).string());
  const std::string runtime = own_runtime(manifest);
  loaded.runtime = folder / runtime;
  loaded.model = folder / manifest.model.main;
  cap_data(loaded.config.hard_bytes);
  load(loaded, open_name(bundle.descriptor(runtime), loaded.runtime), options);
  return loaded;
}

LoadedModel load_plain(const std::filesystem::path& model, const std::filesystem::path& runtime,
                       const LoadOptions& options) {
  LoadedModel loaded;
  loaded.model = model;
  loaded.runtime = runtime;
  load(loaded, runtime, options);
  return loaded;
}

}  // namespace ingot::device
