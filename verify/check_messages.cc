// SPDX-License-Identifier: Apache-2.0
// JSON in its binary form (MessagePack): paths and names need not be UTF-8.
#include "verify/check_messages.h"

#include <array>

#include "base/files.h"
#include "base/json.h"
#include "verify/row_json.h"

namespace ingot::verify {
namespace {

constexpr std::array<const char*, 3> kRoleNames{"original", "result", "write ort"};

CheckRole role_of(const std::string& name) {
  for (std::size_t i = 0; i < kRoleNames.size(); ++i) {
    if (name == kRoleNames[i]) return static_cast<CheckRole>(i);
  }
  throw Error(Code::kInput, "'" + name + "' is no role of a child of the check");
}

void write_document(const std::filesystem::path& path, const Json& document) {
  const std::vector<std::uint8_t> packed = Json::to_msgpack(document);
  write_text_file(path, {reinterpret_cast<const char*>(packed.data()), packed.size()});
}

Json read_document(const std::filesystem::path& path) {
  const std::string text = read_text_file(path);
  try {
    return Json::from_msgpack(text);
  } catch (const Json::exception&) {
    throw Error(Code::kInput,
                "'" + path.string() + "' is not a message of the check in the runtime");
  }
}

}  // namespace

void write_request(const std::filesystem::path& path, const CheckRequest& request) {
  Json data = Json::array();
  for (const auto& entry : request.data) data.push_back(entry.string());
  write_document(path, {{"role", kRoleNames.at(static_cast<std::size_t>(request.role))},
                        {"runtime", request.runtime.string()},
                        {"model", request.model.string()},
                        {"data", data},
                        {"max_samples", request.max_samples},
                        {"threads", request.threads},
                        {"seed", request.seed},
                        {"seconds", request.seconds},
                        {"memory_bytes", request.memory_bytes},
                        {"records", request.records.string()},
                        {"output", request.output.string()},
                        {"optimization", static_cast<int>(request.optimization)},
                        {"answer", request.answer.string()}});
}

CheckRequest read_request(const std::filesystem::path& path) {
  const Json document = read_document(path);
  try {
    CheckRequest request;
    request.role = role_of(document.at("role").get<std::string>());
    request.runtime = document.at("runtime").get<std::string>();
    request.model = document.at("model").get<std::string>();
    for (const Json& entry : document.at("data"))
      request.data.emplace_back(entry.get<std::string>());
    request.max_samples = document.at("max_samples").get<std::size_t>();
    request.threads = document.at("threads").get<int>();
    request.seed = document.at("seed").get<std::uint64_t>();
    request.seconds = document.at("seconds").get<double>();
    request.memory_bytes = document.at("memory_bytes").get<std::uint64_t>();
    request.records = document.at("records").get<std::string>();
    request.output = document.at("output").get<std::string>();
    request.optimization =
        static_cast<runtime::Optimization>(document.at("optimization").get<int>());
    request.answer = document.at("answer").get<std::string>();
    return request;
  } catch (const Json::exception&) {
    throw Error(Code::kInput,
                "'" + path.string() + "' is not a request of the check in the runtime");
  }
}

void write_answer(const std::filesystem::path& path, const CheckAnswer& answer) {
  write_document(path, {{"done", answer.done},
                        {"stage", answer.stage},
                        {"code", static_cast<int>(answer.code)},
                        {"message", answer.message},
                        {"hint", answer.hint},
                        {"samples", answer.samples},
                        {"complaint", answer.complaint},
                        {"notes", answer.notes},
                        {"violations", answer.violations},
                        {"rows", Json(rows_json(answer.rows))}});
}

CheckAnswer read_answer(const std::filesystem::path& path) {
  const Json document = read_document(path);
  CheckAnswer answer;
  answer.done = document.at("done").get<bool>();
  answer.stage = document.at("stage").get<std::string>();
  answer.code = static_cast<Code>(document.at("code").get<int>());
  answer.message = document.at("message").get<std::string>();
  answer.hint = document.at("hint").get<std::string>();
  answer.samples = document.at("samples").get<std::size_t>();
  answer.complaint = document.at("complaint").get<std::string>();
  answer.notes = document.at("notes").get<std::vector<std::string>>();
  answer.violations = document.at("violations").get<std::vector<std::string>>();
  for (const Json& row : document.at("rows")) answer.rows.push_back(row_from_json(row));
  return answer;
}

}  // namespace ingot::verify
