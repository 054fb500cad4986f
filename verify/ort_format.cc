// SPDX-License-Identifier: Apache-2.0
#include "verify/ort_format.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "graph/ort_format.h"
#include "runtime/session.h"
#include "verify/child_process.h"

namespace ingot::verify {
namespace {

/// Loading, optimising and writing 1 GiB takes seconds; a model made to take for ever ends here.
constexpr double kBaseSeconds = 60, kSecondsPerGibibyte = 120;
/// The graph, its weights, the flatbuffer while it grows.
constexpr std::uint64_t kBaseMemory = std::uint64_t{512} << 20, kMemoryPerByte = 8;

/// Without an answer the runtime crashed, hung, or was killed.
[[noreturn]] void throw_without_answer(const std::filesystem::path& model, const ChildEnd& end,
                                       double seconds) {
  const std::string how = end.how == ChildEnd::How::kTimedOut
                              ? fmt::format("did not end within {}", format_seconds(seconds))
                              : fmt::format("ended by {}", describe(end));
  throw Error(Code::kEngine, fmt::format("'{}': the runtime {} while writing the ORT format",
                                         model.string(), how));
}

}  // namespace

runtime::Optimization ort_optimization(bool exact) {
  return exact ? runtime::Optimization::kNone : runtime::Optimization::kExtended;
}

void write_ort_format(const std::filesystem::path& model, const std::filesystem::path& output,
                      const OrtFormatOptions& options) {
  const TempDir folder;
  CheckRequest request;
  request.role = CheckRole::kWriteOrt;
  request.runtime = options.runtime;
  request.model = model;
  request.output = output;
  request.optimization = ort_optimization(options.exact);
  request.memory_bytes = kBaseMemory + kMemoryPerByte * options.model_bytes;
  request.answer = folder.path() / "ort.answer";
  const std::filesystem::path request_path = folder.path() / "ort.request";
  write_request(request_path, request);
  const double seconds =
      kBaseSeconds + kSecondsPerGibibyte * static_cast<double>(options.model_bytes) * 0x1p-30;
  const ChildEnd end = run_child(options.executable, {"__check-child", request_path.string()},
                                 {seconds, seconds, false});
  if (end.how != ChildEnd::How::kExited || !std::filesystem::exists(request.answer))
    throw_without_answer(model, end, seconds);
  const CheckAnswer answer = read_answer(request.answer);
  if (!answer.done) throw Error(answer.code, answer.message, answer.hint);
  if (!std::filesystem::exists(output) || !graph::is_ort_file(output)) {
    throw Error(Code::kEnvironment,
                fmt::format("'{}' does not write the ORT format", options.runtime.string()),
                "name a full build of ONNX Runtime with --runtime");
  }
}

void write_ort_in_child(const CheckRequest& request, CheckAnswer& answer) {
  answer.stage = "library";
  const auto library = runtime::Library::open(request.runtime);
  answer.stage = "load";
  runtime::SessionOptions options;
  options.threads = 1;
  options.optimization = request.optimization;
  options.optimized_model = request.output;
  const runtime::Session session(library, request.model, options);
}

}  // namespace ingot::verify
