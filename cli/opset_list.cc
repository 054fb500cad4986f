// SPDX-License-Identifier: Apache-2.0
#include "cli/opset_list.h"

#include <fmt/format.h>

#include <ostream>

#include "base/json.h"
#include "cli/table.h"
#include "converters/opset/steps.h"

namespace ingot::cli {
namespace {

using converters::OpsetStep;
using converters::StepKind;
using converters::StepWay;

std::string shown_operator(const OpsetStep& step) {
  return step.domain.empty() ? step.op : step.domain + "." + step.op;
}

std::string shown_version(int version) { return version == 0 ? "-" : std::to_string(version); }

/// "up" of an operator that comes with a step is no question.
std::string shown_way(const OpsetStep& step, const StepWay& way) {
  return step.from == 0 && &way == &step.up ? "-" : converters::step_kind_name(way.kind);
}

std::string notes(const OpsetStep& step) {
  std::string text;
  if (*step.up.note != '\0') text += fmt::format("up: {}", step.up.note);
  if (*step.down.note != '\0')
    text += fmt::format("{}down: {}", text.empty() ? "" : "; ", step.down.note);
  return text;
}

OrderedJson way_json(const OpsetStep& step, const StepWay& way) {
  return {{"does", shown_way(step, way)}, {"note", way.note}};
}

}  // namespace

int print_opset_list(Io& io) {
  const auto steps = converters::opset_steps();
  if (io.json) {
    OrderedJson rows = OrderedJson::array();
    for (const OpsetStep& step : steps) {
      rows.push_back({{"domain", step.domain.empty() ? "ai.onnx" : step.domain},
                      {"operator", step.op},
                      {"from", step.from},
                      {"to", step.to},
                      {"up", way_json(step, step.up)},
                      {"down", way_json(step, step.down)}});
    }
    const OrderedJson document{
        {"schema", "ingot.opset_steps"}, {"schema_version", 1}, {"steps", rows}};
    io.out << document.dump(2) << '\n';
    return 0;
  }
  Table table({"operator", ">from", ">to", "up", "down", "what is done"});
  for (const OpsetStep& step : steps) {
    table.add({shown_operator(step), shown_version(step.from), shown_version(step.to),
               shown_way(step, step.up), shown_way(step, step.down), notes(step)});
  }
  table.print(io.out);
  return 0;
}

}  // namespace ingot::cli
