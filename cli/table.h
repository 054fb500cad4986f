// SPDX-License-Identifier: Apache-2.0
// A plain table of text for people: columns as wide as their widest cell, two spaces between.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace ingot::cli {

class Table {
 public:
  /// `headings` that start with '>' (not printed) make a column of numbers, aligned to the right.
  explicit Table(std::vector<std::string> headings);
  /// As many cells as headings.
  void add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  /// `indent` spaces before each line; nothing at the end of one. Widths are counted in UTF-8
  /// characters.
  void print(std::ostream& out, std::size_t indent = 0) const;

 private:
  std::vector<std::string> headings_;
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace ingot::cli
