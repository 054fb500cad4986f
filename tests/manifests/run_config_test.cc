// SPDX-License-Identifier: Apache-2.0
#include "manifests/run_config.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace ingot::manifests {
namespace {

std::string refusal(const std::string& text) {
  try {
    parse_run_config(text, "run.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kInput);
    return error.message();
  }
  return "accepted";
}

TEST(RunConfig, IsWrittenCanonically) {
  RunConfig config;
  config.intra_op_threads = 2;
  config.prepack = false;
  config.hard_bytes = 94371840;
  EXPECT_EQ(
      write_run_config(config),
      R"({"memory":{"hard_bytes":94371840},"model":{"graph_opt":"all","intra_op_threads":2,"prepack":false,"spinning":false},"schema":"ingot.run/1"})");
}

TEST(RunConfig, IsReadBack) {
  const RunConfig config = parse_run_config(
      R"({"memory":{"hard_bytes":5},"model":{"graph_opt":"basic","intra_op_threads":3,"prepack":false,"spinning":true},"schema":"ingot.run/1"})",
      "f");
  EXPECT_EQ(config.intra_op_threads, 3);
  EXPECT_TRUE(config.spinning);
  EXPECT_FALSE(config.prepack);
  EXPECT_EQ(config.graph_opt, "basic");
  EXPECT_EQ(config.hard_bytes, 5U);
}

TEST(RunConfig, WhatIsLeftOutIsTheDefault) {
  const RunConfig config = parse_run_config(R"({"schema":"ingot.run/1"})", "f");
  EXPECT_EQ(config.intra_op_threads, 0);
  EXPECT_FALSE(config.spinning);
  EXPECT_TRUE(config.prepack);
  EXPECT_EQ(config.graph_opt, "all");
  EXPECT_EQ(config.hard_bytes, 0U);
}

TEST(RunConfig, FaultsAreNamed) {
  EXPECT_EQ(refusal("[]"), "'run.json': the document is an array, an object is wanted");
  EXPECT_EQ(refusal("{}"), "'run.json': 'schema' is missing");
  EXPECT_EQ(refusal(R"({"schema":"ingot.run/2"})"),
            "'run.json': 'schema' is 'ingot.run/2', 'ingot.run/1' is wanted");
  EXPECT_EQ(refusal(R"({"schema":"ingot.run/1","model":{"spining":true}})"),
            "'run.json': 'model' has the unknown key 'spining'; did you mean 'spinning'?");
  EXPECT_EQ(refusal(R"({"schema":"ingot.run/1","model":{"intra_op_threads":-1}})"),
            "'run.json': 'model.intra_op_threads' is -1, an integer from 0 to 1024 is wanted");
  EXPECT_EQ(refusal(R"({"schema":"ingot.run/1","model":{"intra_op_threads":2.0}})"),
            "'run.json': 'model.intra_op_threads' is 2.0, an integer from 0 to 1024 is wanted");
  EXPECT_EQ(refusal(R"({"schema":"ingot.run/1","model":{"spinning":1}})"),
            "'run.json': 'model.spinning' is 1, true or false is wanted");
  EXPECT_EQ(refusal(R"({"schema":"ingot.run/1","model":{"graph_opt":"fast"}})"),
            "'run.json': 'model.graph_opt' is 'fast', one of none, basic, extended, all is wanted");
}

TEST(RunConfig, WritingHoldsTheSameRules) {
  RunConfig config;
  config.intra_op_threads = 2000;
  EXPECT_THROW(write_run_config(config), Error);
}

}  // namespace
}  // namespace ingot::manifests
