// SPDX-License-Identifier: Apache-2.0
#include "cli/table.h"

#include <gtest/gtest.h>

#include <sstream>

#include "base/error.h"

namespace ingot::cli {
namespace {

TEST(Table, AlignsTextLeftAndNumbersRight) {
  Table table({"name", ">bytes", "note"});
  table.add({"weights", "12", "x"});
  table.add({"b", "123456", ""});
  std::ostringstream out;
  table.print(out, 2);
  EXPECT_EQ(out.str(),
            "  name      bytes  note\n"
            "  weights      12  x\n"
            "  b        123456\n");
}

TEST(Table, CountsCharactersNotBytes) {
  Table table({"n", ">v"});
  table.add({"\xc3\xa9\xc3\xa9", "1"});
  table.add({"ab", "2"});
  std::ostringstream out;
  table.print(out);
  EXPECT_EQ(out.str(), "n   v\n\xc3\xa9\xc3\xa9  1\nab  2\n");
}

TEST(Table, RefusesARowOfAnotherWidth) {
  Table table({"a", "b"});
  EXPECT_TRUE(table.empty());
  EXPECT_THROW(table.add({"1"}), Error);
}

}  // namespace
}  // namespace ingot::cli
