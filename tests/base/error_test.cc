// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <gtest/gtest.h>

#include <array>

namespace ingot {
namespace {

TEST(ErrorCode, HasTheExitCodeAndNameOfTheContract) {
  struct Row {
    Code code;
    int exit;
    const char* name;
  };
  constexpr std::array<Row, 7> kRows{{{Code::kUsage, 2, "usage"},
                                      {Code::kInput, 3, "input"},
                                      {Code::kUnsupported, 4, "unsupported"},
                                      {Code::kEnvironment, 5, "environment"},
                                      {Code::kEngine, 6, "engine"},
                                      {Code::kInternal, 70, "internal"},
                                      {Code::kInterrupted, 130, "interrupted"}}};
  for (const Row& row : kRows) {
    EXPECT_EQ(exit_code(row.code), row.exit);
    EXPECT_STREQ(code_name(row.code), row.name);
  }
}

TEST(Error, RendersContextsInnermostFirst) {
  Error error(Code::kInput, "tensor 'w' has 3 bytes; wanted 4", "export it again");
  EXPECT_STREQ(error.what(), "tensor 'w' has 3 bytes; wanted 4");
  error.add_context("in graph 'g'");
  error.add_context("while reading 'm.onnx'");
  EXPECT_STREQ(error.what(),
               "tensor 'w' has 3 bytes; wanted 4 | in graph 'g' | while reading 'm.onnx'");
  EXPECT_EQ(error.context(), (std::vector<std::string>{"in graph 'g'", "while reading 'm.onnx'"}));
  EXPECT_EQ(error.hint(), "export it again");
}

TEST(Error, KnowsWhereItWasMade) {
  const Error error(Code::kUsage, "x");
  EXPECT_TRUE(std::string(error.where().file_name()).ends_with("error_test.cc"));
}

TEST(WithContext, ReturnsTheValueAndBuildsNoTextOnSuccess) {
  bool described = false;
  const auto describe = [&] {
    described = true;
    return std::string("unused");
  };
  EXPECT_EQ(with_context(describe, [] { return 7; }), 7);
  EXPECT_FALSE(described);
}

TEST(WithContext, AddsToAnErrorThatPassesAndKeepsItsCode) {
  try {
    with_context(
        [] { return "outer"; },
        [] { with_context([] { return "inner"; }, [] { throw Error(Code::kEngine, "broken"); }); });
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "broken | inner | outer");
    EXPECT_EQ(error.code(), Code::kEngine);
  }
}

TEST(Check, ThrowsInternalWithTheConditionAndPlace) {
  EXPECT_NO_THROW(INGOT_CHECK(1 + 1 == 2));
  try {
    INGOT_CHECK(1 + 1 == 3);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kInternal);
    EXPECT_TRUE(error.message().starts_with("check failed: 1 + 1 == 3 at ")) << error.message();
    EXPECT_NE(error.message().find("error_test.cc:"), std::string::npos);
  }
}

}  // namespace
}  // namespace ingot
