// SPDX-License-Identifier: Apache-2.0
#include "converters/opset/choose_opset.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "converters/opset/runtime_range.h"

namespace ingot::converters {
namespace {

RuntimeRange range_for(const OpsetWish& wish, std::int64_t opset, std::int64_t ir_version) {
  if (wish.runtime.empty()) return onnx_range();
  const RuntimeRange floor = floor_range();
  const bool is_sure = opset <= floor.newest_opset && ir_version <= floor.newest_ir_version;
  return is_sure ? floor : ask_runtime(wish.runtime);
}

void require_run(std::int64_t asked, const RuntimeRange& range) {
  if (asked < kLowestOpset) {
    throw Error(Code::kUnsupported,
                fmt::format("opset {} was asked for, the lowest that is written is {}", asked,
                            kLowestOpset));
  }
  if (asked <= range.newest_opset) return;
  throw Error(Code::kUnsupported, fmt::format("opset {} was asked for, the newest of {} is {}",
                                              asked, range.runtime, range.newest_opset));
}

/// A change for the runtime's sake: what is not possible leaves the model as it was.
OpsetChange change_if_possible(graph::Model& model, std::int64_t target, Reporter& reporter) {
  graph::Model trial = model.clone();
  try {
    OpsetChange change = change_opset(trial, target, reporter);
    model = std::move(trial);
    return change;
  } catch (const Error& error) {
    if (error.code() != Code::kUnsupported) throw;
    const std::int64_t opset = graph::opset_version(model.proto()),
                       ir_version = model.proto().ir_version();
    reporter.warn(fmt::format("opset {} is kept: {}", opset, error.message()));
    return {opset, opset, ir_version, ir_version, {}, {}};
  }
}

}  // namespace

OpsetChange choose_opset(graph::Model& model, const OpsetWish& wish, Reporter& reporter) {
  const std::int64_t before = graph::opset_version(model.proto());
  const std::int64_t ir_before = model.proto().ir_version();
  const RuntimeRange range = range_for(wish, wish.asked.value_or(before), ir_before);
  OpsetChange change{before, before, ir_before, ir_before, {}, {}};
  if (wish.asked) {
    require_run(*wish.asked, range);
    change = change_opset(model, *wish.asked, reporter);
    change.reason = "asked for by --opset";
  } else if (before != 0 && (before < kLowestOpset || before > range.newest_opset)) {
    const auto nearest = std::clamp<std::int64_t>(before, kLowestOpset, range.newest_opset);
    change = change_if_possible(model, nearest, reporter);
    change.reason = before < kLowestOpset
                        ? fmt::format("ONNX Runtime promises to run {} and above", kLowestOpset)
                        : fmt::format("the newest of {} is {}", range.runtime, range.newest_opset);
  }
  if (model.proto().ir_version() > range.newest_ir_version) {
    model.proto().set_ir_version(range.newest_ir_version);
    change.ir_to = range.newest_ir_version;
    if (change.reason.empty())
      change.reason =
          fmt::format("{} reads IR versions up to {}", range.runtime, range.newest_ir_version);
  }
  return change;
}

}  // namespace ingot::converters
