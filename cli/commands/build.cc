// SPDX-License-Identifier: Apache-2.0
// `ingot build`: from a project file to a bundle, with its limits as a gate.
#include "pipeline/build.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "bench/measure.h"
#include "cli/commands/commands.h"
#include "cli/runtime_choice.h"
#include "cli/version.h"

namespace ingot::cli {
namespace {

struct BuildArguments {
  std::filesystem::path project, work;
};

int run_build(const BuildArguments& arguments, Io& io) {
  const pipeline::Project project = pipeline::read_project(arguments.project);
  pipeline::BuildOptions options;
  // The command line beats the project file, and that beats the environment.
  options.runtime =
      io.runtime.empty() && !project.runtime.empty() ? project.runtime : choose_runtime(io);
  options.executable = io.executable;
  options.runner = bench::find_runner(io.executable);
  options.ingot_version = version();
  options.threads = io.threads;
  options.overwrite = io.force ? Overwrite::kYes : Overwrite::kNo;
  options.work = arguments.work;
  const pipeline::BuildResult result = pipeline::build(project, options, *io.reporter);
  if (result.up_to_date)
    io.reporter->info(
        "up to date: the bundle was made from the same inputs; --force builds it anew");
  io.out << (io.json ? result.json : result.text);
  return result.accepted ? 0 : 1;
}

}  // namespace

Run declare_build(CLI::App& app) {
  const auto arguments = std::make_shared<BuildArguments>();
  app.add_option("INGOT.TOML", arguments->project, "the project file")->required();
  app.add_option("--work", arguments->work,
                 "keep the intermediate files in this new folder (they are removed)")
      ->type_name("DIR");
  app.footer(
      "Examples:\n"
      "  ingot build ingot.toml\n"
      "  ingot build ingot.toml --force --json > report.json");
  return [arguments](Io& io) { return run_build(*arguments, io); };
}

}  // namespace ingot::cli
