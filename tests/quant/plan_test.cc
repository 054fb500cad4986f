// SPDX-License-Identifier: Apache-2.0
#include "quant/plan.h"

#include <gtest/gtest.h>

#include "quant/plain_plan.h"
#include "tests/support/expect_error.h"

namespace ingot::quant {
namespace {

TEST(PlanJson, IsTheDocumentedForm) {
  Plan plan;
  plan.scheme = "int8";
  plan.source_sha256 = "ab";
  plan.calibration = "mse";
  plan.data_sha256 = "cd";
  plan.samples = 3;
  plan.nodes.push_back(
      {"c", "Conv", Form::kStatic, "because", "w", "x", "y", {{Form::kStatic, 31.256}}, 0.25});
  plan.weights.push_back({"w", Storage::kKernel, "read", "channel", 44.0, 4096, 1040});
  plan.ranges["x"] = {-1.5F, 0.1F};
  EXPECT_EQ(plan_to_json(plan), R"({
 "calibration": {
  "data_sha256": "cd",
  "method": "mse",
  "samples": 3
 },
 "nodes": [
  {
   "error_db": {
    "static": "31.26"
   },
   "form": "static",
   "input": "x",
   "multiply_adds": "0.25",
   "node": "c",
   "op_type": "Conv",
   "output": "y",
   "reason": "because",
   "weight": "w"
  }
 ],
 "ranges": {
  "x": {
   "max": "0.10000000149011612",
   "min": "-1.5"
  }
 },
 "schema": "ingot.plan",
 "schema_version": 1,
 "scheme": "int8",
 "source_sha256": "ab",
 "weights": [
  {
   "bytes_after": 1040,
   "bytes_before": 4096,
   "error_db": "44",
   "granularity": "channel",
   "reason": "read",
   "storage": "kernel",
   "tensor": "w"
  }
 ]
}
)");
}

TEST(ParseKeep, ReadsPatternAndType) {
  EXPECT_EQ(parse_keep("op:Softmax").storage, Storage::kFloat32);
  EXPECT_EQ(parse_keep("/head/*=float16").storage, Storage::kFloat16);
  EXPECT_TRUE(parse_keep("/head/*=float16").pattern.matches("/head/MatMul", "MatMul"));
  test::expect_error(Code::kUsage, "--keep 'a=int3': unknown type 'int3', wanted float or float16",
                     [] { parse_keep("a=int3"); });
}

}  // namespace
}  // namespace ingot::quant
