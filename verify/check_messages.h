// SPDX-License-Identifier: Apache-2.0
// What parent and children of the check tell each other, one file each way.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "verify/comparison.h"

namespace ingot::verify {

enum class CheckRole { kOriginal, kResult, kWriteOrt };

struct CheckRequest {
  CheckRole role = CheckRole::kOriginal;
  std::filesystem::path runtime, model;
  std::vector<std::filesystem::path> data;
  std::size_t max_samples = 0;
  int threads = 1;
  std::uint64_t seed = 1;
  double seconds = 5;  ///< kOriginal: time in which generated samples have to be through
  std::uint64_t memory_bytes = 0;  ///< RLIMIT_DATA; 0 = none
  std::filesystem::path records;   ///< written by kOriginal, read by kResult
  std::filesystem::path output;    ///< kWriteOrt: where to write the model
  runtime::Optimization optimization = runtime::Optimization::kAll;
  std::filesystem::path answer;  ///< where to write the CheckAnswer
};

struct CheckAnswer {
  bool done = false;
  std::string stage;  ///< not done: "library", "load", "data", "run"
  Code code = Code::kInternal;
  std::string message, hint;
  std::size_t samples = 0;
  std::string complaint;                ///< kOriginal: why it does not repeat itself
  std::vector<std::string> notes;       ///< what was left out
  std::vector<std::string> violations;  ///< kResult: names and types of inputs and outputs
  std::vector<OutputRow> rows;          ///< kResult
};

void write_request(const std::filesystem::path& path, const CheckRequest& request);
CheckRequest read_request(const std::filesystem::path& path);
void write_answer(const std::filesystem::path& path, const CheckAnswer& answer);
CheckAnswer read_answer(const std::filesystem::path& path);

}  // namespace ingot::verify
