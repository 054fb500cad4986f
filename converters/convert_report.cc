// SPDX-License-Identifier: Apache-2.0
// The report of a conversion as text and as JSON.
#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "converters/convert.h"
#include "verify/row_json.h"

namespace ingot::converters {
namespace {

const Pass& row_of(const std::string& name) {
  return *std::ranges::find_if(passes(), [&](const Pass& pass) { return name == pass.name; });
}

std::string changes_text(const std::vector<Change>& changes, const char* title) {
  if (changes.empty()) return {};
  std::string text = fmt::format("{}:\n", title);
  for (const Change& change : changes) {
    text += fmt::format("  {}: {} {}\n", change.pass, change.subject, change.reason);
  }
  return text;
}

std::string opset_text(const OpsetChange& opset, bool explain) {
  std::string text;
  if (opset.from != opset.to) text += fmt::format("opset: {} became {}", opset.from, opset.to);
  if (opset.ir_from != opset.ir_to && !opset.reason.empty()) {
    text += fmt::format("{}IR version: {} became {}", text.empty() ? "" : ", ", opset.ir_from,
                        opset.ir_to);
  }
  if (text.empty()) return text;
  text += fmt::format(" ({}), nodes rewritten: {}\n", opset.reason, opset.rewrites.size());
  for (const OpsetRewrite& rewrite : opset.rewrites) {
    if (!explain) break;
    text += fmt::format("  {}: version {} became {}: {}\n", rewrite.subject, rewrite.from,
                        rewrite.to, rewrite.what);
  }
  return text;
}

OrderedJson opset_json(const OpsetChange& opset) {
  OrderedJson rewrites = OrderedJson::array();
  for (const OpsetRewrite& rewrite : opset.rewrites) {
    rewrites.push_back({{"subject", rewrite.subject},
                        {"from", rewrite.from},
                        {"to", rewrite.to},
                        {"what", rewrite.what}});
  }
  return {
      {"from", opset.from},           {"to", opset.to},         {"ir_version_from", opset.ir_from},
      {"ir_version_to", opset.ir_to}, {"reason", opset.reason}, {"rewrites", rewrites}};
}

std::string check_text(const verify::CheckResult& check) {
  std::string text = fmt::format("check in the runtime: {}", verify::outcome_name(check.outcome));
  if (!check.reason.empty()) text += fmt::format(": {}", check.reason);
  if (check.samples > 0) {
    text += fmt::format(", {} {}sample{}", check.samples, check.generated ? "generated " : "",
                        check.samples == 1 ? "" : "s");
  }
  text += '\n';
  for (const verify::OutputRow& row : check.rows) {
    const auto error = row.value("max_rel");
    if (error) text += fmt::format("  '{}': max_rel {}\n", row.output, format_number(*error));
  }
  for (const std::string& violation : check.violations) text += fmt::format("  {}\n", violation);
  for (const std::string& note : check.notes) text += fmt::format("  {}\n", note);
  return text;
}

/// What the rows that are not exact cost, as the check measured it for all of them together.
std::string rounding_text(const CleanReport& cleaning,
                          const std::optional<verify::CheckResult>& check) {
  std::string rows;
  for (const PassCount& count : cleaning.counts) {
    if (count.changes == 0 || row_of(count.pass).exact) continue;
    rows += (rows.empty() ? "" : ", ") + count.pass;
  }
  if (rows.empty()) return {};
  std::optional<double> worst;
  if (check) {
    for (const verify::OutputRow& row : check->rows) {
      const auto error = row.value("max_rel");
      if (error) worst = std::max(worst.value_or(0), *error);
    }
  }
  return fmt::format("rounded elsewhere than before by {} (--exact leaves them out): {}\n", rows,
                     worst ? "max_rel " + format_number(*worst) + " in all" : "not measured");
}

OrderedJson changes_json(const std::vector<Change>& changes) {
  OrderedJson list = OrderedJson::array();
  for (const Change& change : changes) {
    list.push_back({{"pass", change.pass}, {"subject", change.subject}, {"reason", change.reason}});
  }
  return list;
}

OrderedJson check_json(const std::optional<verify::CheckResult>& check) {
  if (!check) return {{"outcome", "not checked"}, {"reason", "--no-check"}};
  return {{"outcome", verify::outcome_name(check->outcome)},
          {"reason", check->reason},
          {"generated", check->generated},
          {"samples", check->samples},
          {"violations", check->violations},
          {"notes", check->notes},
          {"outputs", verify::rows_json(check->rows)}};
}

}  // namespace

std::string ConvertReport::text(bool explain) const {
  std::string out = opset_text(opset, explain);
  for (const PassCount& count : cleaning.counts) {
    if (count.changes == 0) continue;
    out += fmt::format("{:<20} {:>6}  {}\n", count.pass, count.changes, row_of(count.pass).reason);
  }
  if (explain) {
    out += changes_text(cleaning.changes, "changes");
    out += changes_text(cleaning.left, "left alone");
  }
  out += fmt::format("nodes: {} before, {} after; weights: {} before, {} after\n",
                     cleaning.nodes_before, cleaning.nodes_after,
                     format_bytes(cleaning.bytes_before), format_bytes(cleaning.bytes_after));
  if (cleaning.repaired_value_infos > 0) {
    out +=
        fmt::format("repaired: {} wrong description{} of inner values\n",
                    cleaning.repaired_value_infos, cleaning.repaired_value_infos == 1 ? "" : "s");
  }
  for (const std::string& oddity : oddities) out += fmt::format("note: {}\n", oddity);
  for (const std::string& name : foreign_operators) {
    out += fmt::format("kept as it is: operator '{}' of a foreign domain\n", name);
  }
  out += check ? check_text(*check) : "check in the runtime: left out (--no-check)\n";
  out += rounding_text(cleaning, check);
  if (!written) return out + fmt::format("verdict: {}\n", verdict);
  const auto percent = 100.0 * static_cast<double>(bytes_after) / static_cast<double>(bytes_before);
  return out + fmt::format("wrote {} ({}{}, {:.0f} % of the input)\n", output,
                           format == Format::kOrt ? "ORT format, " : "", format_bytes(bytes_after),
                           percent);
}

std::string ConvertReport::json() const {
  OrderedJson rows = OrderedJson::array();
  for (const PassCount& count : cleaning.counts) {
    const Pass& row = row_of(count.pass);
    rows.push_back({{"pass", count.pass},
                    {"changes", count.changes},
                    {"exact", row.exact},
                    {"reason", row.reason},
                    {"invariant", row.invariant}});
  }
  const OrderedJson document{{"schema", "ingot.convert"},
                             {"schema_version", 1},
                             {"input", input},
                             {"output", output},
                             {"format", format == Format::kOrt ? "ort" : "onnx"},
                             {"written", written},
                             {"verdict", verdict},
                             {"file_bytes_before", bytes_before},
                             {"file_bytes_after", bytes_after},
                             {"weight_bytes_before", cleaning.bytes_before},
                             {"weight_bytes_after", cleaning.bytes_after},
                             {"nodes_before", cleaning.nodes_before},
                             {"nodes_after", cleaning.nodes_after},
                             {"rounds", cleaning.rounds},
                             {"opset", opset_json(opset)},
                             {"passes", rows},
                             {"changes", changes_json(cleaning.changes)},
                             {"left_alone", changes_json(cleaning.left)},
                             {"repaired_value_infos", cleaning.repaired_value_infos},
                             {"oddities", oddities},
                             {"foreign_operators", foreign_operators},
                             {"check", check_json(check)}};
  // Names in a model may hold bytes that are no UTF-8.
  return document.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace ingot::converters
