// SPDX-License-Identifier: Apache-2.0
// The quantized forms a node can take, as one table; each row is written by a function of its own
// file here. Measured choices: docs/decisions/0006-forms-the-runtime-runs-fast.md.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "quant/form_writer.h"
#include "quant/plan.h"

namespace ingot::quant {

/// What a form did with the weights it reads.
struct Written {
  std::uint64_t bytes =
      0;                ///< of the quantized weight; shared ones count once, at the first reader
  double error_db = 0;  ///< SQNR of the quantized weight
};

/// What a row's function gets: the writer of the site's graph, the site, the node as it came, the
/// tensor to write, and whether later sites may read its uint8 output directly.
struct FormRequest {
  FormWriter& writer;
  const Site& site;
  const onnx::NodeProto& original;
  const std::string& output;
  bool chain = false;
  BlockFormat blocks;  ///< of the row
};

struct FormRow {
  Form form;
  const char* name;
  const char* summary;
  bool needs_ranges;
  BlockFormat blocks;  ///< for block forms
  /// Why `site` cannot take this form; "" when it can.
  std::string (*objection)(const Site& site, const FormRow& row);
  Written (*write)(const FormRequest& request);
};

/// In the order of enum Form; Form::kFloat has no function.
std::span<const FormRow> forms();
const FormRow& form_row(Form form);
/// The form called `name`; nothing when there is none.
std::optional<Form> form_from_name(std::string_view name);

Written write_static(const FormRequest& request);
Written write_dynamic(const FormRequest& request);
Written write_per_token(const FormRequest& request);
Written write_blocks(const FormRequest& request);
Written write_rows(const FormRequest& request);

}  // namespace ingot::quant
