// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace ingot {
namespace {

std::string input_message(std::string_view text, int max_depth = 64) {
  try {
    parse_json(text, "m.json", max_depth);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kInput);
    return error.message();
  }
  ADD_FAILURE() << "accepted: " << text;
  return {};
}

TEST(ParseJson, ReadsADocument) {
  const Json document =
      parse_json(R"({"b": [1, -2, 2.5, true, null], "a": {"x": "\u00e9\n"}})", "m.json");
  EXPECT_EQ(document["b"][1], -2);
  EXPECT_EQ(document["b"][2], 2.5);
  EXPECT_EQ(document["a"]["x"], "\xc3\xa9\n");
}

TEST(ParseJson, NamesLineAndColumnOfASyntaxError) {
  EXPECT_EQ(input_message("{\n  \"a\": 1,\n  \"b\" 2\n}"),
            "'m.json' line 3 column 7: not valid JSON: syntax error while parsing object separator "
            "- unexpected number literal; "
            "expected ':'");
  EXPECT_EQ(input_message("[1, 2"),
            "'m.json' line 1 column 6: not valid JSON: syntax error while parsing array - "
            "unexpected end of input; expected ']'");
}

TEST(ParseJson, RefusesWhatIsNotStrictlyJson) {
  for (const char* text : {"", " ", "{", "[1,]", "{\"a\":1,}", "01", "NaN", "1 2", "'a'", "[1] x",
                           "\"\\ud800\"", "\"\xff\"", "// c\n1", "1e999"}) {
    EXPECT_TRUE(input_message(text).starts_with("'m.json' line 1 column ")) << text;
  }
}

TEST(ParseJson, RefusesAKeyThatAppearsTwice) {
  EXPECT_EQ(input_message("{\"a\": 1,\n \"b\": 2, \"a\": 3}"),
            "'m.json' line 2 column 13: key 'a' appears twice");
  EXPECT_EQ(input_message("[{\"x\": {\"k\": 1, \"k\": 2}}]"),
            "'m.json' line 1 column 20: key 'k' appears twice");
  EXPECT_NO_THROW(parse_json(R"([{"k": {"k": 1}}, {"k": 2}])", "m.json"));
}

TEST(ParseJson, RefusesNestingBeyondTheLimit) {
  EXPECT_NO_THROW(parse_json("[[{}]]", "m.json", 3));
  EXPECT_EQ(input_message("[[{\"a\":[]}]]", 3),
            "'m.json' line 1 column 9: more than 3 nested levels");
  EXPECT_EQ(input_message(std::string(1000000, '[')),
            "'m.json' line 1 column 66: more than 64 nested levels");
}

TEST(CanonicalJson, SortsKeysAndWritesNoSpace) {
  const Json document = parse_json(R"({ "b" : [ 1 , true , null, {} ], "a" : "x" })", "m.json");
  EXPECT_EQ(canonical_json(document), R"({"a":"x","b":[1,true,null,{}]})");
}

TEST(CanonicalJson, SortsKeysByUtf16AsRfc8785Does) {
  // The RFC's own example, section 3.2.3: "\r", "1", U+0080, U+00F6, U+20AC, U+1F600, U+FB33.
  const Json document = parse_json(
      R"({"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7})", "m.json");
  EXPECT_EQ(canonical_json(document),
            "{\"\\r\":2,\"1\":4,\"\xc2\x80\":6,\"\xc3\xb6\":7,\"\xe2\x82\xac\":1,"
            "\"\xf0\x9f\x98\x80\":5,\"\xef\xac\xb3\":3}");
}

TEST(CanonicalJson, EscapesOnlyWhatItMust) {
  EXPECT_EQ(canonical_json(Json("\x01\b\t\n\f\r\"\\/\x7f\xc3\xa9")),
            "\"\\u0001\\b\\t\\n\\f\\r\\\"\\\\/\x7f\xc3\xa9\"");
}

TEST(CanonicalJson, TakesNoFloatsAndNoIntegersADoubleCannotHold) {
  EXPECT_EQ(canonical_json(Json(9007199254740991)), "9007199254740991");
  EXPECT_EQ(canonical_json(Json(-9007199254740991)), "-9007199254740991");
  EXPECT_THROW(canonical_json(Json(9007199254740992)), Error);
  EXPECT_THROW(canonical_json(Json(-9007199254740992)), Error);
  EXPECT_THROW(canonical_json(Json{{"a", 1.5}}), Error);
  EXPECT_THROW(canonical_json(Json("\xff")), Error);
}

TEST(RequireKnownKeys, NamesTheNearestKey) {
  const auto message = [](const Json& object) -> std::string {
    try {
      require_known_keys(object, {"schema", "name", "version"}, "ingot.json", "[model]");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kInput);
      return error.message();
    }
    return "";
  };
  EXPECT_EQ(message(Json{{"name", 1}, {"version", 2}}), "");
  EXPECT_EQ(message(Json{{"nmae", 1}}),
            "'ingot.json': [model] has the unknown key 'nmae'; did you mean 'name'?");
  EXPECT_EQ(message(Json{{"elsewhere", 1}}),
            "'ingot.json': [model] has the unknown key 'elsewhere'");
  EXPECT_EQ(message(Json(3)), "'ingot.json': [model] is of type number; wanted an object");
}

}  // namespace
}  // namespace ingot
