// SPDX-License-Identifier: Apache-2.0
#include "tests/converters/opset_case.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "converters/validate.h"
#include "tests/converters/clean_case.h"

namespace ingot::test {

std::string Converted::operators() const {
  std::string text;
  for (const auto& node : model.graph().node()) text += (text.empty() ? "" : " ") + node.op_type();
  return text;
}

Converted convert_and_compare(const onnx::ModelProto& proto, std::int64_t target) {
  const TempDir folder;
  const auto original = write_model(proto, folder.path(), "original.onnx");
  RecordingReporter reporter;
  graph::Model model = graph::Model::load(original);
  Converted result;
  result.change = converters::change_opset(model, target, reporter);
  const auto converted = folder.path() / "converted.onnx";
  model.save(converted);
  result.model = parse_model(converted);
  EXPECT_EQ(graph::opset_version(result.model), target);
  for (const auto& finding : converters::validate(graph::Model::load(converted)).findings)
    ADD_FAILURE() << finding.message;
  result.error = compare_in_runtime(original, converted);
  return result;
}

Converted convert_and_compare(std::string_view graph, int opset, std::int64_t target) {
  return convert_and_compare(proto_of(graph, opset), target);
}

std::string refusal(std::string_view graph, int opset, std::int64_t target) {
  graph::Model model = graph::Model::from_proto(proto_of(graph, opset));
  RecordingReporter reporter;
  try {
    converters::change_opset(model, target, reporter);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUnsupported);
    return error.message();
  }
  return {};
}

}  // namespace ingot::test
