// SPDX-License-Identifier: Apache-2.0
// What holds for every row of the table of commands.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/session.h"

namespace ingot::cli {
namespace {

class EveryCommand : public testing::TestWithParam<Command> {};

TEST_P(EveryCommand, HasHelpWithExamplesAndExitCodes) {
  const test::Result result = test::run({GetParam().name, "--help"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("\nExit codes:\n"), std::string::npos) << result.out;
  const std::string example = std::string("\n  ingot ") + GetParam().name + " ";
  EXPECT_NE(result.out.find(example), std::string::npos) << result.out;
}

TEST_P(EveryCommand, WithoutArgumentsIsAUsageError) {
  const test::Result result = test::run({GetParam().name});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(result.err.ends_with(std::string("See 'ingot ") + GetParam().name + " --help'.\n"))
      << result.err;
}

TEST_P(EveryCommand, RefusesAnUnknownOption) {
  const test::Result result = test::run({GetParam().name, "--no-such-option-anywhere"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err, std::string("error: unknown option '--no-such-option-anywhere'\n") +
                            "  hint: see 'ingot " + GetParam().name + " --help'\n");
}

std::vector<Command> shown_commands() {
  std::vector<Command> shown;
  for (const Command& command : commands()) {
    if (!command.is_hidden()) shown.push_back(command);
  }
  return shown;
}

INSTANTIATE_TEST_SUITE_P(Table, EveryCommand, testing::ValuesIn(shown_commands()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Commands, OfOneGroupStandTogether) {
  std::vector<std::string> groups;
  for (const Command& command : shown_commands()) {
    if (groups.empty() || groups.back() != command.group) groups.emplace_back(command.group);
  }
  std::sort(groups.begin(), groups.end());
  EXPECT_EQ(std::adjacent_find(groups.begin(), groups.end()), groups.end());
}

}  // namespace
}  // namespace ingot::cli
