// SPDX-License-Identifier: Apache-2.0
#include "device/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/text.h"

namespace ingot::device {
namespace {

const Option& find_option(std::string_view name, std::span<const Option> options) {
  if (name == "-o") name = "--output";
  std::vector<std::string> known;
  for (const Option& option : options) {
    if (option.name == name) return option;
    known.emplace_back(option.name);
  }
  throw Error(Code::kUsage, fmt::format("unknown option '{}'{}", name, did_you_mean(name, known)));
}

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

std::string left_side(const Option& option) {
  return fmt::format("  {}{}{}{}", option.name, option.value.empty() ? "" : " ", option.value,
                     option.many ? "..." : "");
}

}  // namespace

Arguments::Arguments(std::span<const std::string> words, std::span<const Option> options) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") {
      positional_.insert(positional_.end(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                         words.end());
      return;
    }
    if (!is_option(words[i])) {
      positional_.push_back(words[i]);
      continue;
    }
    const std::size_t equals = words[i].find('=');
    const Option& option = find_option(words[i].substr(0, equals), options);
    const auto [found, is_new] = values_.try_emplace(std::string(option.name));
    if (!is_new && !option.many)
      throw Error(Code::kUsage, fmt::format("'{}' is given twice", option.name));
    if (option.value.empty()) {
      if (equals != std::string::npos)
        throw Error(Code::kUsage, fmt::format("'{}' takes no value", option.name));
      continue;
    }
    std::vector<std::string>& values = found->second;
    const std::size_t before = values.size();
    if (equals != std::string::npos) {
      values.push_back(words[i].substr(equals + 1));
    } else {
      while (i + 1 < words.size() && !is_option(words[i + 1]) &&
             (option.many || values.size() == before))
        values.push_back(words[++i]);
    }
    if (values.size() == before)
      throw Error(Code::kUsage, fmt::format("'{}' wants a value: {}", option.name, option.value));
  }
}

std::string Arguments::text(std::string_view name, std::string_view otherwise) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::string(otherwise) : found->second.front();
}

std::vector<std::string> Arguments::texts(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::vector<std::string>{} : found->second;
}

int Arguments::integer(std::string_view name, int otherwise, int least, int most) const {
  if (!has(name)) return otherwise;
  const std::string value = text(name);
  int number = 0;
  const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (fault != std::errc() || end != value.data() + value.size() || number < least ||
      number > most) {
    throw Error(Code::kUsage, fmt::format("'{}' is '{}', an integer from {} to {} is wanted", name,
                                          value, least, most));
  }
  return number;
}

std::string describe(std::span<const Option> options) {
  std::size_t width = 0;
  for (const Option& option : options) width = std::max(width, left_side(option).size());
  std::string text;
  for (const Option& option : options)
    text += fmt::format("{:<{}}  {}\n", left_side(option), width, option.help);
  return text;
}

}  // namespace ingot::device
