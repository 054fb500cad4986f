// SPDX-License-Identifier: Apache-2.0
#include "bench/run_document.h"

#include <fmt/format.h>

#include <optional>

#include "base/error.h"
#include "base/json.h"

namespace ingot::bench {
namespace {

constexpr double kNanosecond = 1e-9;

double seconds(const Json& nanoseconds) {
  return static_cast<double>(nanoseconds.get<std::int64_t>()) * kNanosecond;
}

std::vector<double> seconds_list(const Json& list) {
  std::vector<double> values;
  for (const Json& entry : list) values.push_back(seconds(entry));
  return values;
}

RunDocument read(const Json& json) {
  RunDocument run;
  run.verified = json.at("verified").get<bool>();
  if (json.at("bundle").is_object()) run.bundle_id = json.at("bundle").at("id").get<std::string>();
  run.model = json.at("model").get<std::string>();
  run.runtime = json.at("runtime").get<std::string>();
  run.runtime_version = json.at("runtime_version").get<std::string>();
  run.threads = json.at("threads").get<int>();
  run.inputs = json.at("inputs").get<std::string>();
  run.samples = json.at("samples").get<std::int64_t>();
  run.warmup = json.at("warmup").get<std::int64_t>();
  run.runs = json.at("runs").get<std::int64_t>();
  run.verify_seconds = seconds(json.at("verify_ns"));
  run.runtime_load_seconds = seconds(json.at("runtime_load_ns"));
  run.load_seconds = seconds(json.at("load_ns"));
  run.first_seconds = seconds(json.at("first_ns"));
  run.cold_start_seconds = seconds(json.at("cold_start_ns"));
  run.latency_seconds = seconds_list(json.at("latency_ns"));
  run.decode_seconds = seconds_list(json.at("decode_ns"));
  run.preprocess_seconds = seconds_list(json.at("preprocess_ns"));
  run.peak_bytes = json.at("memory").at("peak_bytes").get<std::uint64_t>();
  return run;
}

Code code_from_name(std::string_view name) {
  for (const Code code : {Code::kUsage, Code::kInput, Code::kUnsupported, Code::kEnvironment,
                          Code::kEngine, Code::kInternal, Code::kInterrupted}) {
    if (name == code_name(code)) return code;
  }
  return Code::kEngine;
}

/// The Error of the member "error"; nothing when there is none of that form.
std::optional<Error> described_error(const Json& json) {
  try {
    const Json& member = json.at("error");
    Error error(code_from_name(member.at("code").get<std::string>()),
                member.at("message").get<std::string>(), member.value("hint", std::string()));
    for (const Json& context : member.value("context", Json::array()))
      error.add_context(context.get<std::string>());
    return error;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::string end_of(std::string_view text) {
  constexpr std::size_t kMost = 500;
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  if (text.size() > kMost) text.remove_prefix(text.size() - kMost);
  return std::string(text);
}

}  // namespace

RunDocument parse_run_document(std::string_view text, std::string_view source) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object() ||
      json.value("schema", Json()) != "ingot.run.bench" ||
      json.value("schema_version", Json()) != 1) {
    throw Error(Code::kInternal,
                fmt::format("'{}' did not print a document of schema ingot.run.bench 1", source),
                "ingot and ingot-run must be of one build");
  }
  try {
    RunDocument run = read(json);
    if (run.latency_seconds.empty())
      throw Error(Code::kInternal, fmt::format("'{}' printed no latency", source));
    return run;
  } catch (const Json::exception& fault) {
    throw Error(Code::kInternal,
                fmt::format("'{}' printed an incomplete document: {}", source, fault.what()),
                "ingot and ingot-run must be of one build");
  }
}

void throw_run_error(std::string_view output, std::string_view errors, int exit_status,
                     std::string_view source) {
  for (const std::string_view said : {output, errors}) {
    std::optional<Error> described = described_error(Json::parse(said, nullptr, false));
    if (!described) continue;
    described->add_context(fmt::format("while measuring with '{}'", source));
    throw *described;
  }
  const std::string said = end_of(errors);
  throw Error(Code::kEngine, fmt::format("'{}' ended with exit code {}{}{}", source, exit_status,
                                         said.empty() ? "" : ": ", said));
}

}  // namespace ingot::bench
