// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <memory>

#include "base/error.h"
#include "base/text.h"
#include "cli/help.h"

namespace ingot::cli {
namespace {

constexpr int kMaxThreads = 1024;
constexpr const char* kGroup = "Shared options";

/// The app whose options count: the innermost subcommand named.
const CLI::App& innermost(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = const_cast<CLI::App&>(app).get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.front());
}

std::string hint_for(const CLI::App& app) {
  std::string name = app.get_name();
  for (const CLI::App* outer = app.get_parent(); outer != nullptr; outer = outer->get_parent())
    name = outer->get_name() + " " + name;
  return fmt::format("see '{} --help'", name);
}

Error usage_error(const CLI::App& app, std::string message) {
  return Error(Code::kUsage, std::move(message), hint_for(app));
}

void collect_options(const CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options({})) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
}

Error unknown_option(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* level = &app; level != nullptr; level = level->get_parent()) {
    collect_options(*level, names);
  }
  const std::string name = word.substr(0, word.find('='));
  return usage_error(app, fmt::format("unknown option '{}'{}", name, did_you_mean(name, names)));
}

Error unknown_word(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* subcommand : app.get_subcommands({}))
    names.push_back(subcommand->get_name());
  if (names.empty()) return usage_error(app, fmt::format("unexpected argument '{}'", word));
  return usage_error(app, fmt::format("unknown command '{}'{}", word, did_you_mean(word, names)));
}

std::string missing_message(const CLI::App& app, const CLI::ParseError& error) {
  for (const CLI::App* level = &app; level != nullptr; level = level->get_parent()) {
    for (const CLI::Option* option : level->get_options({})) {
      if (option->get_required() && option->count() == 0)
        return fmt::format("missing {}", option->get_name());
    }
  }
  const std::vector<const CLI::App*> subcommands = app.get_subcommands({});
  if (subcommands.empty()) return error.what();
  std::string names;
  for (const CLI::App* subcommand : subcommands)
    names += (names.empty() ? "" : ", ") + subcommand->get_name();
  return fmt::format("missing a command: one of {}", names);
}

/// CLI11's sentences start with a capital and end with a dot here and there: ours do not.
std::string plain_message(const CLI::ParseError& error) {
  std::string text = error.what();
  while (!text.empty() && (text.back() == '.' || text.back() == '\n')) text.pop_back();
  constexpr std::string_view kConversion = "Could not convert: ";
  const std::size_t equals = text.find(" = ");
  if (text.starts_with(kConversion) && equals != std::string::npos) {
    return fmt::format("'{}' is not a value for {}", text.substr(equals + 3),
                       text.substr(kConversion.size(), equals - kConversion.size()));
  }
  const std::size_t colon = text.find(": ");
  const std::size_t start = colon == std::string::npos ? 0 : colon + 2;
  const auto at = [&](std::size_t i) {
    return static_cast<unsigned char>(i < text.size() ? text[i] : '\0');
  };
  if (std::isupper(at(start)) != 0 && std::islower(at(start + 1)) != 0) {
    text[start] = static_cast<char>(std::tolower(at(start)));
  }
  return text;
}

void refuse_empty_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options({})) {
    for (const std::string& value : option->results()) {
      if (value.empty()) throw usage_error(app, fmt::format("{} is empty", option->get_name()));
    }
  }
  for (const CLI::App* chosen : app.get_subcommands()) refuse_empty_values(*chosen);
}

CLI::Validator color_validator() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        if (text == "auto" || text == "always" || text == "never") return {};
        return fmt::format("'{}' is not auto, always or never", text);
      },
      "");
}

/// An argument's name says what it is: no type behind it, and nothing on being required, which the
/// usage line shows.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    column_width(34);
    label("REQUIRED", "");
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    if (!option->nonpositional()) return option->get_expected_max() > 1 ? " ..." : "";
    return CLI::Formatter::make_option_opts(option);
  }
};

/// The examples of a command, or of all its subcommands when it has none of its own.
std::string examples_of(const CLI::App& app) {
  std::string text = app.get_footer();
  if (text.empty()) {
    for (const CLI::App* subcommand : app.get_subcommands({})) {
      const std::string inner = subcommand->get_footer();
      text += text.empty() ? inner : inner.substr(std::min(inner.find('\n'), inner.size()));
    }
  }
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

void prepare(CLI::App& app) {
  // Words we do not know are collected, not thrown, so that near misses can be named.
  app.allow_extras();
  app.fallthrough();
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_help_flag("-h,--help", "this text");
}

void add_shared_options(CLI::App& app, unsigned uses, Io& io, Shared& shared) {
  app.add_flag("-q,--quiet", shared.quiet, "errors and warnings only")->group(kGroup);
  app.add_flag("--json", io.json, "the result as one JSON document; errors too")->group(kGroup);
  if ((uses & kUsesRuntime) != 0) {
    app.add_option("--runtime", io.runtime,
                   "the ONNX Runtime library (else INGOT_RUNTIME, else ../lib beside this binary)")
        ->type_name("FILE")
        ->group(kGroup);
  }
  if ((uses & kUsesThreads) != 0) {
    app.add_option("--threads", io.threads, "how many to use; 0: all processors")
        ->type_name("N")
        ->check(whole_number("a number of threads", 0, kMaxThreads))
        ->group(kGroup);
  }
  if ((uses & kUsesForce) != 0)
    app.add_flag("--force", io.force, "overwrite existing output")->group(kGroup);
  app.add_option("--color", shared.color, "auto, always or never")
      ->type_name("WHEN")
      ->check(color_validator())
      ->group(kGroup);
  app.add_flag("--debug", shared.debug, "say where in the program an error came from")
      ->group(kGroup);
  app.add_flag("--warnings-as-errors", shared.warnings_as_errors, "exit 1 when there was a warning")
      ->group(kGroup);
}

void finish_help(CLI::App& app) {
  const std::string examples = examples_of(app);
  app.footer(examples.empty() ? exit_codes_help() : examples + "\n\n" + exit_codes_help());
  for (CLI::App* subcommand : app.get_subcommands({})) finish_help(*subcommand);
}

std::string parse_arguments(CLI::App& app, const std::vector<std::string>& arguments) {
  std::string message;
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    return app.help();
  } catch (const CLI::RequiredError& error) {
    message = missing_message(innermost(app), error);
  } catch (const CLI::ParseError& error) {
    message = plain_message(error);
  }
  // A mistyped option also makes the real one missing: name the cause first.
  const std::vector<std::string> unknown = app.remaining(true);
  const auto mark = std::find(unknown.begin(), unknown.end(), "--");
  const auto option = std::find_if(unknown.begin(), mark,
                                   [](const std::string& word) { return word.starts_with('-'); });
  if (option != mark) throw unknown_option(innermost(app), *option);
  const auto word = std::find_if(unknown.begin(), unknown.end(),
                                 [](const std::string& text) { return text != "--"; });
  if (word != unknown.end()) throw unknown_word(innermost(app), *word);
  if (!message.empty()) throw usage_error(innermost(app), message);
  refuse_empty_values(app);
  return {};
}

// Not CLI11's own: their wording differs between its versions.
CLI::Validator whole_number(const std::string& what, std::int64_t least, std::int64_t most) {
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        std::int64_t count = 0;
        const auto parsed = std::from_chars(text.data(), text.data() + text.size(), count);
        const bool whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
        if (whole && count >= least && count <= most) return {};
        return fmt::format("'{}' is not {} from {} to {}", text, what, least, most);
      },
      "");
}

CLI::Validator positive_seconds() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        double seconds = 0;
        const auto parsed = std::from_chars(text.data(), text.data() + text.size(), seconds);
        const bool number = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
        if (number && seconds > 0 && std::isfinite(seconds)) return {};
        return fmt::format("'{}' is not a number of seconds above 0", text);
      },
      "");
}

void require_distinct(std::initializer_list<std::filesystem::path> outputs) {
  std::vector<std::filesystem::path> seen;
  for (const std::filesystem::path& output : outputs) {
    if (output.empty()) continue;
    std::filesystem::path place = std::filesystem::absolute(output).lexically_normal();
    if (std::find(seen.begin(), seen.end(), place) != seen.end())
      throw Error(Code::kUsage, fmt::format("'{}' is named for two outputs", output.string()));
    seen.push_back(std::move(place));
  }
}

}  // namespace ingot::cli
