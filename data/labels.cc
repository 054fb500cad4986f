// SPDX-License-Identifier: Apache-2.0
#include "data/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "base/error.h"
#include "base/files.h"
#include "data/npz.h"

namespace ingot::data {
namespace {

template <class T>
std::vector<std::int64_t> widen(const Tensor& tensor, const std::string& path) {
  std::vector<std::int64_t> values;
  for (const T value : tensor.as<T>()) {
    if (!std::in_range<std::int64_t>(value) || value < T{0})
      throw Error(Code::kInput, fmt::format("'{}' holds {}, wanted classes from 0", path, value));
    values.push_back(static_cast<std::int64_t>(value));
  }
  return values;
}

std::vector<std::int64_t> integers(const Tensor& tensor, const std::string& path) {
  switch (tensor.dtype) {
    case DType::kInt8:
      return widen<std::int8_t>(tensor, path);
    case DType::kUint8:
      return widen<std::uint8_t>(tensor, path);
    case DType::kInt16:
      return widen<std::int16_t>(tensor, path);
    case DType::kUint16:
      return widen<std::uint16_t>(tensor, path);
    case DType::kInt32:
      return widen<std::int32_t>(tensor, path);
    case DType::kUint32:
      return widen<std::uint32_t>(tensor, path);
    case DType::kInt64:
      return widen<std::int64_t>(tensor, path);
    case DType::kUint64:
      return widen<std::uint64_t>(tensor, path);
    default:
      throw Error(Code::kInput,
                  fmt::format("'{}' is {}, wanted integers", path, dtype_name(tensor.dtype)));
  }
}

std::int64_t parse_class(const std::string& answer, const DatasetFile& file,
                         const std::string& where) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(answer.data(), answer.data() + answer.size(), value);
  if (error == std::errc{} && end == answer.data() + answer.size() && value >= 0) return value;
  for (const OutputMeaning& output : file.outputs) {
    const auto found = std::find(output.symbols.begin(), output.symbols.end(), answer);
    if (output.kind == OutputKind::kTopK && found != output.symbols.end())
      return found - output.symbols.begin();
  }
  throw Error(
      Code::kInput,
      fmt::format("{}: '{}' is no class, wanted an integer from 0 or a label of the topk output",
                  where, answer));
}

struct Line {
  std::string answer;
  std::size_t number = 0;
};

std::unordered_map<std::string, Line> read_lines(const std::filesystem::path& path) {
  const std::string text = read_text_file(path);
  std::unordered_map<std::string, Line> lines;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) {
      throw Error(Code::kInput,
                  fmt::format("'{}' line {}: no tab, wanted \"file<TAB>text or class\"",
                              path.string(), number));
    }
    const std::string name = line.substr(0, tab);
    if (!lines.emplace(name, Line{line.substr(tab + 1), number}).second) {
      throw Error(Code::kInput,
                  fmt::format("'{}' line {}: a second line for '{}'", path.string(), number, name));
    }
  }
  return lines;
}

}  // namespace

std::vector<std::int64_t> read_class_labels(const std::filesystem::path& path, std::size_t count) {
  const Tensor tensor = read_npy(path);
  const auto wanted = static_cast<std::int64_t>(count);
  if (tensor.shape != Shape{wanted} && tensor.shape != Shape{wanted, 1}) {
    throw Error(Code::kInput,
                fmt::format("'{}' has shape {}, wanted [{}]: one label for each sample",
                            path.string(), to_string(tensor.shape), wanted));
  }
  return integers(tensor, path.string());
}

Answers read_answers(const DatasetFile& file, const std::vector<std::string>& names) {
  INGOT_CHECK(file.labels_file.has_value());
  const std::filesystem::path path = file.path.parent_path() / *file.labels_file;
  const auto lines =
      with_context([&] { return fmt::format("while reading '{}'", file.path.string()); },
                   [&] { return read_lines(path); });
  const bool is_text =
      std::any_of(file.outputs.begin(), file.outputs.end(),
                  [](const OutputMeaning& o) { return o.kind == OutputKind::kCtc; });
  Answers answers;
  for (const std::string& name : names) {
    auto found = lines.find(name);
    if (found == lines.end()) found = lines.find(std::filesystem::path(name).filename().string());
    if (found == lines.end())
      throw Error(Code::kInput, fmt::format("'{}' has no line for '{}'", path.string(), name));
    const Line& line = found->second;
    if (is_text) {
      answers.texts.push_back(line.answer);
    } else {
      answers.classes.push_back(
          parse_class(line.answer, file, fmt::format("'{}' line {}", path.string(), line.number)));
    }
  }
  return answers;
}

}  // namespace ingot::data
