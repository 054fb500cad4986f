// SPDX-License-Identifier: Apache-2.0
#include "quant/forms/forms.h"

#include <algorithm>
#include <array>

namespace ingot::quant {
namespace {

std::string only_matmul(const Site& site) {
  return site.kind == SiteKind::kMatMul ? "" : "only matrix products have this form";
}

std::string no_objection(const Site&, const FormRow&) { return {}; }

std::string static_objection(const Site& site, const FormRow&) {
  if (site.kind != SiteKind::kConv && site.kind != SiteKind::kMatMul)
    return "this operator has no static integer kernel";
  return site.graph == 0 ? "" : "inside a nested graph: its activations are not calibrated";
}

std::string dynamic_objection(const Site& site, const FormRow&) {
  if (site.kind == SiteKind::kMatMul || site.kind == SiteKind::kLstm) return {};
  return site.kind == SiteKind::kConv
             ? "the runtime's dynamic convolution is slower than the float one"
             : "this operator has no dynamic integer kernel";
}

std::string token_objection(const Site& site, const FormRow&) { return only_matmul(site); }

std::string blocks_objection(const Site& site, const FormRow& row) {
  if (site.kind == SiteKind::kTable)
    return row.blocks.bits == 4 && site.shared_weight
               ? ""
               : "a table that no product shares is stored by rows of 8 bits";
  return only_matmul(site);
}

std::string rows_objection(const Site& site, const FormRow&) {
  return site.kind == SiteKind::kTable ? "" : "only tables are stored by rows";
}

constexpr std::array kForms = {
    FormRow{Form::kFloat, "float", "the float kernel", false, {}, no_objection, nullptr},
    FormRow{Form::kStatic,
            "static",
            "uint8 activations with calibrated ranges, int8 weights per output channel",
            true,
            {},
            static_objection,
            write_static},
    FormRow{Form::kDynamic,
            "dynamic",
            "uint8 activations with a range found at run time, int8 weights per output channel",
            false,
            {},
            dynamic_objection,
            write_dynamic},
    FormRow{Form::kPerToken,
            "per-token",
            "uint8 activations with one range per row found at run time, int8 weights per output "
            "channel",
            false,
            {},
            token_objection,
            write_per_token},
    FormRow{Form::kRows,
            "rows",
            "table of int8 rows, each with its scale",
            false,
            {},
            rows_objection,
            write_rows},
    FormRow{Form::kBlocks8x128,
            "blocks8-128",
            "weights of 8 bits in blocks of 128",
            false,
            {8, 128},
            blocks_objection,
            write_blocks},
    FormRow{Form::kBlocks8x32,
            "blocks8-32",
            "weights of 8 bits in blocks of 32",
            false,
            {8, 32},
            blocks_objection,
            write_blocks},
    FormRow{Form::kBlocks4x128,
            "blocks4-128",
            "weights of 4 bits in blocks of 128",
            false,
            {4, 128},
            blocks_objection,
            write_blocks},
    FormRow{Form::kBlocks4x64,
            "blocks4-64",
            "weights of 4 bits in blocks of 64",
            false,
            {4, 64},
            blocks_objection,
            write_blocks},
    FormRow{Form::kBlocks4x32,
            "blocks4-32",
            "weights of 4 bits in blocks of 32",
            false,
            {4, 32},
            blocks_objection,
            write_blocks},
};

}  // namespace

std::span<const FormRow> forms() { return kForms; }

const FormRow& form_row(Form form) {
  const auto it = std::ranges::find(kForms, form, &FormRow::form);
  INGOT_CHECK(it != kForms.end());
  return *it;
}

std::optional<Form> form_from_name(std::string_view name) {
  const auto it =
      std::ranges::find_if(kForms, [&](const FormRow& row) { return name == row.name; });
  return it == kForms.end() ? std::nullopt : std::optional(it->form);
}

const char* form_name(Form form) { return form_row(form).name; }

}  // namespace ingot::quant
