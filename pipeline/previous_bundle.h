// SPDX-License-Identifier: Apache-2.0
// The bundle an earlier build left where the next one wants to write.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "pipeline/fingerprint.h"
#include "pipeline/report.h"

namespace ingot::pipeline {

inline constexpr std::string_view kReportJson = "report/build.json";
inline constexpr std::string_view kReportText = "report/build.txt";
inline constexpr std::string_view kReportPlan = "report/plan.json";

/// The report of a bundle, as it was stored.
struct PreviousBundle {
  PackedBundle bundle;
  std::string text, json;
};

/// The bundle in `output` when it is intact and was made from `now`; nothing when there is no such
/// folder or it is empty. Throws kUsage naming what differs ("… was made from something else: the
/// model changed"; hint: --force) for anything else, kInput for a manifest that is none.
std::optional<PreviousBundle> find_previous(const std::filesystem::path& output,
                                            const Fingerprint& now);

/// Throws kUsage when `output` is there and neither a bundle nor an empty folder: that is never
/// replaced.
void require_replaceable(const std::filesystem::path& output);

}  // namespace ingot::pipeline
