// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace ingot {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Glob, MatchesAsAShellDoes) {
  const auto yes = [](const char* pattern, const char* text) {
    EXPECT_TRUE(glob_match(pattern, text)) << pattern << " vs " << text;
  };
  const auto no = [](const char* pattern, const char* text) {
    EXPECT_FALSE(glob_match(pattern, text)) << pattern << " vs " << text;
  };
  yes("", "");
  no("", "a");
  yes("*", "");
  yes("*", "/a/b");
  yes("/head/*", "/head/cls/Conv");
  no("/head/*", "/stem/head/");
  yes("*conv?", "/a/conv1");
  no("*conv?", "/a/conv");
  no("*conv?", "/a/conv12");
  yes("a*b*c", "a-b-b-c");
  no("a*b*c", "a-c-b");
  yes("**a", "bba");
  no("a", "ab");
  no("ab", "a");
}

TEST(Glob, ReadsSetsAndQuotes) {
  EXPECT_TRUE(glob_match("l[0-9]", "l7"));
  EXPECT_FALSE(glob_match("l[0-9]", "lx"));
  EXPECT_TRUE(glob_match("l[!0-9]", "lx"));
  EXPECT_FALSE(glob_match("l[!0-9]", "l7"));
  EXPECT_TRUE(glob_match("[abx-z]", "b"));
  EXPECT_TRUE(glob_match("[abx-z]", "y"));
  EXPECT_FALSE(glob_match("[abx-z]", "c"));
  EXPECT_TRUE(glob_match("[]]", "]"));
  EXPECT_TRUE(glob_match("[!]]", "a"));
  EXPECT_TRUE(glob_match("[a-]", "-"));
  EXPECT_TRUE(glob_match("[ab", "[ab")) << "an open bracket stands for itself";
  EXPECT_TRUE(glob_match("\\*", "*"));
  EXPECT_FALSE(glob_match("\\*", "a"));
  EXPECT_TRUE(glob_match("\\[x]", "[x]"));
  EXPECT_TRUE(glob_match("a\\", "a\\"));
}

bool glob_by_recursion(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    return glob_by_recursion(pattern.substr(1), text) ||
           (!text.empty() && glob_by_recursion(pattern, text.substr(1)));
  }
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) &&
         glob_by_recursion(pattern.substr(1), text.substr(1));
}

TEST(Glob, AgreesWithTheDefinitionOnAllShortTexts) {
  std::vector<std::string> patterns{""}, texts{""};
  const auto extend = [](std::vector<std::string>& words, std::string_view letters,
                         std::size_t longest) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i].size() == longest) continue;
      for (const char letter : letters) words.push_back(words[i] + letter);
    }
  };
  extend(patterns, "a*?b", 5);
  extend(texts, "ab", 5);
  for (const std::string& pattern : patterns) {
    for (const std::string& text : texts)
      ASSERT_EQ(glob_match(pattern, text), glob_by_recursion(pattern, text))
          << pattern << " vs " << text;
  }
}

TEST(Glob, TakesNoExponentialTime) {
  EXPECT_FALSE(glob_match("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", std::string(5000, 'a')));
}

TEST(EditDistance, CountsInsertionsDeletionsAndSubstitutions) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("saturday", "sunday"), 3u);
}

TEST(Nearest, IsSortedAndStopsAtAThirdOfTheWord) {
  const std::vector<std::string> names{"verify", "inspect", "convert", "quantize", "bench"};
  EXPECT_THAT(nearest("convrt", names), ElementsAre("convert"));
  EXPECT_THAT(nearest("covnert", names), ElementsAre("convert"));
  EXPECT_THAT(nearest("quantise", names), ElementsAre("quantize"));
  EXPECT_THAT(nearest("bundle", names), IsEmpty());
  EXPECT_THAT(nearest("x", std::vector<std::string>{"ab", "y"}), IsEmpty()) << "nothing in common";
  EXPECT_THAT(nearest("int3", std::vector<std::string>{"uint4", "int8", "int4", "int16"}, 2),
              ElementsAre("int8", "int4"));
}

TEST(DidYouMean, NamesUpToThree) {
  EXPECT_EQ(did_you_mean("int3", std::vector<std::string>{"float"}), "");
  EXPECT_EQ(did_you_mean("int3", std::vector<std::string>{"int4"}), "; did you mean 'int4'?");
  EXPECT_EQ(did_you_mean("int3", std::vector<std::string>{"int4", "int8"}),
            "; did you mean 'int4' or 'int8'?");
  EXPECT_EQ(did_you_mean("int3", std::vector<std::string>{"int16", "int4", "int8", "uint8"}),
            "; did you mean 'int4', 'int8' or 'int16'?");
}

TEST(Pattern, MatchesNamesTypesAndExpressions) {
  EXPECT_TRUE(Pattern("/head/*").matches("/head/Conv", "Conv"));
  EXPECT_FALSE(Pattern("Conv").matches("/head/Conv", "Conv"));
  EXPECT_TRUE(Pattern("op:Conv").matches("/head/Conv", "Conv"));
  EXPECT_FALSE(Pattern("op:Conv").matches("Conv", "ConvTranspose"));
  EXPECT_TRUE(Pattern("re:block[12]/").matches("/net/block2/Conv", "Conv"));
  EXPECT_FALSE(Pattern("re:^block").matches("/net/block2/Conv", "Conv"));
  const Pattern copy = Pattern("re:x+");
  EXPECT_EQ(copy.text(), "re:x+");
}

TEST(Pattern, ExpressionOverALongNameDoesNotOverflowTheStack) {
  EXPECT_TRUE(Pattern("re:^a.*b$").matches(std::string(1 << 16, 'a') + "b", "Conv"));
}

TEST(Pattern, RefusesABadExpression) {
  for (const char* text : {"re:(", "re:[a", "re:(a)\\1"}) {
    try {
      Pattern pattern{text};
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kUsage);
      EXPECT_TRUE(error.message().starts_with(std::string("pattern '") + text +
                                              "' is not a valid regular expression: "))
          << error.message();
    }
  }
}

// The definition: decodes to code points and wants the shortest form, no surrogates, nothing above
// U+10FFFF.
bool utf8_by_definition(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80             ? 1
                               : (lead & 0xe0) == 0xc0 ? 2
                               : (lead & 0xf0) == 0xe0 ? 3
                               : (lead & 0xf8) == 0xf0 ? 4
                                                       : 0;
    if (length == 0 || i + length > text.size()) return false;
    unsigned code = length == 1 ? lead : lead & (0x7fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xc0) != 0x80) return false;
      code = code << 6 | (next & 0x3fu);
    }
    const unsigned smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < smallest[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
      return false;
    i += length;
  }
  return true;
}

TEST(Utf8, AgreesWithTheDefinitionOnAllShortSequences) {
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      for (const char* tail : {"", "\x80", "\x80\x80", "\xbf\xbf", "a",
                               "\x80"
                               "a"}) {
        const std::string text = std::string{static_cast<char>(a), static_cast<char>(b)} + tail;
        ASSERT_EQ(is_utf8(text), utf8_by_definition(text)) << a << " " << b << " " << tail;
      }
    }
  }
  EXPECT_FALSE(is_utf8("abc\xe2\x82"));
  EXPECT_TRUE(
      is_utf8("gr\xc3\xb6\xc3\x9f"
              "e"));
}

}  // namespace
}  // namespace ingot
