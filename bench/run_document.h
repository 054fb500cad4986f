// SPDX-License-Identifier: Apache-2.0
// What `ingot-run bench --json` prints (docs/formats/run-bench.md), as a struct. Times are seconds
// here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::bench {

/// One process, one measurement.
struct RunDocument {
  bool verified = false;  ///< every file was held against a bundle's manifest before it was used
  std::string bundle_id;  ///< empty for a plain model
  std::string model, runtime, runtime_version;
  int threads = 0;     ///< as used, after clamping
  std::string inputs;  ///< "data" or "generated"
  std::int64_t samples = 0, warmup = 0, runs = 0;
  double verify_seconds = 0, runtime_load_seconds = 0, load_seconds = 0, first_seconds = 0,
         cold_start_seconds = 0;
  std::vector<double> latency_seconds, decode_seconds, preprocess_seconds;  ///< per measured run
  std::uint64_t peak_bytes = 0;  ///< peak resident memory of the process
};

/// Reads the document. Throws kInternal naming `source` when it is not one of schema version 1:
/// ingot and ingot-run are of one build. Members that are not known here are ignored.
RunDocument parse_run_document(std::string_view text, std::string_view source);

/// Throws the Error that a failed `ingot-run` describes as JSON on its standard output or error
/// (the same code, message and hint), or kEngine with its exit code and the end of `errors` when it
/// describes none.
[[noreturn]] void throw_run_error(std::string_view output, std::string_view errors, int exit_status,
                                  std::string_view source);

}  // namespace ingot::bench
