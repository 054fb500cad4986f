// SPDX-License-Identifier: Apache-2.0
#include "cli/version.h"

#include <commit.h>
#include <fmt/format.h>

#include <ostream>

#include "base/error.h"
#include "base/json.h"
#include "cli/runtime_choice.h"
#include "graph/onnx_release.h"

namespace ingot::cli {
namespace {

/// The runtime that would be used; why there is none is part of the answer, not a failure.
OrderedJson runtime_json(const Io& io) {
  try {
    const auto library = open_runtime(io);
    return {{"path", library->path().string()}, {"version", library->version()}};
  } catch (const Error& error) {
    return {{"path", nullptr}, {"version", nullptr}, {"error", error.message()}};
  }
}

}  // namespace

const char* version() { return INGOT_VERSION; }

void print_version(Io& io) {
  if (!io.json) {
    io.out << "ingot " << version() << '\n';
    return;
  }
  const graph::OnnxRelease onnx = graph::onnx_release();
  const OrderedJson document{{"schema", "ingot.version"},
                             {"schema_version", 1},
                             {"version", version()},
                             {"commit", INGOT_COMMIT},
                             {"onnx",
                              {{"version", onnx.version},
                               {"ir_version", onnx.ir_version},
                               {"min_opset", onnx.min_opset},
                               {"max_opset", onnx.max_opset}}},
                             {"runtime", runtime_json(io)},
                             {"hashes", {"xxh3-128", "sha256"}},
                             {"compiler", fmt::format("g++ {}", __VERSION__)}};
  io.out << document.dump(2, ' ', false, OrderedJson::error_handler_t::replace) << '\n';
}

}  // namespace ingot::cli
