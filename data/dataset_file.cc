// SPDX-License-Identifier: Apache-2.0
#include "data/dataset_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "data/toml_table.h"

namespace ingot::data {
namespace {

constexpr std::int64_t kMaxSide = 65536;
constexpr std::size_t kMaxSymbolBytes = std::size_t{16} << 20;

template <class T>
struct Choice {
  std::string_view word;
  T value;
};

/// The value of `key` out of a list of words; `otherwise` when absent.
template <class T, std::size_t N>
T choose(const TomlTable& table, std::string_view key, const Choice<T> (&choices)[N], T otherwise) {
  const auto text = table.text(key);
  if (!text) return otherwise;
  std::string words;
  for (std::size_t i = 0; i < N; ++i) {
    if (*text == choices[i].word) return choices[i].value;
    words += fmt::format("{}{}", i == 0 ? "" : i + 1 == N ? " or " : ", ", choices[i].word);
  }
  table.fail(key, words);
}

std::string required_text(const TomlTable& table, std::string_view key, std::string_view wanted) {
  const auto text = table.text(key);
  if (!text || text->empty()) table.fail(key, wanted);
  return *text;
}

Extent parse_extent(const TomlTable& table, std::string_view key, bool allow_ratio) {
  const std::string wanted = fmt::format("an integer from 1 to {} or \"keep\"{}", kMaxSide,
                                         allow_ratio ? " or \"keep-ratio\"" : "");
  if (!table.has(key)) return {};
  if (table.is_text(key)) {
    const std::string word = *table.text(key);
    if (word == "keep") return {};
    if (word == "keep-ratio" && allow_ratio) return {Extent::Mode::kKeepRatio, 0};
    table.fail(key, wanted);
  }
  const std::int64_t pixels = table.integer(key).value_or(0);
  if (pixels < 1 || pixels > kMaxSide) table.fail(key, wanted);
  return {Extent::Mode::kFixed, pixels};
}

void parse_normalization(const TomlTable& table, ImageInput& input) {
  if (input.dtype == DType::kUint8) {
    for (const std::string_view key : {"divide", "mean", "std"}) {
      if (table.has(key))
        table.fail_because(
            key,
            fmt::format("'{}' has no effect with dtype 'uint8'; remove it or use float32", key));
    }
    return;
  }
  input.divide = table.number("divide").value_or(1);
  if (input.divide == 0) table.fail("divide", "a number other than 0");
  input.mean = table.numbers("mean").value_or(std::vector<double>{});
  input.std = table.numbers("std").value_or(std::vector<double>{});
  const auto channels = static_cast<std::size_t>(input.channels());
  for (const auto& [key, values] : {std::pair{"mean", &input.mean}, std::pair{"std", &input.std}}) {
    if (table.has(key) && values->size() != channels) {
      table.fail(key, fmt::format("one number for each of the {} channels", channels));
    }
  }
  if (std::find(input.std.begin(), input.std.end(), 0.0) != input.std.end())
    table.fail_because("std", "'std' holds 0, wanted numbers other than 0");
}

ImageInput parse_input(const TomlTable& table) {
  table.require_known({"name", "kind", "files", "color", "layout", "dtype", "height", "width",
                       "max_width", "resize", "divide", "mean", "std"},
                      " in [[input]]");
  ImageInput input;
  input.name = required_text(table, "name", "the name of a model input");
  if (required_text(table, "kind", "image") != "image") table.fail("kind", "image");
  input.files = table.texts("files").value_or(std::vector<std::string>{});
  input.color =
      choose(table, "color",
             {{"rgb", ColorOrder::kRgb}, {"bgr", ColorOrder::kBgr}, {"gray", ColorOrder::kGray}},
             ColorOrder::kRgb);
  input.layout =
      choose(table, "layout", {{"nchw", Layout::kNchw}, {"nhwc", Layout::kNhwc}}, Layout::kNchw);
  input.dtype =
      choose(table, "dtype", {{"float32", DType::kFloat}, {"uint8", DType::kUint8}}, DType::kFloat);
  input.height = parse_extent(table, "height", false);
  input.width = parse_extent(table, "width", true);
  if (const auto limit = table.integer("max_width")) {
    if (*limit < 1 || *limit > kMaxSide)
      table.fail("max_width", fmt::format("an integer from 1 to {}", kMaxSide));
    input.max_width = *limit;
  }
  input.resize =
      choose(table, "resize", {{"bilinear", Resize::kBilinear}, {"nearest", Resize::kNearest}},
             Resize::kBilinear);
  parse_normalization(table, input);
  return input;
}

/// One symbol per line, spaces kept; a last line break ends the last symbol.
std::vector<std::string> read_symbols(const std::filesystem::path& path) {
  std::string text = read_text_file(path, kMaxSymbolBytes);
  if (!is_utf8(text))
    throw Error(Code::kInput, fmt::format("'{}' is not UTF-8 text", path.string()));
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  std::vector<std::string> symbols;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    symbols.push_back(text.substr(begin, end - begin));
    if (symbols.back().ends_with('\r')) symbols.back().pop_back();
    begin = end + 1;
  }
  if (symbols.empty())
    throw Error(Code::kInput,
                fmt::format("'{}' is empty, wanted one symbol per line", path.string()));
  return symbols;
}

class OutputParser {
 public:
  explicit OutputParser(DatasetFile& file) : file_(file) {}

  OutputMeaning parse(const TomlTable& table) {
    OutputMeaning output;
    if (!table.has("kind")) table.fail("kind", "ctc, topk or none");
    output.kind = choose(
        table, "kind",
        {{"ctc", OutputKind::kCtc}, {"topk", OutputKind::kTopK}, {"none", OutputKind::kNone}},
        OutputKind::kNone);
    output.output = table.text("name").value_or("");
    switch (output.kind) {
      case OutputKind::kCtc:
        parse_ctc(table, output);
        break;
      case OutputKind::kTopK:
        table.require_known({"name", "kind", "labels"}, " in an [[output]] of kind topk");
        if (table.has("labels"))
          output.symbols =
              companion(required_text(table, "labels", "a file with one label per line"));
        break;
      case OutputKind::kNone:
        table.require_known({"name", "kind"}, " in an [[output]] of kind none");
        break;
    }
    return output;
  }

 private:
  void parse_ctc(const TomlTable& table, OutputMeaning& output) {
    table.require_known({"name", "kind", "dictionary", "blank", "space"},
                        " in an [[output]] of kind ctc");
    output.symbols =
        companion(required_text(table, "dictionary", "a file with one symbol per line"));
    if (table.boolean("space").value_or(false)) output.symbols.emplace_back(" ");
    output.blank = table.integer("blank").value_or(0);
    const auto count = static_cast<std::int64_t>(output.symbols.size());
    if (output.blank < 0 || output.blank > count)
      table.fail("blank", fmt::format("a class from 0 to {}", count));
    output.symbols.insert(output.symbols.begin() + output.blank, "");
  }

  std::vector<std::string> companion(const std::string& written) {
    const std::filesystem::path path = file_.path.parent_path() / written;
    const auto same = [&](const Companion& other) { return other.written == written; };
    if (std::none_of(file_.companions.begin(), file_.companions.end(), same))
      file_.companions.push_back({written, path});
    return with_context([&] { return fmt::format("while reading '{}'", file_.path.string()); },
                        [&] { return read_symbols(path); });
  }

  DatasetFile& file_;
};

}  // namespace

DatasetFile parse_dataset_file(const std::filesystem::path& path) {
  const TomlTable root = TomlTable::parse_file(path);
  root.require_known({"input", "output", "labels"});
  DatasetFile file;
  file.path = path;
  std::set<std::string> names;
  for (const TomlTable& table : root.tables("input")) {
    file.inputs.push_back(parse_input(table));
    if (!names.insert(file.inputs.back().name).second) {
      table.fail_because("name",
                         fmt::format("a second [[input]] '{}', wanted one for each model input",
                                     file.inputs.back().name));
    }
  }
  if (file.inputs.empty()) root.fail("input", "at least one table [[input]]");
  std::set<std::string> outputs;
  for (const TomlTable& table : root.tables("output")) {
    file.outputs.push_back(OutputParser(file).parse(table));
    if (!outputs.insert(file.outputs.back().output).second) {
      table.fail_because("name",
                         fmt::format("a second [[output]] '{}', wanted one for each model output",
                                     file.outputs.back().output));
    }
  }
  if (const auto labels = root.table("labels")) {
    labels->require_known({"file"}, " in [labels]");
    file.labels_file =
        required_text(*labels, "file", "a file with lines \"file<TAB>text or class\"");
  }
  return file;
}

}  // namespace ingot::data
