// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "base/error.h"
#include "base/text.h"

namespace ingot {
namespace {

template <class Parse>
std::string usage_message(Parse parse, std::string_view text) {
  try {
    parse(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUsage) << text;
    return error.message();
  }
  ADD_FAILURE() << "accepted: " << text;
  return {};
}

TEST(Size, EveryUnitAsWrittenAndInLowerCase) {
  struct Row {
    const char *unit, *lower;
    std::uint64_t bytes;
  };
  const Row rows[] = {{"B", "b", 1},
                      {"kB", "kb", 1000},
                      {"MB", "mb", 1000000},
                      {"GB", "gb", 1000000000},
                      {"TB", "tb", 1000000000000},
                      {"KiB", "kib", 1024},
                      {"MiB", "mib", 1048576},
                      {"GiB", "gib", 1073741824},
                      {"TiB", "tib", 1099511627776}};
  for (const Row& row : rows) {
    EXPECT_EQ(parse_size_bytes(std::string("3") + row.unit), 3 * row.bytes);
    EXPECT_EQ(parse_size_bytes(std::string("3") + row.lower), 3 * row.bytes);
    EXPECT_EQ(parse_size_bytes(std::string("3 ") + row.unit), 3 * row.bytes);
    EXPECT_EQ(parse_size_bytes(std::string("0.5") + row.unit), row.bytes / 2);
  }
}

TEST(Size, BareNumberIsBytes) {
  EXPECT_EQ(parse_size_bytes("0"), 0u);
  EXPECT_EQ(parse_size_bytes("4096"), 4096u);
  EXPECT_EQ(parse_size_bytes("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
}

TEST(Size, FractionsAreExactAndRoundedDown) {
  EXPECT_EQ(parse_size_bytes("1.5GiB"), 1610612736u);
  EXPECT_EQ(parse_size_bytes("1.001kB"), 1001u) << "1.001 * 1000 in double is 1000.99…";
  EXPECT_EQ(parse_size_bytes("4.35kB"), 4350u);
  EXPECT_EQ(parse_size_bytes("1.9999kB"), 1999u);
  EXPECT_EQ(parse_size_bytes("0.1KiB"), 102u);
  EXPECT_EQ(parse_size_bytes("1.9B"), 1u);
  EXPECT_EQ(parse_size_bytes("0.9999999999999999999999999999999TiB"), 1099511627775u);
}

TEST(Size, RefusesWhatIsNotASize) {
  const std::string wanted =
      "; wanted a number and a unit, such as '6MB', '1.5GiB' or '4096' (bytes)";
  for (const char* text : {"", "MB", "-1MB", "+1MB", " 1MB", ".5MB", "1.MB", "0x10"}) {
    const std::string message = usage_message(parse_size_bytes, text);
    const std::string unit =
        std::string(text) == "0x10" ? "has the unknown unit 'x10'" : "is not a size";
    EXPECT_EQ(message, "size '" + std::string(text) + "' " + unit + wanted);
  }
  for (const char* unit : {"Mb", "mB", "M", "KB", "kiB", "PB", "MB ", " ", "  MB", "e3"}) {
    const std::string text = std::string("1") + unit;
    const std::string shown =
        std::string(unit).size() > 1 && unit[0] == ' ' ? std::string(unit).substr(1) : unit;
    EXPECT_EQ(usage_message(parse_size_bytes, text),
              "size '" + text + "' has the unknown unit '" + shown + "'" + wanted);
  }
  for (const char* text : {"18446744073709551616", "18446744073709551615.5kB", "16777216TiB",
                           "99999999999999999999999"}) {
    EXPECT_EQ(usage_message(parse_size_bytes, text),
              "size '" + std::string(text) + "' is too large" + wanted);
  }
}

TEST(Time, EveryUnit) {
  EXPECT_EQ(parse_seconds("7ns"), 7e-9);
  EXPECT_EQ(parse_seconds("300us"), 300e-6);
  EXPECT_EQ(parse_seconds("20ms"), 0.02);
  EXPECT_EQ(parse_seconds("0.1ms"), 0.1e-3);
  EXPECT_EQ(parse_seconds("1.5s"), 1.5);
  EXPECT_EQ(parse_seconds("2min"), 120);
  EXPECT_EQ(parse_seconds("0.5h"), 1800);
  EXPECT_EQ(parse_seconds("20 ms"), 0.02);
  EXPECT_EQ(parse_seconds("0s"), 0);
}

TEST(Time, RefusesWhatIsNotATime) {
  const std::string wanted = "; wanted a number and a unit, such as '20ms', '1.5s' or '2min'";
  EXPECT_EQ(usage_message(parse_seconds, "20"), "time '20' has no unit" + wanted);
  EXPECT_EQ(usage_message(parse_seconds, "ms"), "time 'ms' is not a time" + wanted);
  EXPECT_EQ(usage_message(parse_seconds, "-1s"), "time '-1s' is not a time" + wanted);
  EXPECT_EQ(usage_message(parse_seconds, "1S"), "time '1S' has the unknown unit 'S'" + wanted);
  EXPECT_EQ(usage_message(parse_seconds, "1m"), "time '1m' has the unknown unit 'm'" + wanted);
  EXPECT_EQ(usage_message(parse_seconds, std::string(400, '9') + "s"),
            "time '" + std::string(400, '9') + "s' is out of range" + wanted);
}

TEST(FormatBytes, UsesTheLargestUnitThatKeepsADigit) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1024), "1.0 KiB");
  EXPECT_EQ(format_bytes(1024 * 1024 - 1), "1.0 MiB") << "never 1024.0 KiB";
  EXPECT_EQ(format_bytes(24222106), "23.1 MiB");
  EXPECT_EQ(format_bytes(std::uint64_t{3} << 40), "3.0 TiB");
}

TEST(FormatSeconds, KeepsThreeDigits) {
  EXPECT_EQ(format_seconds(0), "0.00 us");
  EXPECT_EQ(format_seconds(12.34e-6), "12.3 us");
  EXPECT_EQ(format_seconds(999.7e-6), "1.00 ms");
  EXPECT_EQ(format_seconds(0.0123), "12.3 ms");
  EXPECT_EQ(format_seconds(0.123), "123 ms");
  EXPECT_EQ(format_seconds(0.9999), "1.00 s");
  EXPECT_EQ(format_seconds(1.2), "1.20 s");
  EXPECT_EQ(format_seconds(9.996), "10.0 s");
  EXPECT_EQ(format_seconds(125), "125 s");
  EXPECT_EQ(format_seconds(-1.2), "-1.20 s");
  EXPECT_EQ(format_seconds(INFINITY), "inf s");
}

TEST(FormatNumber, IsTheShortestThatReadsBack) {
  EXPECT_EQ(format_number(0.1), "0.1");
  EXPECT_EQ(format_number(1e-5), "1e-05");
  EXPECT_EQ(format_number(1), "1");
  EXPECT_EQ(format_number(-2.5), "-2.5");
  EXPECT_EQ(format_number(NAN), "nan");
  EXPECT_EQ(format_number(-INFINITY), "-inf");
  for (const double value : {1.0 / 3, 0.1 + 0.2, 1e308, 5e-324, 123456789.123})
    EXPECT_EQ(std::strtod(format_number(value).c_str(), nullptr), value);
}

}  // namespace
}  // namespace ingot
