// SPDX-License-Identifier: Apache-2.0
// OrtStatus → Error, the one place.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "runtime/ort_api.h"

namespace ingot::runtime {
namespace {

constexpr std::size_t kMaxTextBytes = 1000;

/// The position after a C++ signature that starts at `begin` ("void ns::f(const X&) const [with T =
/// Y] "), or `begin` when there is none.
std::size_t skip_signature(std::string_view text, std::size_t begin) {
  const std::size_t open = text.find('(', begin);
  if (open == std::string_view::npos) return begin;
  if (text.substr(begin, open - begin).find("::") == std::string_view::npos) return begin;
  int depth = 0;
  std::size_t end = open;
  for (; end < text.size(); ++end) {
    if (text[end] == '(') ++depth;
    if (text[end] == ')' && --depth == 0) break;
  }
  if (end == text.size()) return begin;
  ++end;
  if (text.substr(end).starts_with(" const")) end += 6;
  if (text.substr(end).starts_with(" [with ")) {
    const std::size_t close = text.find(']', end);
    if (close != std::string_view::npos) end = close + 1;
  }
  return end;
}

/// Removes the first "/dir/file.cc:12 signature " at or after `from`; returns where to go on, npos
/// when there was none.
std::size_t remove_source_position(std::string& text, std::size_t from) {
  for (std::size_t slash = text.find('/', from); slash != std::string::npos;
       slash = text.find('/', slash + 1)) {
    std::size_t end = std::min(text.find(' ', slash), text.size());
    const std::string_view token(text.data() + slash, end - slash);
    const std::size_t colon = token.rfind(':');
    if (colon == std::string_view::npos || colon + 1 == token.size()) continue;
    const std::string_view file = token.substr(0, colon), line = token.substr(colon + 1);
    const bool is_source = file.ends_with(".cc") || file.ends_with(".h") || file.ends_with(".cpp");
    if (!is_source || line.find_first_not_of("0123456789") != std::string_view::npos) continue;
    end = skip_signature(text, std::min(end + 1, text.size()));
    while (end < text.size() && text[end] == ' ') ++end;
    text.erase(slash, end - slash);
    return slash;
  }
  return std::string::npos;
}

Code code_of(OrtErrorCode code, std::string_view text) {
  if (code == ORT_NO_SUCHFILE || code == ORT_INVALID_PROTOBUF) return Code::kInput;
  if (code == ORT_NOT_IMPLEMENTED) return Code::kUnsupported;
  for (const std::string_view sign : {"is not a registered function/op", "No Op registered for"}) {
    if (text.find(sign) != std::string_view::npos) return Code::kUnsupported;
  }
  return Code::kEngine;
}

}  // namespace

std::string shorten_engine_text(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  for (std::size_t at = 0; at != std::string::npos;) at = remove_source_position(text, at);
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  if (text.size() > kMaxTextBytes) {
    std::size_t end = kMaxTextBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    text.resize(end);
    text += "…";
  }
  return text;
}

void check_status(const OrtApi& api, OrtStatus* status, const std::filesystem::path& subject) {
  if (status == nullptr) return;
  const auto owned = own(api, status, &OrtApi::ReleaseStatus);
  const std::string text = api.GetErrorMessage(status);
  throw Error(code_of(api.GetErrorCode(status), text),
              fmt::format("'{}': ONNX Runtime: {}", subject.string(), shorten_engine_text(text)));
}

const char* onnx_type_name(ONNXType type) {
  switch (type) {
    case ONNX_TYPE_TENSOR:
      return "tensor";
    case ONNX_TYPE_SEQUENCE:
      return "sequence";
    case ONNX_TYPE_MAP:
      return "map";
    case ONNX_TYPE_OPAQUE:
      return "opaque value";
    case ONNX_TYPE_SPARSETENSOR:
      return "sparse tensor";
    case ONNX_TYPE_OPTIONAL:
      return "optional";
    default:
      return "value of unknown type";
  }
}

}  // namespace ingot::runtime
