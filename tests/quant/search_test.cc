// SPDX-License-Identifier: Apache-2.0
#include "quant/search.h"

#include <gtest/gtest.h>

#include <set>

namespace ingot::quant {
namespace {

/// Nodes n0 … n(count-1), all static, of equal weight; the last one in `ranking` is given up last.
SearchInput nodes(int count) {
  SearchInput input;
  for (int i = 0; i < count; ++i) {
    NodePlan node;
    node.node = "n" + std::to_string(i);
    node.form = Form::kStatic;
    node.multiply_adds = 1.0 / count;
    input.plain.nodes.push_back(node);
    input.steps.push_back({node.node, "", Form::kFloat, {}, "sensitive"});
  }
  return input;
}

std::vector<Judged> text_value(double value) {
  const metrics::Limit limit = metrics::make_limit("text", "0.9");
  return {{"y", limit, value, limit.holds(value)}};
}

std::set<std::string> static_nodes(const Plan& plan) {
  std::set<std::string> names;
  for (const NodePlan& node : plan.nodes) {
    if (node.form == Form::kStatic) names.insert(node.node);
  }
  return names;
}

TEST(Search, StopsAtOnceWhenThePlainPlanReachesTheGoal) {
  SearchInput input = nodes(8);
  input.evaluate = [](const Plan&) { return text_value(1); };
  const SearchResult result = search(input);
  EXPECT_EQ(result.trials.size(), 1U);
  EXPECT_EQ(static_nodes(result.plan).size(), 8U);
}

TEST(Search, GivesUpOnlyTheSensitiveNodes) {
  SearchInput input = nodes(30);
  const std::set<std::string> sensitive{"n0", "n3"};
  input.evaluate = [&](const Plan& plan) {
    double value = 1;
    for (const std::string& node : static_nodes(plan))
      value -= sensitive.contains(node) ? 0.2 : 0.0001;
    return text_value(value);
  };
  const SearchResult result = search(input);
  EXPECT_TRUE(result.reached_goal);
  std::set<std::string> wanted;
  for (const NodePlan& node : input.plain.nodes) {
    if (!sensitive.contains(node.node)) wanted.insert(node.node);
  }
  EXPECT_EQ(static_nodes(result.plan), wanted);
  EXPECT_LE(result.trials.size(), 30U);
}

TEST(Search, GivesUpStorageWhenNodesAreNotEnough) {
  SearchInput input = nodes(2);
  input.plain.weights.push_back({"w", Storage::kInt8, "", "channel", 30.0, 4, 1});
  input.steps.push_back({"", "w", {}, Storage::kFloat16, "large error"});
  input.evaluate = [](const Plan& plan) {
    return text_value(plan.find_weight("w")->storage == Storage::kInt8 ? 0.5 : 1);
  };
  const SearchResult result = search(input);
  EXPECT_TRUE(result.reached_goal);
  EXPECT_EQ(result.plan.find_weight("w")->storage, Storage::kFloat16);
  EXPECT_EQ(static_nodes(result.plan).size(), 2U) << "nodes given up in vain are taken back";
}

TEST(Search, KeepsTheNearestPlanWhenNothingReachesTheGoal) {
  SearchInput input = nodes(4);
  input.evaluate = [](const Plan& plan) {
    return text_value(0.5 + 0.05 * static_cast<double>(4 - static_nodes(plan).size()));
  };
  const SearchResult result = search(input);
  EXPECT_FALSE(result.reached_goal);
  EXPECT_DOUBLE_EQ(result.judged[0].value, 0.7);
}

TEST(Search, NeverExceedsItsEvaluations) {
  SearchInput input = nodes(100);
  input.evaluations = 5;
  int calls = 0;
  input.evaluate = [&](const Plan& plan) {
    ++calls;
    return text_value(static_nodes(plan).size() < 10 ? 1 : 0);
  };
  const SearchResult result = search(input);
  EXPECT_EQ(calls, 5);
  EXPECT_TRUE(result.reached_goal) << "the float end of the ladder is tried second";
}

}  // namespace
}  // namespace ingot::quant
