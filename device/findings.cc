// SPDX-License-Identifier: Apache-2.0
#include "device/findings.h"

#include <fmt/format.h>

#include <ostream>

#include "base/error.h"
#include "base/json.h"
#include "manifests/check_report.h"

namespace ingot::device {

bool refuses(const std::vector<manifests::Finding>& findings, const std::filesystem::path& folder,
             Io& io) {
  if (findings.empty()) return false;
  const std::string message = fmt::format(
      "the bundle '{}' is not what its manifest says, and was not run", folder.string());
  if (io.json) {
    const manifests::Finding& first = findings.front();
    const OrderedJson error{
        {"code", code_name(Code::kInput)},
        {"message", fmt::format("{}: {}", message, manifests::to_string(first))},
        {"context", OrderedJson::array()},
        {"hint", ""}};
    io.err << OrderedJson{{"code", first.code},
                          {"path", first.path},
                          {"expected", first.expected},
                          {"actual", first.actual},
                          {"findings", OrderedJson::parse(manifests::findings_json(findings))},
                          {"error", error}}
                  .dump()
           << std::endl;
    return true;
  }
  io.err << "error: " << message << '\n';
  for (const manifests::Finding& finding : findings)
    io.err << "  " << manifests::to_string(finding) << '\n';
  io.err << std::flush;
  return true;
}

}  // namespace ingot::device
