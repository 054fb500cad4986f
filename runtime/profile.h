// SPDX-License-Identifier: Apache-2.0
// Per-node times out of the file that ONNX Runtime writes when it profiles
// (Session::end_profiling).
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace ingot::runtime {

/// One node of the optimised graph, summed over all runs of the profiled session.
struct NodeTime {
  std::string name;      ///< the node's name in the optimised graph; may be empty
  std::string op_type;   ///< of the optimised graph: "QLinearConv", not the file's "Conv"
  std::string provider;  ///< "CPUExecutionProvider"
  std::size_t calls = 0;
  double total_us = 0;  ///< microseconds in the kernel, all calls together
};

/// Reads a profile: nodes by falling total time, ties by name. Throws kInput when `path` is missing
/// or is no profile. Nodes of the same name and type count as one.
std::vector<NodeTime> parse_profile(const std::filesystem::path& path);

}  // namespace ingot::runtime
