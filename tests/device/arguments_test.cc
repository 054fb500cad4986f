// SPDX-License-Identifier: Apache-2.0
#include "device/arguments.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/support/expect_error.h"

namespace ingot::device {
namespace {

constexpr std::array kOptions{
    Option{"--input", "FILE", "what goes in", true},
    Option{"--output", "FILE", "what comes out"},
    Option{"--runs", "N", "how often"},
    Option{"--json", "", "as JSON"},
};

Arguments parse(const std::vector<std::string>& words) { return {words, kOptions}; }

void expect_usage(const std::string& message, const std::vector<std::string>& words) {
  test::expect_error(Code::kUsage, message, [&] { parse(words); });
}

TEST(Arguments, WordsAreSortedOut) {
  const Arguments arguments =
      parse({"dir", "--input", "a", "b", "--json", "-o", "out", "--input=c", "--", "--odd"});
  EXPECT_EQ(arguments.positional(), (std::vector<std::string>{"dir", "--odd"}));
  EXPECT_EQ(arguments.texts("--input"), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(arguments.text("--output"), "out");
  EXPECT_TRUE(arguments.has("--json"));
  EXPECT_FALSE(arguments.has("--runs"));
  EXPECT_EQ(arguments.text("--runs", "50"), "50");
}

TEST(Arguments, AnOptionForOneValueTakesOneWord) {
  EXPECT_EQ(parse({"--output", "out", "dir"}).positional(), std::vector<std::string>{"dir"});
}

TEST(Arguments, ADashIsAWord) {
  EXPECT_EQ(parse({"-"}).positional(), std::vector<std::string>{"-"});
}

TEST(Arguments, FaultsAreNamed) {
  expect_usage("unknown option '--inptu'; did you mean '--input'?", {"--inptu", "x"});
  expect_usage("unknown option '-x'", {"-x"});
  expect_usage("'--output' wants a value: FILE", {"--output", "--json"});
  expect_usage("'--output' is given twice", {"--output", "a", "-o", "b"});
  expect_usage("'--json' takes no value", {"--json=yes"});
}

TEST(Arguments, IntegersAreWholeAndInRange) {
  EXPECT_EQ(parse({"--runs", "7"}).integer("--runs", 50, 1, 10), 7);
  EXPECT_EQ(parse({}).integer("--runs", 50, 1, 10), 50);
  for (const char* text : {"0", "11", "7x", "", "1e1", "99999999999"}) {
    test::expect_error(
        Code::kUsage, std::string("'--runs' is '") + text + "', an integer from 1 to 10 is wanted",
        [&] { parse({std::string("--runs=") + text}).integer("--runs", 50, 1, 10); });
  }
}

TEST(Arguments, HelpIsAligned) {
  EXPECT_EQ(describe(kOptions),
            "  --input FILE...  what goes in\n"
            "  --output FILE    what comes out\n"
            "  --runs N         how often\n"
            "  --json           as JSON\n");
}

}  // namespace
}  // namespace ingot::device
