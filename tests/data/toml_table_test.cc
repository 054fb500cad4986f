// SPDX-License-Identifier: Apache-2.0
#include "data/toml_table.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "tests/data/files.h"
#include "tests/support/expect_error.h"

namespace ingot::data {
namespace {

using test::expect_error;
using testing::ElementsAre;

class Toml : public testing::Test {
 protected:
  TomlTable parse(const std::string& text) {
    test::put_file(path_, text);
    return TomlTable::parse_file(path_);
  }
  std::string message(const std::string& rest) const {
    return fmt::format("'{}' {}", path_.string(), rest);
  }

  TempDir folder_;
  std::filesystem::path path_ = folder_.path() / "a.toml";
};

TEST_F(Toml, GivesValuesByType) {
  const TomlTable table = parse(
      "t = \"x\"\ni = 3\nf = 2.5\nb = true\nn = [1, 2.5]\ns = [\"p\", \"q\"]\n[sub]\nz = "
      "1\n[[many]]\n"
      "[[many]]\n");
  EXPECT_EQ(table.text("t"), "x");
  EXPECT_EQ(table.integer("i"), 3);
  EXPECT_EQ(table.number("i"), 3);
  EXPECT_EQ(table.number("f"), 2.5);
  EXPECT_EQ(table.boolean("b"), true);
  EXPECT_THAT(table.numbers("n").value(), ElementsAre(1, 2.5));
  EXPECT_THAT(table.texts("s").value(), ElementsAre("p", "q"));
  EXPECT_THAT(table.texts("t").value(), ElementsAre("x"));
  EXPECT_EQ(table.table("sub")->integer("z"), 1);
  EXPECT_EQ(table.tables("many").size(), 2U);
  EXPECT_THAT(table.keys(), ElementsAre("b", "f", "i", "many", "n", "s", "sub", "t"));
  EXPECT_TRUE(table.is_text("t"));
  EXPECT_FALSE(table.is_text("i"));
}

TEST_F(Toml, RefusesTextThatBreaksAssertionsOfTheLibrary) {
  for (const char* text : {"[[= 1", "[=]\n", "[[[a]]\n"})
    expect_error(Code::kInput, message("is not TOML"), [&] { parse(text); });
}

TEST_F(Toml, TakesWhatIsNotAsciiInQuotesOnly) {
  for (const char* text :
       {"\u041c = 1", "[\u00e9]", "a = 5\u0400", "a = 5\"\"\"\u0400\"\"\"", "a\u00a1"}) {
    try {
      parse(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kInput);
    }
  }
  const TomlTable table = parse("# \u00fc\na = \"\u00fc\" # \u00fc\n'\u041c' = 1\n");
  EXPECT_THAT(table.keys(), ElementsAre("a", "\u041c"));
  EXPECT_EQ(table.text("a"), "\u00fc");
}

TEST_F(Toml, GivesNothingForAbsentKeys) {
  const TomlTable table = parse("");
  EXPECT_FALSE(table.text("a") || table.integer("a") || table.number("a") || table.boolean("a") ||
               table.numbers("a") || table.texts("a") || table.table("a"));
  EXPECT_TRUE(table.tables("a").empty());
}

TEST_F(Toml, NamesValuesOfAnotherType) {
  const TomlTable table = parse("a = 1979-05-27\nb = [1, true]\nc = inf\n");
  expect_error(Code::kInput, message("line 1: 'a' is a date or time, wanted true or false"),
               [&] { table.boolean("a"); });
  expect_error(Code::kInput, message("line 1: 'a' is a date or time, wanted a table [a]"),
               [&] { table.table("a"); });
  expect_error(Code::kInput, message("line 2: 'b' holds true, wanted finite numbers"),
               [&] { table.numbers("b"); });
  expect_error(Code::kInput, message("line 2: 'b' holds 1, wanted strings"),
               [&] { table.texts("b"); });
  expect_error(Code::kInput, message("line 3: 'c' is inf, wanted a finite number"),
               [&] { table.number("c"); });
}

TEST_F(Toml, NamesLineAndColumnOfASyntaxError) {
  try {
    parse("a = 1\nb = = 2\n");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(code_name(error.code()), "input");
    EXPECT_TRUE(error.message().starts_with(message("line 2, column 5: "))) << error.message();
  }
}

TEST_F(Toml, RefusesDeepNesting) { EXPECT_THROW(parse("a = " + std::string(100000, '[')), Error); }

TEST_F(Toml, RefusesBrokenUtf8) { EXPECT_THROW(parse("a = \"\xFF\"\n"), Error); }

}  // namespace
}  // namespace ingot::data
