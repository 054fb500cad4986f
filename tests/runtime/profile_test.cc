// SPDX-License-Identifier: Apache-2.0
#include "runtime/profile.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "tests/runtime/engine.h"
#include "tests/support/expect_error.h"

namespace ingot::runtime {
namespace {

using test::expect_error;

TEST(Profile, SumsKernelTimesByNodeSlowestFirst) {
  const TempDir folder;
  const auto path = folder.path() / "p.json";
  write_text_file(path, R"([
    {"cat": "Session", "name": "model_run", "dur": 900, "args": {}},
    {"cat": "Node", "name": "a_fence_before", "dur": 500, "args": {"op_name": "Relu"}},
    {"cat": "Node", "name": "a_kernel_time", "dur": 3,
     "args": {"op_name": "Relu", "provider": "CPUExecutionProvider"}},
    {"cat": "Node", "name": "b_kernel_time", "dur": 10,
     "args": {"op_name": "Conv", "provider": "CPUExecutionProvider"}},
    {"cat": "Node", "name": "a_kernel_time", "dur": 4,
     "args": {"op_name": "Relu", "provider": "CPUExecutionProvider"}}])");
  const auto times = parse_profile(path);
  ASSERT_EQ(times.size(), 2U);
  EXPECT_EQ(times[0].name, "b");
  EXPECT_EQ(times[0].op_type, "Conv");
  EXPECT_EQ(times[0].calls, 1U);
  EXPECT_EQ(times[1].name, "a");
  EXPECT_EQ(times[1].provider, "CPUExecutionProvider");
  EXPECT_EQ(times[1].calls, 2U);
  EXPECT_DOUBLE_EQ(times[1].total_us, 7);
}

TEST(Profile, RefusesOtherJson) {
  const TempDir folder;
  const auto path = folder.path() / "p.json";
  write_text_file(path, "{}");
  expect_error(Code::kInput,
               fmt::format("'{}' is not a profile: wanted an array of events", path.string()),
               [&] { parse_profile(path); });
}

TEST(Profile, OfASessionNamesEachNodeOfEachRun) {
  const test::ModelFile model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) {
      [first] a = Exp(x)
      [second] y = Cos(a)
    })");
  SessionOptions options;
  options.profile_prefix = model.folder.path() / "profile";
  Session session(test::engine(), model.path, options);
  const Tensor x = Tensor::zeros(DType::kFloat, {2});
  for (int i = 0; i < 3; ++i) session.run({{"x", x.view()}});
  auto times = parse_profile(session.end_profiling());
  std::sort(times.begin(), times.end(),
            [](const NodeTime& a, const NodeTime& b) { return a.name < b.name; });
  ASSERT_EQ(times.size(), 2U);
  EXPECT_EQ(times[0].name, "first");
  EXPECT_EQ(times[0].op_type, "Exp");
  EXPECT_EQ(times[0].calls, 3U);
  EXPECT_EQ(times[1].name, "second");
  EXPECT_EQ(times[1].provider, "CPUExecutionProvider");
}

}  // namespace
}  // namespace ingot::runtime
