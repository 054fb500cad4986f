// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

namespace ingot {

int exit_code(Code code) noexcept {
  switch (code) {
    case Code::kUsage:
      return 2;
    case Code::kInput:
      return 3;
    case Code::kUnsupported:
      return 4;
    case Code::kEnvironment:
      return 5;
    case Code::kEngine:
      return 6;
    case Code::kInternal:
      return 70;
    case Code::kInterrupted:
      return 130;
  }
  return 70;
}

const char* code_name(Code code) noexcept {
  switch (code) {
    case Code::kUsage:
      return "usage";
    case Code::kInput:
      return "input";
    case Code::kUnsupported:
      return "unsupported";
    case Code::kEnvironment:
      return "environment";
    case Code::kEngine:
      return "engine";
    case Code::kInternal:
      return "internal";
    case Code::kInterrupted:
      return "interrupted";
  }
  return "internal";
}

Error::Error(Code code, std::string message, std::string hint, std::source_location where)
    : code_(code),
      message_(std::move(message)),
      hint_(std::move(hint)),
      where_(where),
      rendered_(message_) {}

void Error::add_context(std::string context) {
  rendered_ += " | " + context;
  context_.push_back(std::move(context));
}

void check_failed(const char* condition, std::source_location where) {
  throw Error(Code::kInternal,
              std::string("check failed: ") + condition + " at " + where.file_name() + ":" +
                  std::to_string(where.line()),
              {}, where);
}

}  // namespace ingot
