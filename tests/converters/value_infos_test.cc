// SPDX-License-Identifier: Apache-2.0
#include "converters/value_infos.h"

#include <gtest/gtest.h>

#include "graph/type_text.h"
#include "tests/support/model_builder.h"

namespace ingot::converters {
namespace {

TEST(ValueInfos, WhatContradictsTheOperatorsIsPutRight) {
  graph::Model model = test::model_from_text(R"(<ir_version: 8, opset_import: ["": 17, "my": 1]>
    g (float[2,3] x) => (float[n,m] y)
    <double[2,3] a, float[9,9] b, float[K,3] d, float[5] f, int64 gone> {
      a = Abs (x)  b = Transpose (a)  d = Abs (x)  f = my.Op (d)  y = Neg (b) })");
  model.graph().add_value_info()->set_name("a");
  EXPECT_EQ(repair_value_infos(model), 2U);
  std::string text;
  for (const auto& info : model.graph().value_info())
    text += info.name() + " " + graph::type_text(info.type()) + "; ";
  // A name for a dimension stays, and so does what only the file knows.
  EXPECT_EQ(text, "a float32[2,3]; b float32[3,2]; d float32[K,3]; f float32[5]; ");
}

}  // namespace
}  // namespace ingot::converters
