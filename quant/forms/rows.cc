// SPDX-License-Identifier: Apache-2.0
// A table of int8 rows: the rows and their scales are gathered and multiplied, so that the table
// stays small in memory too.
#include "quant/forms/forms.h"

namespace ingot::quant {

Written write_rows(const FormRequest& request) {
  FormWriter& writer = request.writer;
  const Site& site = request.site;
  const StoredWeight& table = writer.int8_rows(site);
  const std::string rows = writer.node("Gather", site.output + "_rows", {table.values, site.input});
  const std::string wide = writer.node("Cast", site.output + "_wide", {rows});
  graph::set_attribute(writer.last(), "to", std::int64_t{onnx::TensorProto::FLOAT});
  const std::string scales =
      writer.node("Gather", site.output + "_scale", {table.scale, site.input});
  writer.node("Mul", site.output + "_scaled", {wide, scales}, request.output);
  return {table.bytes, table.error_db};
}

}  // namespace ingot::quant
