// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "base/json.h"
#include "converters/opset/steps.h"
#include "tests/cli/session.h"

namespace ingot::cli {
namespace {

TEST(ConvertList, HasOneLinePerStepAndAHeading) {
  const test::Result result = test::run({"convert", "--list"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(result.out, '\n')),
            converters::opset_steps().size() + 1);
  EXPECT_TRUE(result.out.starts_with("operator ")) << result.out.substr(0, 80);
}

TEST(ConvertList, JsonSaysWhatEachStepDoes) {
  const test::Result result = test::run({"convert", "--list", "--json"});
  EXPECT_EQ(result.code, 0);
  const Json document = Json::parse(result.out);
  EXPECT_EQ(document["schema"], "ingot.opset_steps");
  ASSERT_EQ(document["steps"].size(), converters::opset_steps().size());
  const auto is_wanted = [](const Json& step) {
    return step["operator"] == "Resize" && step["to"] == 11;
  };
  const auto step = std::ranges::find_if(document["steps"], is_wanted);
  ASSERT_NE(step, document["steps"].end());
  EXPECT_EQ((*step)["up"]["does"], "converted");
  EXPECT_EQ((*step)["down"]["does"], "no");
  EXPECT_EQ((*step)["down"]["note"], "Resize places and rounds coordinates by another rule before");
}

TEST(ConvertCommand, ModelAndOutputHaveToBeNamed) {
  const test::Result result = test::run({"convert", "model.onnx"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err,
            "error: model and output are not both named\n  hint: ingot convert INPUT -o FILE\n");
}

}  // namespace
}  // namespace ingot::cli
