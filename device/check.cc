// SPDX-License-Identifier: Apache-2.0
// `ingot-run check`: is the folder what its manifest says?
#include <array>
#include <ostream>

#include "base/error.h"
#include "device/commands.h"
#include "manifests/check_report.h"

namespace ingot::device {
namespace {

constexpr std::array kOptions{
    Option{"--threads", "N", "files hashed at a time (all processors)"},
    Option{"--json", "", "one JSON object on stdout"},
};

int check(const Arguments& arguments, Io& io) {
  if (arguments.positional().size() != 1)
    throw Error(Code::kUsage, "'check' wants one bundle folder: DIR");
  const manifests::CheckReport report = manifests::check_bundle(
      arguments.positional()[0], arguments.integer("--threads", 0, 1, 1024));
  io.out << (io.json ? manifests::to_json(report) : manifests::to_text(report));
  return report.findings.empty() ? 0 : 1;
}

}  // namespace

const Command kCheckCommand{"check",
                            "DIR [--json]",
                            "Compare every file of a bundle with its manifest",
                            kOptions,
                            "  ingot-run check lines-1.0.0\n  ingot-run check lines-1.0.0 --json\n",
                            check};

}  // namespace ingot::device
