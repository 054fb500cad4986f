// SPDX-License-Identifier: Apache-2.0
// The table of opset changes against ONNX's register of operators.
#include <gtest/gtest.h>
#include <onnx/defs/schema.h>

#include <map>
#include <set>

#include "converters/opset/change_opset.h"
#include "converters/opset/steps.h"

namespace ingot::converters {
namespace {

using Key = std::pair<std::string, std::string>;

std::map<Key, std::set<int>> registered() {
  std::map<Key, std::set<int>> versions;
  for (const auto& schema : onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
    if (schema.domain().empty() || schema.domain() == "ai.onnx.ml")
      versions[{schema.domain(), schema.Name()}].insert(schema.SinceVersion());
  }
  return versions;
}

TEST(OpsetTable, HasEveryStepOfEveryOperatorOnceAndNoOther) {
  std::multiset<std::tuple<std::string, std::string, int, int>> wanted, seen;
  for (const auto& [key, since] : registered()) {
    int before = *since.begin() == 1 ? 1 : 0;
    for (const int version : since) {
      if (version != before) wanted.emplace(key.first, key.second, before, version);
      before = version;
    }
  }
  for (const OpsetStep& step : opset_steps())
    seen.emplace(step.domain, step.op, step.from, step.to);
  for (const auto& [domain, op, from, to] : wanted) {
    EXPECT_EQ(seen.count({domain, op, from, to}), 1U) << op << " " << from << " " << to;
  }
  EXPECT_EQ(seen.size(), wanted.size());
}

TEST(OpsetTable, EveryRowSaysWhatItDoes) {
  for (const OpsetStep& step : opset_steps()) {
    for (const StepWay& way : {step.up, step.down}) {
      const bool is_converted = way.kind == StepKind::kConverted;
      EXPECT_EQ(way.rewrite != nullptr, is_converted) << step.op << " " << step.to;
      EXPECT_EQ(*way.note == '\0', way.kind == StepKind::kSame) << step.op << " " << step.to;
    }
  }
}

TEST(OpsetTable, SameStepsKeepWhatTheOlderVersionNeeds) {
  // What a "same" step up claims, as far as schemas say it: no attribute is lost or of another
  // type, and nothing new is required.
  for (const StepRow& row : unchanged_steps()) {
    const std::string ops(row.ops);
    for (std::size_t at = 0; at < ops.size();) {
      const std::size_t end = std::min(ops.find(' ', at), ops.size());
      const std::string op = ops.substr(at, end - at);
      at = end + 1;
      const auto* older = onnx::OpSchemaRegistry::Schema(op, row.from, "");
      const auto* newer = onnx::OpSchemaRegistry::Schema(op, row.to, "");
      ASSERT_TRUE(older != nullptr && newer != nullptr) << op;
      EXPECT_FALSE(newer->deprecated()) << op << " " << row.to;
      EXPECT_LE(newer->min_input(), older->min_input()) << op << " " << row.to;
      EXPECT_GE(newer->max_input(), older->max_input()) << op << " " << row.to;
      for (const auto& [name, attribute] : newer->attributes()) {
        const auto before = older->attributes().find(name);
        if (before == older->attributes().end()) {
          EXPECT_FALSE(attribute.required) << op << " " << row.to << " " << name;
        } else {
          EXPECT_EQ(before->second.type, attribute.type) << op << " " << row.to << " " << name;
        }
      }
      for (const auto& [name, attribute] : older->attributes()) {
        EXPECT_TRUE(newer->attributes().contains(name)) << op << " " << row.to << " " << name;
      }
    }
  }
}

TEST(OpsetTable, StepsOfOneOperatorAreInOrder) {
  const auto steps = steps_of("Clip");
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_EQ(steps[0].to, 6);
  EXPECT_EQ(steps[3].to, 13);
  EXPECT_TRUE(steps_of("NoSuchOperator").empty());
}

// The last line of each release in ONNX's table (onnx/helper.py, VERSION_TABLE).
TEST(OpsetTable, IrVersionIsThatOfTheRelease) {
  for (const auto& [opset, ir_version] : std::map<int, int>{{7, 3},
                                                            {8, 3},
                                                            {9, 4},
                                                            {10, 5},
                                                            {11, 6},
                                                            {12, 7},
                                                            {14, 7},
                                                            {15, 8},
                                                            {18, 8},
                                                            {19, 9},
                                                            {20, 9},
                                                            {21, 10},
                                                            {22, 10},
                                                            {23, 11},
                                                            {24, 12},
                                                            {25, 13},
                                                            {27, 13},
                                                            {28, 14}}) {
    EXPECT_EQ(ir_version_of(opset), ir_version) << opset;
  }
}

}  // namespace
}  // namespace ingot::converters
